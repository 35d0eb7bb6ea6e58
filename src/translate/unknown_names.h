/* Names that a model cannot know, and that stay as they are: in "Mr. Lindqvist lives in Osaka." both, or either
 * that is not in the vocabulary.
 *
 * A name is a word with a capital at its beginning, but not at the beginning of a sentence, where every word has
 * one, unless another follows that is no more known ("Ingrid Solberg"). It is unknown if it has three subwords or
 * more. In capitals or title case (text/letter_case.h) and in German, whose nouns have capitals, there are none.
 */
#ifndef REGARD_TRANSLATE_UNKNOWN_NAMES_H
#define REGARD_TRANSLATE_UNKNOWN_NAMES_H

#include "text/spans.h"
#include "text/vocabulary.h"

/* Adds the names of a sentence to `spans`, those that stay as they are anyway. `language` is that of
 * text/language.h. On failure nothing is added. */
Status unknown_names_add(Spans *spans, const char *text, size_t length, size_t language,
                         const Vocabulary *vocabulary, Error *error);

#endif
