/* Local SGD (--sync-every N; Stich 2019, "Local SGD converges fast and communicates little", ICLR):
 * each rank makes N steps of Adam by itself, with the gradients of its own part of each batch times
 * the number of ranks, whose mean over ranks is the gradient of the batch. Then the parameters of
 * all ranks are averaged.
 *
 * So are Adam's moments m and v, as means of what each rank has seen: all ranks go on from the same
 * state, which a checkpoint holds once. The running average takes in the averaged parameters alone,
 * with the weight of all steps since the last time (optimiser_average). */
#ifndef REGARD_TRAIN_LOCAL_STEPS_H
#define REGARD_TRAIN_LOCAL_STEPS_H

#include "train/optimiser.h"

// Freed by local_steps_free.
typedef struct LocalSteps {
    Ranks *ranks;     // not owned; NULL: no rank makes steps by itself
    Threads *threads; // one: each rank is one worker of the sum
    Slices slices;
    GradientSum sum;
} LocalSteps;

// For blocks of `size` values.
Status local_steps_new(LocalSteps *local, size_t size, Ranks *ranks, Error *error);

void local_steps_free(LocalSteps *local); // also of {0}

/* Averages the parameters `values` and the moments of all ranks, added up in a fixed order, and
 * lets the running average take them in. The optimiser is one that works alone and defers its
 * average. */
void local_steps_synchronise(LocalSteps *local, Optimiser *optimiser, real *values);

#endif
