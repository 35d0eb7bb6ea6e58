/* chrF2 (Popović 2015, 2016) as sacreBLEU 2 computes it: character n-grams to 6, β = 2, white space
 * removed, no word n-grams, averaged over the orders that both sides have. */
#pragma once

#include "metrics/segment.h"

// chrF's sufficient statistics. They add up: a corpus' are the sum of its segments'.
typedef struct ChrfCounts {
    size_t matches[6];    // clipped n-gram matches, n = 1 … 6
    size_t hypothesis[6]; // n-grams in the hypotheses, where the reference has any of that order
    size_t reference[6];  // n-grams in the references
} ChrfCounts;

/* Adds one segment, compared with the reference that gives it the best chrF, the first on a tie. On
 * failure the counts are as they were. */
Status chrf_add(ChrfCounts *counts, const Segment *segment, bool lowercase, Error *error);

// 0 … 100.
double chrf_score(const ChrfCounts *counts);
