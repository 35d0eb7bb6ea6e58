/* The pairs of neighbouring subwords in a text: how often and where each occurs, by frequency.
 *
 * Counts are weighted: an occurrence in a chunk seen n times counts n. A pair's list may name
 * places that it has left since, so users check each place. */
#ifndef REGARD_TEXT_SUBWORD_PAIRS_H
#define REGARD_TEXT_SUBWORD_PAIRS_H

#include "base/status.h"
#include "text/pair_map.h"
#include "text/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAIR_NOWHERE UINT32_MAX

typedef struct SubwordPair {
    int32_t left;
    int32_t right;
    uint64_t count;
    uint64_t queued;      // the priority it is queued with, 0 if it is not
    int64_t rank;         // of the rule that merges it, -1 if there is none
    uint32_t first, last; // of its occurrences, or PAIR_NOWHERE
    bool changed;         // its count rose since it was queued
    bool refused;         // it may not be merged
} SubwordPair;

typedef struct PairOccurrence {
    uint32_t place; // of the left subword
    uint32_t next;  // occurrence of the same pair, or PAIR_NOWHERE
} PairOccurrence;

typedef struct QueuedPair {
    uint64_t priority;
    uint32_t pair;
} QueuedPair;

// Start with the vocabulary, whose spellings break ties, and all else 0; end with
// subword_pairs_free.
typedef struct SubwordPairs {
    const Vocabulary *vocabulary;
    PairMap index;      // (left, right) → index into `pairs`
    SubwordPair *pairs; // (pair_count)
    size_t pair_count, pair_capacity;
    PairOccurrence *occurrences; // (occurrence_count)
    size_t occurrence_count, occurrence_capacity;
    uint32_t *changed; // (changed_count) pairs to queue
    size_t changed_count, changed_capacity;
    QueuedPair *queue; // (queue_count) a heap; the first comes next
    size_t queue_count, queue_capacity;
} SubwordPairs;

// Adds an occurrence of a pair at `place`, which counts `weight`.
Status subword_pairs_add(SubwordPairs *counts, int32_t left, int32_t right, uint64_t weight,
                         uint32_t place, Error *error);

// Subtracts `weight` from the count of a pair that was added.
void subword_pairs_subtract(SubwordPairs *counts, int32_t left, int32_t right, uint64_t weight);

// Queues all pairs whose counts rose; call it before subword_pairs_next.
Status subword_pairs_queue(SubwordPairs *counts, Error *error);

/* Takes the pair to merge next from the queue, or NULL if none is left: first pairs that have a
 * rule already, the earliest rule first; then the most frequent pair, ties by the left and then the
 * right subword's spelling. */
SubwordPair *subword_pairs_next(SubwordPairs *counts);

void subword_pairs_free(SubwordPairs *counts);

#endif
