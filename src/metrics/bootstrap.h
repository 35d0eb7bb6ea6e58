/* How sure a score is, and whether one system is really better than another: bootstrap resampling
 * (Koehn 2004, "Statistical significance tests for machine translation evaluation").
 *
 * A resample draws as many sentences as the corpus has, with replacement, and is scored like a
 * corpus. Because the counts behind BLEU and chrF2 add up, a resample costs one addition of counts
 * for each sentence; no text is read again.
 *
 * Compared with sacreBLEU 2: the number of resamples and the interval are the same (the 25 scores
 * at either end are left out; it prints the mean and half the interval's width, here both ends are
 * given). Its random numbers are NumPy's, these are Philox's, so the ends differ by the noise that
 * 1,000 resamples leave. The paired p differs on purpose: sacreBLEU centres the absolute
 * differences, which makes two identical systems differ with p = 0.001; see bootstrap_compare. */
#ifndef REGARD_METRICS_BOOTSTRAP_H
#define REGARD_METRICS_BOOTSTRAP_H

#include "metrics/tally.h"

#include <stdint.h>

enum { BOOTSTRAP_RESAMPLES = 1000, BOOTSTRAP_SEED = 12345 };

// The resamples' scores, in the order in which they were drawn: 16 KB.
typedef struct Bootstrap {
    double scores[TALLY_METRICS][BOOTSTRAP_RESAMPLES];
} Bootstrap;

typedef struct BootstrapInterval {
    double lower, upper;
} BootstrapInterval;

typedef struct BootstrapComparison {
    double difference; // first − second, of the corpora as they are
    double better;     // the share of resamples in which the first scores higher, 0 … 1
    double p;          // how often chance alone makes such a difference, in either direction
} BootstrapComparison;

/* Draws and scores the resamples of `count` sentences, 1 … 2^32 - 1. The draws depend on `seed` and
 * `count` alone, so two systems' sentences in the same order give the same resamples of both:
 * pairs. */
void bootstrap_resample(Bootstrap *bootstrap, const Tally *sentences, size_t count, uint64_t seed);

// The middle 95 %: of 1,000 scores in order, number 25 to number 974, counted from 0.
BootstrapInterval bootstrap_interval(const double scores[BOOTSTRAP_RESAMPLES]);

/* Compares two systems by paired resamples; `difference` is that of the whole corpora, first −
 * second. The resamples' differences, moved so that their mean is 0, are what chance would give
 * were both systems equally good (Riezler & Maxwell 2005): p = (1 + how many of them are at least
 * as far from 0 as `difference`) / (1 + resamples). */
BootstrapComparison bootstrap_compare(const double first[BOOTSTRAP_RESAMPLES],
                                      const double second[BOOTSTRAP_RESAMPLES], double difference);

#endif
