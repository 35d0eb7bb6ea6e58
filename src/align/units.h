/* The units that an alignment links: the words or the characters of a text.
 *
 *     words        separated by white space: "Le chat dort ." has four
 *     characters   every code point that is not white space, with the combining marks, joiners and
 *                  variation selectors after it: "我 们。" has three
 *
 * Offsets are bytes in the text as given, as in Subwords.ends (text/vocabulary.h). */
#pragma once

#include "base/status.h"

typedef enum UnitKind { UNITS_WORDS, UNITS_CHARACTERS } UnitKind;

// The units of one text, in order, without overlap. Start from {0}, end with units_free.
typedef struct Units {
    uint32_t *begins; // (count) the first byte of each unit
    uint32_t *ends;   // (count) one past its last byte
    size_t count;
    size_t capacity;
} Units;

// Row or column labels: the units of a text. A view, which owns neither.
typedef struct Labels {
    const char *text;
    const Units *units;
} Labels;

/* Sets the units of a text of `length` < 2^32 bytes. Bytes that are not
 * UTF-8 count as U+FFFD. On failure `units` is empty and still valid. */
Status units_split(Units *units, UnitKind kind, const char *text, size_t length, Error *error);

/* Appends one unit, for units found elsewhere: the tokens of a gold file, the spellings of
 * subwords. They must come in order: last end ≤ begin ≤ end. A subword that is the space before a
 * text has no byte of it. */
Status units_append(Units *units, size_t begin, size_t end, Error *error);

/* The units that a subword of the same text belongs to: those that its bytes, `begin` … `end`,
 * overlap, or if there are none (it is a space), the next unit. Sets *first to the first of them
 * and returns how many there are, 0 only after the last unit. Call it for the subwords in order,
 * with *first 0 at the start and unchanged in between, so that a whole text takes linear time. */
size_t units_of_subword(const Units *units, uint32_t begin, uint32_t end, size_t *first);

// How many units begin before a byte of the text.
size_t units_before(const Units *units, size_t place);

// Empties the list and keeps its memory.
static inline void units_clear(Units *units)
{
    units->count = 0;
}

void units_free(Units *units);

// Adds the number of a text's letters to *letters, and of its Han characters to *han.
void units_count_han(const char *text, size_t length, size_t *han, size_t *letters);

// Characters if more than half of the letters are Han, else words.
static inline UnitKind units_default(size_t han, size_t letters)
{
    return han > letters / 2 ? UNITS_CHARACTERS : UNITS_WORDS;
}

extern const char *const unit_kind_names[]; // "words", "characters", NULL: in the order of UnitKind
