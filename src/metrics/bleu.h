/* BLEU (Papineni et al. 2002) as sacreBLEU 2 computes it (Post 2018): n-grams to 4, exponential
 * smoothing, the closest reference length, no effective order. */
#pragma once

#include "metrics/segment.h"
#include "metrics/tokenizer.h"

// BLEU's sufficient statistics. They add up: a corpus' are the sum of its segments'.
typedef struct BleuCounts {
    size_t matches[4]; // clipped n-gram matches, n = 1 … 4
    size_t totals[4];  // n-grams in the hypotheses
    size_t hypothesis_length;
    size_t reference_length; // of each segment's closest reference, the shorter on a tie
} BleuCounts;

// Adds one segment. On failure the counts are as they were.
Status bleu_add(BleuCounts *counts, const Segment *segment, BleuTokenizer tokenizer, bool lowercase,
                Error *error);

// 0 … 100.
double bleu_score(const BleuCounts *counts);

/* p_n of the score, n = 1 … 4, between 0 and 1, smoothed where no n-gram matches; all are 0 without
 * any match, and those of orders that no hypothesis is long enough for. */
void bleu_precisions(double precisions[4], const BleuCounts *counts);

double bleu_brevity_penalty(const BleuCounts *counts);
