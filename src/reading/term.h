/* Words that have one of a few translations where they stand: months, and what is counted, beside a
 * number; titles before a name. Lists of two languages have as many entries, each the translation
 * of the other, of words with / between: ~ before one that is no reason to expect the other's, _ for
 * a space. */
#pragma once

#include "base/bytes.h"
#include "language/language.h"
#include "text/spans.h"

typedef struct Term {
    TextView word; // of the source; empty: there is none
    LanguageWords list;
} Term;

// The longest term that begins at a place: a month or any other.
Term term_at(TextView text, size_t at, const Language *language, bool months);

/* Replaces `out` by the next translation of a term, `*place` of them, at first 0, which is counted
 * up; leaves it empty behind the last. */
Status term_translate(Bytes *out, size_t *place, const Term *term,
                      const Language *const languages[2], Error *error);
