#include "metrics/bootstrap.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

/* A random sentence, by one multiplication. The probabilities differ from 1 / count by a relative
 * count / 2^32 at most. */
static size_t draw(Random *random, size_t count)
{
    return (size_t)((uint64_t)random_u32(random) * count >> 32);
}

void bootstrap_resample(Bootstrap *bootstrap, const ScoreStats *sentences, size_t count,
                        uint64_t seed)
{
    assert(count > 0 && count <= UINT32_MAX);
    Random random = random_from(seed, 0);
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
        ScoreStats resample = {0};
        for (size_t i = 0; i < count; i++)
            score_stats_add(&resample, &sentences[draw(&random, count)]);
        for (ScoreMetric metric = 0; metric < SCORE_METRICS; metric++)
            bootstrap->scores[metric][r] = score_stats_score(&resample, metric);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

BootstrapInterval bootstrap_interval(const double scores[BOOTSTRAP_RESAMPLES])
{
    enum { OUTSIDE = BOOTSTRAP_RESAMPLES / 40 }; // 2.5 % at either end
    double sorted[BOOTSTRAP_RESAMPLES];
    memcpy(sorted, scores, sizeof sorted);
    qsort(sorted, BOOTSTRAP_RESAMPLES, sizeof *sorted, by_size);
    return (BootstrapInterval){sorted[OUTSIDE], sorted[BOOTSTRAP_RESAMPLES - 1 - OUTSIDE]};
}

BootstrapComparison bootstrap_compare(const double first[BOOTSTRAP_RESAMPLES],
                                      const double second[BOOTSTRAP_RESAMPLES], double difference)
{
    size_t better = 0, as_far = 0;
    double mean = 0;
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
        better += first[r] > second[r];
        mean += (first[r] - second[r]) / BOOTSTRAP_RESAMPLES;
    }
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++)
        as_far += fabs(first[r] - second[r] - mean) >= fabs(difference);
    return (BootstrapComparison){.difference = difference,
                                 .better = (double)better / BOOTSTRAP_RESAMPLES,
                                 .p = (1 + (double)as_far) / (1 + BOOTSTRAP_RESAMPLES)};
}
