/* What has one of a few translations where it stands: dates, times of day, ordinals; months, and what
 * is counted, beside a number; titles before a name.
 *
 *     May 12, 1987      12 mai 1987      1987年5月12日
 *     3:30 pm           15 h 30          下午3点半
 *     21st century      XXIe siècle      21世纪
 *
 * Lists of two languages have as many rows, each the translation of the other, of words with /
 * between, patterns of reading/pattern.h: < before one that is only read, > before one that is only
 * said. */
#pragma once

#include "base/bytes.h"
#include "language/language.h"
#include "text/spans.h"

typedef struct Term {
    TextView text; // of the source; empty: there is none
    LanguageWords list;
    size_t row; // of the list
} Term;

// Whether the word before a place is one of a list, without one that is elided: jusqu'à.
bool term_is_behind(TextView text, size_t at, const Language *language, LanguageWords list);

// The longest term of a list that begins at a place.
Term term_at(TextView text, size_t at, const Language *language, LanguageWords list);

/* Replaces `out` by the next translation of a term, `*place` of them, at first 0, which is counted
 * up; leaves it empty behind the last. */
Status term_translate(Bytes *out, size_t *place, const Term *term,
                      const Language *const languages[2], Error *error);
