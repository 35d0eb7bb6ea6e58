/* A batch's sources on their way to what the decoder needs, for training and for search alike:
 *
 *     h = self-attention(encoder(embedding(x)))     annotations (N, C)
 *     s_0 = tanh(W_b · mean_j h_j + b_b)            bridge; the mean includes </s>
 *     memory = keys and values of h                 attention/attention.h
 *
 * Bahdanau et al. 2014 (A.2.2) have the first backward state instead of the mean. Dropout applies
 * to the embeddings, and to the annotations after the bridge has seen them. N = source tokens of
 * the batch, B = its sentences. */
#pragma once

#include "model/batch.h"
#include "model/seq2seq.h"

typedef struct SourceActs {
    EncoderActs encoder;
    SelfAttentionActs self_attention; // if the model has it
    Matrix means;                     // (B, C) of the annotations, in the decoder's order
    AttentionMemory memory;
    size_t lasting; // of the arena; after that is what, without backward, only source_forward needs
    Matrix embedding_mask;  // (N, E) time-major; values NULL without dropout
    Matrix annotation_mask; // (N, C) sentence-major
    // backward only
    Matrix dmeans; // (B, C)
    AttentionMemoryGrads dmemory;
} SourceActs;

// Takes what forward needs but the masks and, with backward, the encoder's states. `scorer` is the
// model's, or in search its form for that.
void source_layout(SourceActs *acts, Arena *arena, const Ragged *source,
                   const Seq2SeqParams *params, const AttentionScorer *scorer, bool with_backward);

// Takes what backward needs, but the encoder's states and their dx.
void source_layout_backward(SourceActs *acts, Arena *arena, const Ragged *source,
                            const Seq2SeqParams *params);

/* means (n, C): row i is the mean of the annotations (N, C) of sentence sentences[i], which are
 * the rows from begin[sentence] to begin[sentence + 1]. */
void annotation_means(Matrix means, Matrix annotations, const size_t *begin,
                      const uint32_t *sentences);

// dannotations += dmeans spread evenly over each sentence's positions
void annotation_means_backward(Matrix dannotations, Matrix dmeans, const size_t *begin,
                               const uint32_t *sentences);

/* Sets s (B, D), the decoder's first states in its order, with memory for rows rounded up, and
 * acts->memory. */
void source_forward(SourceActs *acts, Matrix s, const Batch *batch, const Seq2SeqParams *params);

/* From ds (B, D), the gradient of s, and acts->dmemory.dannotations, both of which it overwrites:
 * adds to grads. The encoder's states are overwritten, too. */
void source_backward(Seq2SeqGrads *grads, Matrix ds, Matrix s, SourceActs *acts, const Batch *batch,
                     const Seq2SeqParams *params);
