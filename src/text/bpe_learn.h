/* Learning a vocabulary by byte-pair encoding: counts the chunks of all texts, then merges the most
 * frequent pair of neighbours again and again. Deterministic: ties break by the pair's spelling,
 * and the order of the texts does not matter.
 *
 * The alphabet is every character seen at least twice, limited to the (size - 260) / 2 most
 * frequent; all others are spelt in bytes. A pair seen only once is never merged. */
#pragma once

#include "text/vocabulary.h"

typedef struct BpeLearner BpeLearner;

Status bpe_learner_new(BpeLearner **learner, Error *error);

// Counts the chunks of one normalised text.
Status bpe_learner_add(BpeLearner *learner, const char *text, size_t length, Error *error);

/* Learns a vocabulary of `size` tokens (VOCABULARY_MIN_SIZE … VOCABULARY_MAX_SIZE, else
 * STATUS_ARGUMENT) from all added texts; more may be added afterwards and learned again. Too little
 * text gives a smaller vocabulary: the caller compares vocabulary_size. */
Status bpe_learner_finish(BpeLearner *learner, size_t size, Vocabulary **vocabulary, Error *error);

// Frees it; NULL is allowed.
void bpe_learner_free(BpeLearner *learner);
FREES_POINTER(BpeLearner, bpe_learner_free)
