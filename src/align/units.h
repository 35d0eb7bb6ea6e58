/* The units that an alignment links: the words or the characters of a text.
 *
 *     words        separated by white space: "Le chat dort ." has four
 *     characters   every code point that is not white space, with the combining marks, joiners and
 *                  variation selectors after it: "我 们。" has three
 *
 * Offsets are bytes in the text as given, as in Subwords.ends (text/vocabulary.h). */
#pragma once

#include "text/spans.h"

typedef enum UnitKind { UNITS_WORDS, UNITS_CHARACTERS } UnitKind;

/* Row or column labels: the units of a text. A view, which owns neither. A subword that is the space
 * before a text is an empty one. */
typedef struct Labels {
    const char *text;
    const Spans *units;
} Labels;

static inline TextView label_text(Labels labels, size_t label)
{
    const Span unit = labels.units->items[label];
    return (TextView){labels.text + unit.begin, span_length(unit)};
}

/* Sets the units of a text. Bytes that are not UTF-8 count as U+FFFD. On failure `units` is empty and
 * still valid. */
Status units_split(Spans *units, UnitKind kind, const char *text, size_t length, Error *error);

/* The units that a subword of the same text belongs to, by their numbers: those that its bytes overlap,
 * or if there are none (it is a space), the next unit; none only behind the last unit. *first is 0 at
 * the start and unchanged from subword to subword, in order, so that a whole text takes linear time. */
Span units_of_subword(const Spans *units, Span subword, size_t *first);

// How many units begin before a byte of the text.
size_t units_before(const Spans *units, size_t place);

// Adds the number of a text's letters to *letters, and of its Han characters to *han.
void units_count_han(const char *text, size_t length, size_t *han, size_t *letters);

// Characters if more than half of the letters are Han, else words.
static inline UnitKind units_default(size_t han, size_t letters)
{
    return han > letters / 2 ? UNITS_CHARACTERS : UNITS_WORDS;
}

extern const char *const unit_kind_names[]; // "words", "characters", NULL: in the order of UnitKind
