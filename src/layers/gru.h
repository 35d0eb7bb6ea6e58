/* The gated recurrent unit (Cho et al. 2014) in the reset-after form of cuDNN and PyTorch's nn.GRU:
 *
 *     r = σ(W_ir x + b_ir + W_hr h + b_hr)
 *     z = σ(W_iz x + b_iz + W_hz h + b_hz)
 *     n = tanh(W_in x + b_in + r ⊙ (W_hn h + b_hn))
 *     h' = (1 − z) ⊙ n + z ⊙ h
 *
 * The rows of W_i, W_h, b_i, b_h are the gates r, z, n in this order. The input's part (W_i x +
 * b_i) of a whole sequence is one product, made before; a step then needs one product, W_h h. */
#pragma once

#include "layers/params.h"
#include "layers/ragged.h"
#include "linalg/product.h"

typedef struct GruParams {
    Weight weight_ih; // (3H, I)
    Weight weight_hh; // (3H, H)
    real *bias_ih;    // (3H)
    real *bias_hh;    // (3H)
} GruParams;

typedef struct GruGrads {
    Gradient weight_ih;
    Gradient weight_hh;
    real *bias_ih;
    real *bias_hh;
} GruGrads;

typedef struct GruSizes {
    size_t input, hidden; // I, H
} GruSizes;

// Names weight_ih, weight_hh, bias_ih, bias_hh, each followed by `suffix` ("_l0", "_l0_reverse",
// "").
void gru_visit(GruParams *params, GruGrads *grads, ParamVisitor *visitor, const char *prefix,
               const char *suffix, GruSizes sizes);

// What a step for n sentences reads, saves for backward, and needs as scratch.
typedef struct GruStep {
    Matrix h_before; // (rows of products, H)
    Matrix gates;    // (n, 3H) W_i x before the step, then r, z, n; backward: d(W_i x + b_i)
    Matrix hn;       // (n, H) W_hn h + b_hn; backward: its gradient
    Matrix hidden;   // (rows of products, 3H) scratch: W_h h; backward: d(W_h h + b_h)
} GruStep;

/* Sets h (n, H), which may be columns of a wider matrix. The product is over hidden.rows ≥ n
 * rows, which h_before must have memory for. */
void gru_step_forward(Matrix h, const GruStep *step, const GruParams *params);

/* From dh (n, H): sets dh_before (n, H), which may be dh, and turns gates and hn into gradients.
 * The weights' gradients are left to gru_weights_backward, once for all steps. */
void gru_step_backward(Matrix dh_before, Matrix dh, const GruStep *step, const GruParams *params);

/* The recurrent weights' gradients over all steps at once, from what gru_step_backward made of
 * gates (N, 3H) and hn (N, H): with d = d(W_h h + b_h), dweight_hh += dᵀ h_before, dbias_hh += Σ
 * d. h_before (N, H). */
void gru_weights_backward(GruGrads *dparams, Matrix dgates, Matrix dhn, Matrix h_before);

typedef enum GruDirection { GRU_FORWARDS, GRU_BACKWARDS } GruDirection;

// What a run over a ragged batch saves for backward; N = its tokens. All time-major.
typedef struct GruActs {
    const Ragged *ragged; // not owned
    GruDirection direction;
    Matrix x;        // (N, I) the input, not owned
    Matrix h_before; // (N, H) the state each step started from
    Matrix h;        // (N, H) the state it came to; set by the caller, by ragged_take_steps
    Matrix gates;    // (N, 3H)
    Matrix hn;       // (N, H)
    Matrix hidden;   // (B, 3H) scratch of a step
} GruActs;

// Takes everything but x and h from the arena.
void gru_acts_layout(GruActs *acts, Arena *arena, const Ragged *ragged, GruDirection direction,
                     size_t hidden);

/* Runs over acts->x from a state of zeros. Backwards, each sentence starts at its own last token.
 * Results in acts->h. */
void gru_sequence_forward(GruActs *acts, const GruParams *params);

/* From dh (N, H), gradients of every state, which it overwrites: adds to dparams and sets or adds
 * to dx (N, I). */
void gru_sequence_backward(Matrix dx, GruGrads *dparams, Matrix dh, GruActs *acts,
                           const GruParams *params, ProductSum sum);
