/* The output layer and the loss on it:
 *
 *     logits = E_out r + b_o;   p = softmax(logits)
 *     loss = −Σ_k q_k log p_k,  q = (1 − ε) one-hot(target) + ε/V     (label smoothing, Szegedy et
 * al. 2016)
 *
 * as PyTorch's cross_entropy(label_smoothing=ε).
 *
 * The (tokens, V) matrix of logits never exists: they are computed for LOSS_BLOCK outputs at a time,
 * which stay in the cache until they have become exponentials p̃ = exp(logit − c), with a reference c
 * of the row's own. Those are kept, block by block, LOSS_CHUNK rows at a time (in bf16, where products are), for the
 * gradient is a matter of their products: with s = scale / Σ_k p̃_k and e = scale · ε/V,
 *
 *     d logit_k = s p̃_k − e − scale (1 − ε) [k = target]
 *     dr        = s (p̃ E_out) − e Σ_k E_out,k + d_target E_out,target
 *     dE_out    = p̃ᵀ (s r) − e 1 Σ_i r_i       + d_target r at the target's row
 *
 * The sums with e come along as one more row of p̃, all ones. The target's own p̃ is 0 in the
 * products, and its part, where rounding to bf16 would tell most, is added in full precision. */
#ifndef REGARD_LAYERS_LOSS_H
#define REGARD_LAYERS_LOSS_H

#include "base/arena.h"
#include "layers/linear.h"

#include <stdint.h>

enum {
    LOSS_CHUNK =
        12 * GEMM_ROWS_PADDED - 1, // tokens; with the row of ones, whole blocks of a product
    LOSS_BLOCK = 384 // outputs: their logits for a chunk fit the cache; see param_in_blocks
};

// What is known of a row while its logits pass.
typedef struct LossRow {
    real reference; // c
    real sum;       // Σ_k exp(logit_k − c)
    real total;     // Σ_k (logit_k − c)
    real target;    // its logit
} LossRow;

typedef struct LossActs {
    Matrix logits; // (min(N, LOSS_CHUNK), LOSS_BLOCK)
    LossRow *rows; // (min(N, LOSS_CHUNK))
    real *log_p;   // (N) log-probability of each target, for scores
    // with backward only
    size_t room; // rows of a block of p̃: min(N, LOSS_CHUNK) + 1, rounded up
    real *p;     // p̃, a block (room, LOSS_BLOCK or fewer) behind the other; zeros behind its rows
    uint16_t *bf16;         // in its place if products with E_out are bf16's
    uint16_t *r_bf16;       // (min(N, LOSS_CHUNK), E) the chunk of r, converted once for all blocks
    real *scales;           // (min(N, LOSS_CHUNK) + 1) each row's s, and −e N for that of ones
    Matrix scaled;          // (room, E) s r, and −e Σ_i r_i, zeros behind it
    uint16_t *scaled_right; // (room, E) the same, laid out by gemm_right_ready
    Matrix weighted;        // (room, E) p̃ E_out
} LossActs;

typedef enum LossNeeds { LOSS_FORWARD, LOSS_BACKWARD, LOSS_BACKWARD_BF16 } LossNeeds;

// For `tokens` rows of `embedding` numbers; _BF16 if E_out and its gradient are packed in bf16.
void loss_acts_layout(LossActs *acts, Arena *arena, size_t tokens, size_t embedding,
                      size_t vocabulary, size_t row_multiple, LossNeeds needs);

/* The sum of the losses of r (N, E) against targets (N); sets acts->log_p. r must have room for
 * rows rounded up to `row_multiple`. */
double loss_forward(LossActs *acts, Matrix r, const int32_t *targets, const LinearParams *output,
                    real smoothing, size_t row_multiple);

/* The same, and its backward in the same pass: gradients of scale · (the sum of the losses). Adds
 * to doutput and sets dr (N, E), which may be r. */
double loss_forward_backward(Matrix dr, LinearParams *doutput, LossActs *acts, Matrix r,
                             const int32_t *targets, const LinearParams *output, real smoothing,
                             real scale);

#endif
