/* What the scorers share whose energies are products of a query and keys (dot, general, scaled-dot,
 * multi-head): everything but how these come about.
 *
 *     e_tj = q_tᵀ k_j,  for several heads each with its own columns of both
 */
#ifndef REGARD_ATTENTION_PRODUCTS_H
#define REGARD_ATTENTION_PRODUCTS_H

#include "attention/attention.h"

// AttentionScorer.energies
void products_energies(real *energies, const real *query, const AttentionMemory *memory,
                       uint32_t sentence, const AttentionParams *params);

// From step->query: sets alpha and mixed.
void products_forward(AttentionStep *step, const AttentionMemory *memory,
                      const AttentionParams *params);

// From step->dmixed and ->dalpha: sets step->dquery, adds to dkeys.
void products_backward(AttentionMemoryGrads *dmemory, AttentionStep *step,
                       const AttentionMemory *memory, const AttentionParams *params);

#endif
