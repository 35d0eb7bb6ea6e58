/* Adam (Kingma & Ba 2015, arXiv 1412.6980) over one block of parameters, with clipping by global
 * norm (Pascanu et al. 2013).
 *
 *     m = β₁ m + (1 − β₁) g            v = β₂ v + (1 − β₂) g²
 *     θ = θ − α · m/(1 − β₁ᵗ) / (√(v/(1 − β₂ᵗ)) + ε)
 *
 * or Adadelta (Zeiler 2012, arXiv 1212.5701), of which m and v are the mean squares of Δ and g:
 *
 *     v = β₂ v + (1 − β₂) g²     Δ = √(m + ε) / √(v + ε) · g     m = β₂ m + (1 − β₂) Δ²     θ = θ − α Δ
 *
 * It also keeps a running average of the parameters, θ̄ = θ̄ + (η+1)/(t+η) · (θ − θ̄) with η = 8
 * (Shamir & Zhang 2013, "polynomial-decay averaging"): about the last ninth of the updates, however
 * many there are. It translates better than the parameters themselves, and is what is validated and
 * saved.
 *
 * Both work on ranges of the block in parallel and do not depend on its tensors. Where several
 * ranks train together, each works on its slice alone (slices.h). */
#pragma once

#include "layers/params.h"
#include "train/cluster/gradient_sum.h"
#include "train/cluster/slices.h"

typedef struct OptimiserConstants {
    double beta1, beta2, epsilon;
    double clip_norm; // gradients are clipped to this norm; 0: no clipping
    bool adadelta;    // in Adam's place, with β₁ = 0
} OptimiserConstants;

typedef struct Optimiser {
    OptimiserConstants constants;
    Slices slices;
    GradientSum sum;
    real *first;      // m, of this rank's slice, owned
    real *second;     // v, likewise
    uint64_t steps;   // updates made: t
    real *average;    // θ̄, (size), not owned, finite from the start; NULL for none
    Threads *threads; // not owned
} Optimiser;

/* For blocks of `size` values, by the threads of this rank and of `ranks` (NULL: alone). Freed by
 * optimiser_free, after a failure too. */
Status optimiser_new(Optimiser *optimiser, size_t size, const OptimiserConstants *constants,
                     Threads *threads, Ranks *ranks, Error *error);

void optimiser_free(Optimiser *optimiser);

/* Sums this and all other ranks' gradients (gradient_sum.h): returns the norm, and sets *slice to
 * this rank's slice of the sum, which is gradients[0] where there is one rank. */
static inline double optimiser_sum(Optimiser *optimiser, real *const *gradients, real **slice)
{
    return gradient_sum_run(&optimiser->sum, &optimiser->slices, gradients, slice);
}

/* One update of `values` with learning rate α from the slice of a sum of the given norm: clips by
 * min(1, clip/(norm + 1e-6)), as PyTorch does, then Adam. The norm must be finite. `values`, a
 * whole block, becomes that of all ranks; the average is up to date in this rank's slice. */
void optimiser_step(Optimiser *optimiser, real *values, const real *slice, double norm,
                    double learning_rate);

// Brings the whole average up to date, on all ranks or on rank 0.
static inline void optimiser_gather_average(const Optimiser *optimiser, bool everywhere)
{
    const Slices *slices = &optimiser->slices;
    slices_gather(slices, optimiser->average + slices->begin, optimiser->average, everywhere);
}

// The first tensor that holds a value that is not finite in the sum's slices, or NULL.
const char *optimiser_find_bad(const Optimiser *optimiser, const ParamList *list,
                               const real *slice);
