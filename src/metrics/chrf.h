/* chrF2 (Popović 2015, 2016) as sacreBLEU 2 computes it: character n-grams to 6, β = 2, white space
 * removed, no word n-grams, averaged over the orders that both sides have. */
#ifndef REGARD_METRICS_CHRF_H
#define REGARD_METRICS_CHRF_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

// The sums over a corpus; adding two gives those of both, so that one can resample sentences.
typedef struct ChrfCounts {
    size_t matches[6];    // clipped n-gram matches, n = 1 … 6
    size_t hypothesis[6]; // n-grams in the hypotheses, where the reference has any of that order
    size_t reference[6];  // n-grams in the references
} ChrfCounts;

/* Adds one sentence. Texts are UTF-8 (invalid parts read as U+FFFD); `references` has `count` ≥ 1
 * strings, of which the one with the best chrF for this sentence counts, the first on a tie. Empty
 * references are left out unless all are. On failure the counts are as they were. */
Status chrf_add(ChrfCounts *counts, const char *hypothesis, const char *const *references,
                size_t count, bool lowercase, Error *error);

// 0 … 100.
double chrf_score(const ChrfCounts *counts);

#endif
