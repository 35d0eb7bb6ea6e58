// `regard align --suspicious`: the pairs that are least likely to be translations of each other.
#ifndef REGARD_CLI_ALIGN_SUSPICIOUS_H
#define REGARD_CLI_ALIGN_SUSPICIOUS_H

#include "cli/output.h"

typedef struct SuspiciousPair {
    double score;  // aligner_score
    size_t number; // of the pair, from 1
    Bytes texts;   // source and target, one behind the other
    size_t source_length;
} SuspiciousPair;

/* The pairs with the lowest scores so far. Start from {.limit = N}, N ≥ 1, end with
 * suspicious_free. */
typedef struct Suspicious {
    size_t limit;
    SuspiciousPair *items; // (count) a heap: none has a higher score than the first
    size_t count, capacity;
} Suspicious;

Status suspicious_add(Suspicious *suspicious, double score, size_t number, const TextView texts[2],
                      Error *error);

/* Writes them, the lowest score first, a line each:
 *
 *     17 <TAB> -0.4312 <TAB> source <TAB> target
 *
 * or {"pair": 17, "score": -0.4312, "source": "…", "target": "…"}. */
Status suspicious_write(Suspicious *suspicious, bool json, Output *output, Error *error);

void suspicious_free(Suspicious *suspicious);

#endif
