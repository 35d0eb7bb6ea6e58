/* The gated recurrent unit (Cho et al. 2014) in the reset-after form of cuDNN and PyTorch's nn.GRU:
 *
 *     r = σ(W_ir x + b_ir + W_hr h + b_hr)
 *     z = σ(W_iz x + b_iz + W_hz h + b_hz)
 *     n = tanh(W_in x + b_in + r ⊙ (W_hn h + b_hn))
 *     h' = (1 − z) ⊙ n + z ⊙ h
 *
 * The rows of W_i, W_h, b_i, b_h are the gates r, z, n in this order. The input's part (W_i x +
 * b_i) of a whole sequence is one product, made before; a step then needs one product, W_h h. */
#ifndef REGARD_LAYERS_GRU_H
#define REGARD_LAYERS_GRU_H

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

/* One step for n sentences. gates (n, 3H) holds W_i x and becomes r, z, n; hn (n, H) is set
 * to W_hn h + b_hn; both are what backward needs beside the two states. `hidden` (≥ n, 3H) is
 * scratch. h (n, H) may be columns of a wider matrix. The product is over hidden.rows rows (≥ n;
 * see gemm_row_multiple), so h_before must have room for as many. */
void gru_step_forward(Matrix h, Matrix gates, Matrix hn, Matrix hidden, Matrix h_before,
                      const GruParams *params);

/* Its backward for n sentences. From dh (n, H): gates becomes d(W_i x + b_i), hn becomes
 * d(W_hn h + b_hn), and dh_before (n, H) is set to the gradient of h_before; dh_before may be dh.
 * `hidden` (n, 3H) is scratch: d(W_h h + b_h), which for r and z is the same as that of W_i x + b_i.
 * The weights' gradients are left to gru_weights_backward, once for all steps. */
void gru_step_backward(Matrix gates, Matrix hidden, Matrix dh_before, Matrix dh, Matrix hn,
                       Matrix h_before, const GruParams *params);

/* The recurrent weights' gradients over all steps at once, from what gru_step_backward made of gates
 * (N, 3H) and hn (N, H): with d = d(W_h h + b_h), dweight_hh += dᵀ h_before, dbias_hh += Σ d.
 * h_before (N, H). */
void gru_weights_backward(GruGrads *dparams, Matrix dgates, Matrix dhn, Matrix h_before);

typedef enum GruDirection { GRU_FORWARDS, GRU_BACKWARDS } GruDirection;

// What a run over a ragged batch saves for backward; N = its tokens. All time-major.
typedef struct GruActs {
    Matrix x;        // (N, I) the input, not owned
    Matrix h_before; // (N, H) the state each step started from
    Matrix h;        // (N, H) the state it came to
    Matrix gates;    // (N, 3H)
    Matrix hn;       // (N, H)
    Matrix hidden;   // (B, 3H) scratch of a step
} GruActs;

// Takes everything but x from the arena.
void gru_acts_layout(GruActs *acts, Arena *arena, const Ragged *ragged, size_t hidden);

/* Runs over acts->x from a state of zeros. Backwards, each sentence starts at its own last token.
 * Results in acts->h. */
void gru_sequence_forward(GruActs *acts, const Ragged *ragged, GruDirection direction,
                          const GruParams *params);

/* From dh (N, H), gradients of every state, which it overwrites: adds to dparams and sets or adds
 * to dx (N, I). */
void gru_sequence_backward(Matrix dx, GruGrads *dparams, Matrix dh, GruActs *acts,
                           const Ragged *ragged, GruDirection direction, const GruParams *params,
                           ProductSum sum);

#endif
