/* Texts of one word are looked up rather than guessed: a model that has learned sentences makes one of
 * "Price" (Le riz), while its aligner knows what the word stands for elsewhere (align/senses.h). */
#ifndef REGARD_TRANSLATE_DICTIONARY_H
#define REGARD_TRANSLATE_DICTIONARY_H

#include "align/aligner.h"
#include "base/bytes.h"

/* Whether the text, in normal form, is one word: letters alone. */
bool dictionary_is_word(TextView text);

/* Appends what the word is translated by, and sets *share to how often, if the aligner is surer of it than the model, which has said
 * `said` with a probability of `said_p` for each subword: the sense that it has most, of a share of at
 * least 0.3 and more than said_p, in the case of the word's letters; nothing if `said` is that word, with
 * one other at most. */
Status dictionary_find(Bytes *answer, double *share, const Aligner *aligner, TextView word,
                       TextView said, double said_p, Error *error);

#endif
