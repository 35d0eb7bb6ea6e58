/* A glossary: terms, and what each must be in the translation of a sentence that has it.
 *
 * Terms are looked for in the normal form of a sentence, as whole words; within Chinese or Japanese
 * text, which has no spaces, anywhere. A term without capitals is found in any case ("engine" in
 * "Engine"), any other as it is written. At each place the longest term is taken, a term in its own
 * case first, and terms do not overlap. There is no inflection: "engines" is another term.
 *
 * For each term found the translation must have the term's own translation once, as whole words, as
 * it is written or, at the beginning of the sentence, with a capital (search/constraints.h). Those of
 * terms that stand side by side come in the order that the model prefers: black cat, chat noir. */
#pragma once

#include "reading/reading.h"
#include "search/constraints.h"

enum { MAX_TERM_CHARACTERS = 200 };

typedef struct Glossary Glossary;

// An empty glossary for that vocabulary of the target, which must outlive it; freed by
// glossary_free.
Status glossary_new(Glossary **glossary, const Vocabulary *target, Error *error);

/* Adds a term and its translation, any bytes but placeholders. STATUS_FORMAT if one is empty or too long
 * (MAX_TERM_CHARACTERS, MAX_PHRASE_TOKENS), or the term is there with another translation; the
 * message does not say where. */
Status glossary_add(Glossary *glossary, TextView term, TextView translation, Error *error);

/* Adds to `constraints` what the translation of a sentence must have: the translations of the first
 * terms in what the model reads of it, the `subwords`, but for placeholders, up to MAX_PHRASES in
 * all. */
Status glossary_require(const Glossary *glossary, const Reading *reading, const Subwords *subwords,
                        Constraints *constraints, Error *error);

// Whether a place is within a translation of a term, which stays as it was given.
bool glossary_holds(const Glossary *glossary, TextView said, size_t place);

void glossary_free(Glossary *glossary); // NULL is allowed
