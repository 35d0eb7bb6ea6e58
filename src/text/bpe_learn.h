/* Learning a vocabulary from text: count the chunks of all texts, then merge the most frequent
 * neighbours again and again. Deterministic: ties break by the pair's spelling, and the order in
 * which texts are added does not matter.
 *
 * The alphabet is every character seen twice or more, at most (size - 260) / 2 of the most
 * frequent; all others are spelt in bytes. A pair that is seen only once is never merged. */
#ifndef REGARD_TEXT_BPE_LEARN_H
#define REGARD_TEXT_BPE_LEARN_H

#include "text/vocabulary.h"

typedef struct BpeLearner BpeLearner;

Status bpe_learner_new(BpeLearner **learner, Error *error);

// Counts the chunks of one normalised text.
Status bpe_learner_add(BpeLearner *learner, const char *text, size_t length, Error *error);

/* Learns a vocabulary of `size` tokens (VOCABULARY_MIN_SIZE … MOST, else STATUS_ARGUMENT) from
 * all that was added; more may be added afterwards and learned again. If the text gives out before,
 * the vocabulary is smaller: the caller compares vocabulary_size and says so. */
Status bpe_learner_finish(BpeLearner *learner, size_t size, Vocabulary **vocabulary, Error *error);

// Frees it; NULL is allowed.
void bpe_learner_free(BpeLearner *learner);

#endif
