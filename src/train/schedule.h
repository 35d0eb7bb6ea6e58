/* The learning rate over a run: linear warm-up to the highest, then falling with the square root of the updates made
 * (Vaswani et al. 2017, section 5.3), which needs no knowledge of how long the run will be:
 *
 *     rate(t) = highest · min(t / warmup, √(warmup / t))      t = 1, 2, …
 */
#ifndef REGARD_TRAIN_SCHEDULE_H
#define REGARD_TRAIN_SCHEDULE_H

#include <stdint.h>

// The rate of update t ≥ 1; warmup 0 is as 1.
double schedule_rate(double highest, uint64_t warmup, uint64_t t);

#endif
