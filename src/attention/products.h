/* What the scorers share whose energies are products of a query and keys, for several heads each
 * with its own columns of both: e_tj = q_tᵀ k_j. */
#ifndef REGARD_ATTENTION_PRODUCTS_H
#define REGARD_ATTENTION_PRODUCTS_H

#include "attention/attention.h"

// AttentionScorer.energies
void products_energies(real *energies, const AttentionRow *row, const AttentionParams *params);

// AttentionScorer.energies_backward: dq = Σ_j de_j k_j and dk_j += de_j q, head by head
void products_backward(real *dquery, Matrix dkeys, AttentionGrads *dparams, real *denergies,
                       const AttentionRow *row, const AttentionParams *params);

/* AttentionScorer.query_forward and .query_backward: queries (n, K), or their gradients, times
 * 1 / √(K/heads), which costs less on a query than on each of its energies. */
void products_scale(Matrix query, const AttentionParams *params);

#endif
