/* Which pairs form a batch, for one epoch.
 *
 * Pairs are shuffled and sorted by length, so that each epoch groups other pairs of like length;
 * then they are cut into batches and the batches are shuffled. A plan depends only on the corpus,
 * the seed and the epoch, so a resumed run makes the same one.
 *
 * Of pairs that are mixed in (TokenCorpus.mixed) an epoch has corpus->drawn. They are dealt like
 * cards: shuffled, so many to each epoch in turn, and shuffled again when none are left, so that
 * each is drawn as often as any other, give or take once. */
#pragma once

#include "corpus/token_corpus.h"

typedef struct BatchPlan {
    uint32_t *pairs; // (all pairs of the epoch) batch after batch
    size_t *begin;   // (batches + 1) where each batch begins in pairs
    size_t batches;
} BatchPlan;

/* A batch has at most batch_tokens tokens, counted by each pair's longer side; a longer pair is a
 * batch of its own. Freed by batch_plan_free. */
Status batch_plan_new(BatchPlan *plan, const TokenCorpus *corpus, size_t batch_tokens,
                      uint64_t seed, uint64_t epoch, Error *error);

void batch_plan_free(BatchPlan *plan);

// The pairs of one batch. Start from {0}, reuse freely, end with batch_pairs_free.
typedef struct BatchPairs {
    TokenPair *items; // (count)
    size_t count, capacity;
    char *copies; // of the pairs, if the corpus is in a file
    size_t copies_capacity;
} BatchPairs;

/* Replaces `pairs` by batch `batch` of the plan; each pair's number is its place in the batch. From
 * a file the batch is read, and the system is asked to fetch the one after it meanwhile. */
Status batch_pairs_set(BatchPairs *pairs, const BatchPlan *plan, size_t batch,
                       const TokenCorpus *corpus, Error *error);

void batch_pairs_free(BatchPairs *pairs);
