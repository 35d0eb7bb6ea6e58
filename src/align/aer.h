/* Alignment error rate against manual alignments (Och & Ney 2003, "A systematic comparison of
 * various statistical alignment models", section 6):
 *
 *     precision = |A ∩ P| / |A|
 *     recall    = |A ∩ S| / |S|
 *     AER       = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
 *
 * for an alignment A, sure links S and possible links P ⊇ S. The sizes are summed over a corpus
 * before dividing. */
#ifndef REGARD_ALIGN_AER_H
#define REGARD_ALIGN_AER_H

#include "align/links.h"

// Sums over a corpus. Start from {0}.
typedef struct AerCounts {
    size_t links;         // |A|
    size_t sure;          // |S|
    size_t sure_hits;     // |A ∩ S|
    size_t possible_hits; // |A ∩ P|
} AerCounts;

// Adds one pair. A sure link counts as possible whether it stands in `possible` or not.
void aer_add(AerCounts *counts, const Links *links, const Links *sure, const Links *possible);

/* All in 0 … 1. An alignment without links has precision 1, a gold alignment without sure links
 * recall 1, and both together AER 0. */
double aer_precision(const AerCounts *counts);
double aer_recall(const AerCounts *counts);
double aer(const AerCounts *counts);

#endif
