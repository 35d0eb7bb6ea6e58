/* Posterior attention (Shankar & Sarawagi 2019, "Posterior attention models for sequence to
 * sequence learning"): which source position each token of a known target was generated from. With
 * a_t that position, α_tj its probability before y_t is known, and the value v_j the context of a
 * decoder that attends to j alone,
 *
 *     p(a_t = j | y_t) = α_tj p_j / Σ_i α_ti p_i          p_j = p(y_t | s_{t-1}, y_{t-1}, v_j)
 *
 * The decoder is the trained one, which has learned from contexts that are mixtures; s_{t-1} is
 * that of soft attention. Each position costs a step of the decoder and its whole output layer. */
#pragma once

#include "model/pass.h"

// The memory of a step for all positions of a sentence. Start from {0}, reuse freely, end with
// posterior_attention_free.
typedef struct PosteriorAttention {
    Arena arena;
    Ragged rows;      // a row for each of S positions; counts alone, without tables
    DecoderStep step; // of all of them
    Matrix values;    // (S, C)
    Matrix contexts;  // (S, C) that of attention to each position alone
    Matrix r;         // (S, E)
    int32_t *tokens;  // (S) y_t
    LossActs loss;
} PosteriorAttention;

/* Sets posterior (T_b, S_b) for the sentence at place b of a batch after its pass_forward, from its
 * attention alpha (T_b, S_b), of all heads or of one. A row whose probabilities are not finite
 * stays alpha's. */
Status posterior_attention_set(float *posterior, PosteriorAttention *work, const float *alpha,
                               const PassActs *acts, const Batch *batch,
                               const Seq2SeqParams *params, size_t b, Error *error);

static inline void posterior_attention_free(PosteriorAttention *work)
{
    arena_free(&work->arena);
    *work = (PosteriorAttention){0};
}
