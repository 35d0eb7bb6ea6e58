/* The learning rate over a run: linear warm-up to the peak, then inverse-square-root decay (Vaswani
 * et al. 2017, section 5.3), which need not know how long the run will be:
 *
 *     rate(t) = peak · min(t / warmup, √(warmup / t))      t = 1, 2, …
 *
 * or the peak throughout if warmup is 0, as optimisers want it that find rates of their own.
 * And the weight of the alignment loss (layers/alignment_loss.h), which shows attention the way and
 * then leaves it to the translation:
 *
 *     weight(t) = end + (peak − end) · min(1, warmup / t)
 */
#pragma once

#include <math.h>
#include <stdint.h>

// The rate of update t ≥ 1.
static inline double schedule_rate(double peak, uint64_t warmup, uint64_t t)
{
    double w = (double)warmup, update = (double)t;
    return warmup ? peak * fmin(update / w, sqrt(w / update)) : peak;
}

// The guide's weight at update t ≥ 1; warmup 0 is as 1.
static inline double schedule_guide(double peak, double end, uint64_t warmup, uint64_t t)
{
    double w = warmup ? (double)warmup : 1;
    return end + (peak - end) * fmin(1, w / (double)t);
}
