/* Texts that a translation must have, as phrases of search (search/constraints.h). */
#pragma once

#include "reading/reading.h"
#include "search/constraints.h"

/* Adds a text in normal form as a phrase of its own, spelt as behind a space or, as an alternative,
 * as behind a bracket, an apostrophe or a Chinese character; or, if PHRASE_INITIAL, as an alternative
 * of the phrase added last. Nothing is added if it has more than MAX_PHRASE_TOKENS, or there are
 * MAX_PHRASES. `vocabulary` is that of the target. */
Status phrase_add(Constraints *constraints, PhraseKind kind, const Vocabulary *vocabulary,
                  TextView text, Error *error);

/* Sets *edges (vocabulary), freed by memory_free, to what the tokens of a language are, for
 * Constraints.edges. */
Status phrase_edges_new(unsigned char **edges, const Vocabulary *vocabulary,
                        const Language *language, Error *error);

// Says that the phrase added last translates a span of the source, which has these subwords.
void phrase_place(Constraints *constraints, const Subwords *source, Span span);

// Adds the spans given of a sentence that are not read as placeholders, and says where they are.
Status phrases_require_spans(Constraints *constraints, const Reading *reading,
                             const Subwords *subwords, Error *error);

/* Wishes for words that have few translations where they stand (reading/term.h), and for names of the
 * lexicon; to be called after all else. */
Status phrases_wish(Constraints *constraints, const Reading *reading, const Subwords *subwords,
                    Error *error);

/* Binds placeholders to phrases and, if the source has digits that phrases have room for, digits too; those of the source that
 * are not in its spans, as in 6th, may be said once each. The month of a date, beside a number, is a
 * phrase: 12 mai for 12 May. */
Status phrases_bind(Constraints *constraints, const Reading *reading, const Subwords *subwords,
                    Error *error);
