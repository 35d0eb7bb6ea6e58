/* Alignment error rate against links made by hand (Och & Ney 2003, "A systematic comparison of
 * various statistical alignment models", section 6):
 *
 *     precision = |A ∩ P| / |A|
 *     recall    = |A ∩ S| / |S|
 *     AER       = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
 *
 * for an alignment A, sure links S and possible links P ⊇ S. The sizes are summed over a corpus
 * before dividing. */
#ifndef REGARD_ALIGN_ERROR_RATE_H
#define REGARD_ALIGN_ERROR_RATE_H

#include "align/links.h"

// The sums over a corpus; adding two gives those of both. Start from {0}.
typedef struct ErrorRateCounts {
    size_t links;         // |A|
    size_t sure;          // |S|
    size_t sure_hits;     // |A ∩ S|
    size_t possible_hits; // |A ∩ P|
} ErrorRateCounts;

// Adds one pair. A sure link counts as possible whether it stands in `possible` or not.
void error_rate_add(ErrorRateCounts *counts, const Links *links, const Links *sure,
                    const Links *possible);

/* All are in 0 … 1. Where nothing was there to divide by nothing went wrong: an alignment without
 * links has precision 1, gold without sure links recall 1, and both at once error rate 0. */
double error_rate_precision(const ErrorRateCounts *counts);
double error_rate_recall(const ErrorRateCounts *counts);
double error_rate(const ErrorRateCounts *counts);

#endif
