/* Multi-head scaled dot-product self-attention over the annotations (Vaswani et al. 2017, arXiv
 * 1706.03762, sections 3.1 and 3.2), with its residual and layer norm: a stage between the encoder
 * and the decoder, in which every position of a sentence looks at every other.
 *
 *     Q = W_Q h    K = W_K h    V = W_V h                     head k: d = C/heads columns of each
 *     c_k = softmax(Q_k K_kᵀ / √d) V_k                          over the sentence's own positions
 *     h'  = LayerNorm(h + W_O [c_1 ; … ; c_heads])
 *
 * The projections have no biases. N = tokens of the batch, all matrices sentence-major, without
 * padding: the four projections are one product each over all N rows, and a sentence's heads are
 * products of views, S by S. */
#pragma once

#include "layers/layer_norm.h"
#include "layers/ragged.h"
#include "linalg/product.h"

typedef struct SelfAttentionParams {
    size_t heads;         // divides C; 0 where a model has no self-attention
    Weight query;         // W_Q (C, C)
    Weight key;           // W_K (C, C)
    Weight value;         // W_V (C, C)
    Weight output;        // W_O (C, C)
    LayerNormParams norm; // (C)
} SelfAttentionParams;

typedef struct SelfAttentionGrads {
    Gradient query, key, value, output;
    LayerNormGrads norm;
} SelfAttentionGrads;

// Names query.weight, key.weight, value.weight, output.weight, norm.weight and norm.bias; `width`
// is C.
void self_attention_visit(SelfAttentionParams *params, SelfAttentionGrads *grads,
                          ParamVisitor *visitor, const char *prefix, size_t width, size_t heads);

/* What forward saves for backward, and backward's scratch. */
typedef struct SelfAttentionActs {
    Matrix query;          // (N, C) Q
    Matrix key;            // (N, C) K; backward: its gradient
    Matrix value;          // (N, C) V; backward: its gradient
    Matrix context;        // (N, C) [c_1 ; … ; c_heads]; backward: its gradient
    Matrix normalised;     // (N, C) h + W_O c, then its normalised form
    real *scales;          // (N) of the layer norm
    Matrix annotations;    // (N, C) h'
    real *weights;         // heads × (S, S), sentence by sentence; without backward one sentence's
    size_t *weights_begin; // (B) where each sentence's begin
    Matrix dquery;         // (N, C), with backward only
    real *dweights;        // (longest S)², with backward only
} SelfAttentionActs;

// Takes everything from the arena, with memory for rounded rows.
void self_attention_acts_layout(SelfAttentionActs *acts, Arena *arena, const Ragged *ragged,
                                const SelfAttentionParams *params, bool with_backward);

/* From h (N, C), which has memory for rounded rows, to acts->annotations; h stays as it is. A
 * sentence's products depend on its own length alone, so where rows are exact (linalg/weight.h) its
 * numbers have the same bits in any batch. */
void self_attention_forward(SelfAttentionActs *acts, Matrix h, const Ragged *ragged,
                            const SelfAttentionParams *params);

/* From dannotations (N, C), the gradient of h', which becomes that of h; adds to dparams. h is
 * forward's. */
void self_attention_backward(Matrix dannotations, SelfAttentionGrads *dparams,
                             SelfAttentionActs *acts, Matrix h, const Ragged *ragged,
                             const SelfAttentionParams *params);
