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

enum {
    LOSS_CHUNK = 256
}; // tokens; larger gives nothing, smaller re-reads E_out's gradient too often

typedef struct LossActs {
    Matrix logits; // (min(N, LOSS_CHUNK), V) one chunk
    real *log_p;   // (N) log-probability of each target, for scores
} LossActs;

void loss_acts_layout(LossActs *acts, Arena *arena, size_t tokens, size_t vocabulary,
                      size_t quantum);

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
