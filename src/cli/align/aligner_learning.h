// Learns the aligner of `regard align` without --model from the pairs to align, which it keeps.
#ifndef REGARD_CLI_ALIGN_ALIGNER_LEARNING_H
#define REGARD_CLI_ALIGN_ALIGNER_LEARNING_H

#include "align/aligner.h"
#include "cli/align/align.h"
#include "cli/pairs.h"

// Texts in memory. Start from {0}, end with kept_pairs_free.
typedef struct KeptPairs {
    Bytes texts;  // source after target after source
    size_t *ends; // (2 · pairs) where each text ends
    size_t ends_capacity;
    size_t pairs;
} KeptPairs;

/* Reads the pairs of a file and those of --train, and learns from all of them, and from the links of
 * --prior; keeps those of the file. Shows its progress on a terminal. After a failure there is no
 * aligner to free. */
Status aligner_learn_pairs(Aligner *aligner, KeptPairs *kept, const AlignValues *values,
                           const char *file, Threads *threads, Error *error);

// Calls `take` for each window of the pairs, as read_pairs does.
Status kept_pairs_take(const KeptPairs *kept, TakePairs take, void *context, Error *error);

void kept_pairs_free(KeptPairs *kept);

#endif
