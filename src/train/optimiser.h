/* Adam (Kingma & Ba 2015, arXiv 1412.6980) over one block of parameters, with clipping by global
 * norm (Pascanu et al. 2013).
 *
 *     m = β₁ m + (1 − β₁) g            v = β₂ v + (1 − β₂) g²
 *     θ = θ − α · m/(1 − β₁ᵗ) / (√(v/(1 − β₂ᵗ)) + ε)
 *
 * It also keeps a running average of the parameters, θ̄ = θ̄ + (η+1)/(t+η) · (θ − θ̄) with η = 8
 * (Shamir & Zhang 2013, "polynomial-decay averaging"): about the last ninth of the updates, however
 * many there are. It translates better than the parameters themselves, and is what is validated and
 * saved.
 *
 * Both work on ranges of the block in parallel and do not depend on its tensors. */
#ifndef REGARD_TRAIN_OPTIMISER_H
#define REGARD_TRAIN_OPTIMISER_H

#include "base/threads.h"
#include "layers/params.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct AdamOptions {
    double beta1, beta2, epsilon;
    double clip_norm; // gradients are clipped to this norm; 0: no clipping
} AdamOptions;

typedef struct Optimiser {
    AdamOptions options;
    real *first;      // m, (size), owned
    real *second;     // v, (size), owned
    size_t size;      // values in a block
    uint64_t steps;   // updates made: t
    real *average;    // θ̄, (size), not owned, finite from the start; NULL for none
    double *partial;  // (threads) scratch of the norm
    Threads *threads; // not owned
} Optimiser;

Status optimiser_new(Optimiser *optimiser, size_t size, const AdamOptions *options,
                     Threads *threads, Error *error);

void optimiser_free(Optimiser *optimiser);

/* gradients[0] += gradients[1] + … + gradients[count − 1], blocks of shards, in this order.
 * Returns the norm √Σg² of the sum, which is not finite if any value is not. */
double optimiser_sum(Optimiser *optimiser, real *const *gradients, size_t count);

/* One update of `values` from `gradients` of the given norm with learning rate α: clips by min(1,
 * clip/(norm + 1e-6)), as PyTorch does, then Adam. The norm must be finite. */
void optimiser_step(Optimiser *optimiser, real *values, const real *gradients, double norm,
                    double learning_rate);

// The first tensor of a block that holds a value that is not finite, or NULL.
const char *optimiser_find_bad(const ParamList *list, const real *block);

#endif
