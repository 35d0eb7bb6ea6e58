/* Which pairs go together into a batch, for one epoch.
 *
 * Pairs are shuffled, then sorted by length, so that pairs of like length meet, each time others;
 * then cut into batches and the batches shuffled. A plan is a function of the corpus, the seed and
 * the epoch: a resumed run makes the same. */
#ifndef REGARD_CORPUS_BATCH_PLAN_H
#define REGARD_CORPUS_BATCH_PLAN_H

#include "corpus/token_corpus.h"

typedef struct BatchPlan {
    uint32_t *pairs; // (the corpus' count) batch after batch
    size_t *begin;   // (batches + 1) where each batch begins in pairs
    size_t batches;
} BatchPlan;

/* Batches hold at most batch_tokens tokens, counted for each pair by its longer side; a pair longer
 * than that is a batch of its own. Freed by batch_plan_free. */
Status batch_plan_new(BatchPlan *plan, const TokenCorpus *corpus, size_t batch_tokens,
                      uint64_t seed, uint64_t epoch, Error *error);

void batch_plan_free(BatchPlan *plan);

// The pairs of one batch. Start from {0}, reuse freely, end with batch_pairs_free.
typedef struct BatchPairs {
    TokenPair *items; // (count)
    size_t count, capacity;
} BatchPairs;

// Replaces what is in `pairs` by batch number `batch` of the plan; each pair's number is its place there.
Status batch_pairs_set(BatchPairs *pairs, const BatchPlan *plan, size_t batch,
                       const TokenCorpus *corpus, Error *error);

void batch_pairs_free(BatchPairs *pairs);

#endif
