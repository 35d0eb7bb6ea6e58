/* The uncertainty of a score, and whether one system is really better than another, by bootstrap
 * resampling (Koehn 2004, "Statistical significance tests for machine translation evaluation").
 *
 * A resample draws as many sentences as the corpus has, with replacement, and is scored like a
 * corpus. The statistics behind BLEU and chrF2 add up, so a resample costs one addition for each
 * sentence; no text is read again.
 *
 * As in sacreBLEU 2 there are 1,000 resamples, of which the 25 lowest and highest scores are left
 * out of the interval; sacreBLEU prints its mean and half its width, here both ends are given. Its
 * random numbers are NumPy's, these are Philox's, so the ends differ by the noise of 1,000
 * resamples. The paired p differs on purpose: sacreBLEU centres the absolute differences, so that
 * two identical systems differ with p = 0.001; see bootstrap_compare. */
#pragma once

#include "metrics/score_stats.h"

enum { BOOTSTRAP_RESAMPLES = 1000, BOOTSTRAP_SEED = 12345 };

// The resamples' scores in the order drawn, 16 KB.
typedef struct Bootstrap {
    double scores[SCORE_METRICS][BOOTSTRAP_RESAMPLES];
} Bootstrap;

typedef struct BootstrapInterval {
    double lower, upper;
} BootstrapInterval;

typedef struct BootstrapComparison {
    double difference; // of the corpora's scores, first − second
    double better;     // share of the resamples in which the first scores higher, 0 … 1
    double p;          // probability of such a difference by chance, in either direction
} BootstrapComparison;

/* Draws and scores the resamples of `count` sentences, 1 … 2^32 - 1. The draws depend only on
 * `seed` and `count`, so two systems' sentences in the same order give paired resamples. */
void bootstrap_resample(Bootstrap *bootstrap, const ScoreStats *sentences, size_t count,
                        uint64_t seed);

// The middle 95 %: of the 1,000 sorted scores, number 25 and number 974, counted from 0.
BootstrapInterval bootstrap_interval(const double scores[BOOTSTRAP_RESAMPLES]);

/* Compares two systems by paired resamples; `difference` is that of the corpora's scores, first −
 * second. The resamples' differences, shifted to mean 0, are what chance gives if both systems are
 * equally good (Riezler & Maxwell 2005): p = (1 + how many of them are at least as far from 0 as
 * `difference`) / (1 + resamples). */
BootstrapComparison bootstrap_compare(const double first[BOOTSTRAP_RESAMPLES],
                                      const double second[BOOTSTRAP_RESAMPLES], double difference);
