/* What an alignment counts: the words or the characters of a text.
 *
 *     words        what white space parts: "Le chat dort ." has four
 *     characters   every code point that is not white space, with the combining marks, joiners and
 *                  variation selectors behind it: "我 们。" has three
 *
 * Offsets are bytes in the text as given, so they agree with Subwords.ends of the same text
 * (text/vocabulary.h). */
#ifndef REGARD_ALIGN_UNITS_H
#define REGARD_ALIGN_UNITS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum UnitKind { UNITS_WORDS, UNITS_CHARACTERS } UnitKind;

// The units of one text, in its order, without overlap. Start from {0}, reuse freely, end with
// units_free.
typedef struct Units {
    uint32_t *begins; // (count) the first byte of each unit
    uint32_t *ends;   // (count) the byte behind its last; greater than its begin
    size_t count;
    size_t capacity;
} Units;

// Names to show beside a matrix: `units` cuts them out of `text`. A view, which owns neither.
typedef struct Labels {
    const char *text;
    const Units *units;
} Labels;

/* Replaces what is in `units` by the units of a text of `length` < 2^32 bytes. Bytes that are not
 * UTF-8 count as U+FFFD. On failure `units` is empty and still valid. */
Status units_split(Units *units, UnitKind kind, const char *text, size_t length, Error *error);

/* Appends one unit, for units that come from elsewhere: the tokens of a gold file, the spellings of
 * subwords. They must come in order: last end ≤ begin < end. */
Status units_append(Units *units, size_t begin, size_t end, Error *error);

/* The units that a subword of the same text belongs to: those its bytes, `begin` … `end`, overlap, or, if it overlaps none (a
 * space of its own), the unit behind it, for which it stands. Moves *first to the first of them and returns how many there
 * are; 0 only behind the last unit. Subwords must be asked for in order, *first starting from 0, so that a walk over all takes
 * linear time. */
size_t units_of_subword(const Units *units, uint32_t begin, uint32_t end, size_t *first);

// Empties it and keeps the memory.
void units_clear(Units *units);

void units_free(Units *units);

// Adds a text's letters to *letters, and those that are Han characters to *han.
void units_count_han(const char *text, size_t length, size_t *han, size_t *letters);

// The kind for a side with these counts: characters if more than half of its letters are Han, else
// words.
UnitKind units_default(size_t han, size_t letters);

// "words", "characters" → the kind; false if it is neither.
bool units_kind_from(const char *name, UnitKind *kind);
const char *units_kind_name(UnitKind kind);

#endif
