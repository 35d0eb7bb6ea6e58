/* The output layer and the loss on it, a few hundred tokens at a time, so that the (tokens, V)
 * matrix never exists:
 *
 *     logits = E_out r + b_o;   p = softmax(logits)
 *     loss = −Σ_k q_k log p_k,  q = (1 − ε) one-hot(target) + ε/V     (label smoothing, Szegedy et
 * al. 2016)
 *
 * as PyTorch's cross_entropy(label_smoothing=ε), by log-sum-exp. */
#ifndef REGARD_LAYERS_LOSS_H
#define REGARD_LAYERS_LOSS_H

#include "base/arena.h"
#include "layers/linear.h"

#include <stdint.h>

/* Tokens; each chunk but the first reads and writes E_out's whole gradient. A multiple of
 * GEMM_ROWS_PADDED. */
enum { LOSS_CHUNK = 768 };

typedef struct LossActs {
    Matrix logits;  // (min(N, LOSS_CHUNK), V) one chunk
    uint16_t *bf16; // as many: their gradient, if products with E_out are bf16's; else NULL
    real *log_p;    // (N) log-probability of each target, for scores
} LossActs;

// `bf16`: whether a backward pass follows whose products with E_out are packed in bf16.
void loss_acts_layout(LossActs *acts, Arena *arena, size_t tokens, size_t vocabulary,
                      size_t quantum, bool bf16);

/* The sum of the losses of r (N, E) against targets (N); sets acts->log_p. r must have room for
 * rows rounded up to `quantum`. */
double loss_forward(LossActs *acts, Matrix r, const int32_t *targets, const LinearParams *output,
                    real smoothing, size_t quantum);

/* The same, and its backward in the same pass: gradients of scale · (the sum of the losses). Adds
 * to doutput and sets dr (N, E), which may be r. */
double loss_forward_backward(Matrix dr, LinearParams *doutput, LossActs *acts, Matrix r,
                             const int32_t *targets, const LinearParams *output, real smoothing,
                             real scale);

#endif
