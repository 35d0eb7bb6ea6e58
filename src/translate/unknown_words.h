/* Words that a model cannot know, and that stay as they are:
 *
 *     with a character that its vocabulary lacks         今日は in an English text
 *     names: with a capital, and of three subwords or    Mr. Lindqvist lives in Osaka.
 *     more
 *
 * A name's parts all have capitals: Jean-Luc, not Pourriez-vous. The first word of a sentence has
 * one anyway: it is a name if it has another inside, or four subwords or more in small letters,
 * too. A capital inside is enough: iPhone. In capitals or title case (text/letter_case.h) and in
 * a language whose nouns have capitals, there are no names. Neighbours, with a space between or none,
 * are one span: Ingrid Solberg. */
#ifndef REGARD_TRANSLATE_UNKNOWN_WORDS_H
#define REGARD_TRANSLATE_UNKNOWN_WORDS_H

#include "language/language.h"
#include "text/spans.h"
#include "text/vocabulary.h"

/* Adds those of a sentence to `spans`, which stay as they are anyway. `language` may
 * be NULL. On failure nothing is added. */
Status unknown_words_add(Spans *spans, const char *text, size_t length, const Language *language,
                         const Vocabulary *vocabulary, Error *error);

#endif
