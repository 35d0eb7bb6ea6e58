/* The sum of all workers' gradients, of which each rank gets its slice (slices.h).
 *
 * Sums of floats depend on their order, which is that of a binary tree over all workers: at its
 * first level 0 + 1, 2 + 3, …; at the next (0 + 1) + (2 + 3); and so on. A rank adds up those
 * branches that its own workers make whole, and sends their sums instead of each worker's
 * gradients: one, if its threads are a power of two. The same numbers are added in the same order
 * however workers are divided among ranks. */
#pragma once

#include "train/cluster/slices.h"

// Freed by gradient_sum_free, after a failure too.
typedef struct GradientSum {
    Threads *threads;      // not owned
    real **parts;          // (workers) of the slice; NULL where another's part has it
    real *received;        // (foreign · slice) parts of other ranks
    RankMessage *messages; // room for all of one sum
    double *squares;       // (workers) of each worker's range
} GradientSum;

Status gradient_sum_new(GradientSum *sum, const Slices *slices, Threads *threads, Error *error);

void gradient_sum_free(GradientSum *sum);

/* Sums the gradients: `blocks` are those of this rank's workers, which are overwritten. *slice
 * becomes the sum of this rank's slice. Returns the norm √Σg² of the whole sum, which is not finite
 * if any value is not; its squares are added up by the ranges of workers. */
double gradient_sum_run(GradientSum *sum, const Slices *slices, real *const *blocks, real **slice);
