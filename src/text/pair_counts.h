/* How often each pair of neighbouring subwords occurs in a text, and where, with the most frequent
 * one at hand.
 *
 * Counts are weighted: an occurrence in a chunk that was seen n times counts n. A pair's list of
 * places may name some where the pair has gone since; whoever walks it looks again. */
#ifndef REGARD_TEXT_PAIR_COUNTS_H
#define REGARD_TEXT_PAIR_COUNTS_H

#include "base/status.h"
#include "text/pair_map.h"
#include "text/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAIR_NOWHERE UINT32_MAX

typedef struct PairCount {
    int32_t left;
    int32_t right;
    uint64_t count;
    uint64_t queued; // the priority it waits with, 0 if it does not
    int64_t rank;    // of the rule that joins it, -1 if there is none
    uint32_t first;  // its list of occurrences, or PAIR_NOWHERE
    uint32_t last;
    bool changed; // its count rose since it was queued
    bool refused; // never comes up again
} PairCount;

typedef struct PairOccurrence {
    uint32_t place; // of the left subword
    uint32_t next;  // the next one of the same pair, or PAIR_NOWHERE
} PairOccurrence;

typedef struct PairWaiting {
    uint64_t priority;
    uint32_t pair;
} PairWaiting;

// Start with the vocabulary set, whose spellings break ties, and all else 0; end with
// pair_counts_free.
typedef struct PairCounts {
    const Vocabulary *vocabulary;
    PairMap index;    // (left, right) → place in `pairs`
    PairCount *pairs; // (pair_count)
    size_t pair_count, pair_capacity;
    PairOccurrence *occurrences; // (occurrence_count)
    size_t occurrence_count, occurrence_capacity;
    uint32_t *changed; // (changed_count) pairs to be queued
    size_t changed_count, changed_capacity;
    PairWaiting *queue; // (queue_count) a heap, the first is the next
    size_t queue_count, queue_capacity;
} PairCounts;

// Counts `weight` more of a pair, at `place`.
Status pair_counts_add(PairCounts *counts, int32_t left, int32_t right, uint64_t weight,
                       uint32_t place, Error *error);

// Counts `weight` fewer of a pair that was added.
void pair_counts_subtract(PairCounts *counts, int32_t left, int32_t right, uint64_t weight);

// Queues all pairs whose counts rose. To be called before pair_counts_next.
Status pair_counts_queue(PairCounts *counts, Error *error);

/* The pair to be joined next, or NULL if none is left: first pairs that have a rule already, the
 * earliest rule first; then the most frequent pair, ties in the order of the left and then the
 * right subword's spelling. It waits no longer until its count rises again. */
PairCount *pair_counts_next(PairCounts *counts);

void pair_counts_free(PairCounts *counts);

#endif
