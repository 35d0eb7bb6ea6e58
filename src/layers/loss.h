/* The output layer and the loss on it:
 *
 *     logits = E_out r + b_o;   p = softmax(logits)
 *     loss = −Σ_k q_k log p_k,  q = (1 − ε) one-hot(target) + ε/V
 *
 * with label smoothing ε (Szegedy et al. 2016), as PyTorch's cross_entropy(label_smoothing=ε).
 *
 * The (tokens, V) matrix of logits never exists: they are computed for LOSS_BLOCK outputs at a
 * time, which stay in the cache until they have become exponentials p̃ = exp(logit − c), with a
 * reference c for each row. For backward those are kept, LOSS_CHUNK rows at a time, as an operand
 * of products: with s = scale / Σ_k p̃_k and e = scale · ε/V,
 *
 *     d logit_k = s p̃_k − e − scale (1 − ε) [k = target]
 *     dr        = s (p̃ E_out) − e Σ_k E_out,k + d_target E_out,target
 *     dE_out    = p̃ᵀ (s r) − e 1 Σ_i r_i       + d_target r at the target's row
 *
 * R-Drop (Liang et al. 2021, arXiv 2106.14448) sees each token twice, under different dropout, and also
 * draws the two distributions P and Q together: to both losses it adds
 *
 *     α/2 · (KL(P‖Q) + KL(Q‖P))                   KL(P‖Q) = Σ_k p_k log (p_k / q_k)
 *
 * whose gradient by P's logits is α/2 · (p_k (log (p_k / q_k) − KL(P‖Q)) + p_k − q_k), and by Q's the same
 * with P and Q exchanged. Both are added to the kept p̃ before the products.
 *
 * The sums with e come from one more row of p̃, all ones. In the products the target's own p̃ is
 * 0; its part, which rounding to bf16 would affect most, is added in full precision. */
#pragma once

#include "base/arena.h"
#include "layers/linear.h"
#include "layers/ragged.h"

enum {
    LOSS_CHUNK = 12 * OPERAND_ROWS - 1, // tokens: with the row of ones, whole blocks of a product
    LOSS_BLOCK = 384 // outputs: their logits for a chunk fit the cache; see param_use
};

// What is known of a row while its logits are computed, block by block.
typedef struct LossRow {
    real reference; // c
    real sum;       // Σ_k exp(logit_k − c)
    real total;     // Σ_k (logit_k − c)
    real target;    // its logit; from chunk_backward on its p̃, then d_target
} LossRow;

typedef struct LossActs {
    Matrix logits;       // (min(N, LOSS_CHUNK), LOSS_BLOCK)
    LossRow *rows;       // (min(N, LOSS_CHUNK))
    real *log_p;         // (N) log-probability of each target, for scores
    double divergence;   // what R-Drop adds, over all tokens; set with backward
    size_t row_multiple; // of products; 1 for backward
    // with backward only
    size_t capacity; // rows of a block of p̃: min(N, LOSS_CHUNK) + 1, padded
    Elements p; // p̃, in blocks of LOSS_BLOCK outputs: (capacity, ≤ LOSS_BLOCK) one after another
    uint16_t *r_converted; // memory for the chunk of r as an operand
    real *ratios;          // (V) log (p / q) of a token under R-Drop
    real *scales;          // (min(N, LOSS_CHUNK) + 1) each row's s, and −e N for that of ones
    Matrix scaled;         // (capacity, E) s r, then −e Σ_i r_i and zero rows
    void *scaled_right;    // memory for it as the right factor of dE_out
    Matrix weighted;       // (capacity, E) p̃ E_out
} LossActs;

// For the tokens of `target`, whose row multiple holds for products; backward wants 1.
void loss_acts_layout(LossActs *acts, Arena *arena, const Ragged *target,
                      const LinearParams *output, bool with_backward);

typedef struct LossTargets {
    const int32_t *tokens; // (N)
    real smoothing;        // ε
    real scale;            // of the gradients
    real divergence;       // α; above 0 the tokens 2i and 2i + 1 are one, seen twice
} LossTargets;

/* The sum of the losses of r (N, E), which must have memory for one more row multiple; sets
 * acts->log_p. */
double loss_forward(LossActs *acts, Matrix r, const LinearParams *output,
                    const LossTargets *targets);

/* The same with its backward in one pass: gradients of scale · (the sum of the losses). Adds to
 * doutput and sets dr (N, E), which may be r. */
double loss_forward_backward(Matrix dr, LinearGrads *doutput, LossActs *acts, Matrix r,
                             const LinearParams *output, const LossTargets *targets);
