/* The sum of all workers' gradients, of which each rank gets its slice (slices.h).
 *
 * Sums of floats depend on their order, which is that of a binary tree over all workers: at its
 * first level 0 + 1, 2 + 3, …; at the next (0 + 1) + (2 + 3); and so on. A rank adds up those
 * branches that its own workers make whole, and sends their sums instead of each worker's
 * gradients: one, if its threads are a power of two. The same numbers are added in the same order
 * however workers are divided among ranks; but if what is sent is rounded, what is not sent is not,
 * and the sum depends on how they are divided. */
#ifndef REGARD_TRAIN_GRADIENT_SUM_H
#define REGARD_TRAIN_GRADIENT_SUM_H

#include "train/slices.h"

// The numbers that ranks send each other.
typedef enum GradientType {
    GRADIENT_FLOAT32, // as they are
    GRADIENT_BF16,    // rounded to the nearest, a tie to even; they are added as float32
} GradientType;

extern const char *const gradient_type_names[]; // in this order, then NULL

// Freed by gradient_sum_free.
typedef struct GradientSum {
    GradientType type;
    Threads *threads;        // not owned
    real **parts;            // (workers) of the slice; NULL where another's part has it
    real *received;          // (foreign · slice) parts of other ranks
    size_t own, foreign;     // parts of this rank, and of others
    uint16_t *sent_bf16;     // (own · size) what others receive; NULL unless GRADIENT_BF16
    uint16_t *received_bf16; // (foreign · slice) likewise
    RankMessage *messages;   // room for all of one sum
    double *squares;         // (workers) of each worker's range
} GradientSum;

Status gradient_sum_new(GradientSum *sum, const Slices *slices, GradientType type, Threads *threads,
                        Error *error);

void gradient_sum_free(GradientSum *sum);

/* Sums the gradients: `blocks` are those of this rank's `count` workers, which are overwritten.
 * *slice becomes the sum of this rank's slice. Returns the norm √Σg² of the whole sum, which is not
 * finite if any value is not; its squares are added up by the ranges of workers. `count` is the
 * number of threads; alone, it may be any. */
double gradient_sum_run(GradientSum *sum, const Slices *slices, real *const *blocks, size_t count,
                        real **slice);

#endif
