/* What scaled-dot and multi-head attention share: the projections of Vaswani et al. 2017.
 *
 *     q_t = W_q s_{t-1} / √(A/heads)      k_j = W_k h_j      v_j = W_v h_j
 */
#ifndef REGARD_ATTENTION_PROJECTIONS_H
#define REGARD_ATTENTION_PROJECTIONS_H

#include "attention/attention.h"

// Names query.weight (A, D), key.weight (A, 2H) and value.weight (2H, 2H).
void projections_visit(AttentionParams *params, AttentionGrads *grads, ParamVisitor *visitor,
                       const char *prefix, const AttentionSizes *sizes);

// AttentionScorer.memory_forward: all keys and all values, one product each.
void projections_forward(AttentionMemory *memory, size_t rows, const AttentionParams *params);

// AttentionScorer.memory_backward
void projections_backward(AttentionMemoryGrads *dmemory, AttentionGrads *dparams,
                          const AttentionMemory *memory, const AttentionParams *params);

// Sets step->query, scaled, from s_before (rows of products, D).
void projections_query_forward(AttentionStep *step, Matrix s_before, const AttentionParams *params);

/* Makes step->dquery, of the scaled query, that of W_q s_{t-1}, and adds to ds_before (n, D). */
void projections_query_backward(Matrix ds_before, AttentionStep *step,
                                const AttentionParams *params);

#endif
