/* Posterior link probabilities of one pair in one direction: each of J observed words was said by
 * one of the I words of the other side (its states) or by the null word.
 *
 *     IBM Model 1     p(y, a | x) = ∏_j p(a_j) t(y_j | x_{a_j})
 *                     p(null) = p_0,  p(i) = (1 − p_0) / I
 *     HMM             p(y, a | x) = ∏_j p(a_j | i') t(y_j | x_{a_j})
 *                     p(null | i') = p_0,  p(i | i') = (1 − p_0) (w(i − i') + ε / (I + 1)) / Z_i'
 *                     Z_i' = ε + Σ_{i=1}^{I+1} w(i − i')
 *
 * with i' the last state before j that was not null. States count from 1; the walk starts at 0 and
 * ends with a jump to I + 1 (Brown et al. 1993, "The mathematics of statistical machine
 * translation"; Vogel, Ney & Tillmann 1996, "HMM-based word alignment in statistical translation";
 * the null word and the even share ε = 0.015 of all jumps as in Och & Ney 2003, "A systematic
 * comparison of various statistical alignment models", section 2.1). Without that share a word that
 * moves far, as "yesterday" does to the front, is left to the null word, which needs no jump. Sums
 * are scaled observation by observation, so that long sentences do not underflow. */
#ifndef REGARD_ALIGN_ALIGNER_HMM_H
#define REGARD_ALIGN_ALIGNER_HMM_H

#include "base/status.h"

#include <stddef.h>

// Wider jumps share the weight of the widest.
enum { MAX_JUMP = 20, JUMP_WIDTHS = 2 * MAX_JUMP + 1 };

typedef struct JumpModel {
    double weights[JUMP_WIDTHS]; // w(d) at d + MAX_JUMP; greater than 0, of sum 1
    double null;                 // p_0
} JumpModel;

typedef struct Lattice {
    size_t observations;     // J ≥ 1
    size_t states;           // I ≥ 1
    const double *emissions; // (J, I) t(y_j | x_i)
    const double *null;      // (J) t(y_j | null), greater than 0
} Lattice;

// What a pair tells of the jumps, and how likely it is.
typedef struct HmmCounts {
    double jumps[JUMP_WIDTHS]; // expected number of jumps of each width
    double log_p;              // log p(y | x)
} HmmCounts;

// Memory for the sums. Start from {0}, reuse freely, end with hmm_work_free.
typedef struct HmmWork {
    double *memory;
    size_t capacity;
} HmmWork;

// posteriors (J, I): p(a_j = i | y, x); what is missing from a row's sum to 1 belongs to the null
// word.
void model1_posteriors(double *posteriors, const Lattice *lattice, double null);

/* The same under the HMM, by the forward–backward algorithm. Adds to `counts->jumps` and sets
 * `counts->log_p`. */
Status hmm_posteriors(double *posteriors, HmmCounts *counts, HmmWork *work, const Lattice *lattice,
                      const JumpModel *model, Error *error);

void hmm_work_free(HmmWork *work);

#endif
