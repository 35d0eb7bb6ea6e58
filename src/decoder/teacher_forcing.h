/* The decoder over known targets, for training, scores and forced alignment. Its input at step t is
 * the target's token t−1 whatever the model would have output (Williams & Zipser 1989).
 *
 * N = target tokens of the batch, </s> counted. Sentences are in the decoder's own order, longest
 * target first; `source[b]` is the place of sentence b in the memory. All matrices are
 * time-major. */
#pragma once

#include "decoder/decoder.h"

// What is decoded: the targets, and the source that each looks at.
typedef struct TeacherForcingBatch {
    const Ragged *target;         // (B) sentences, N tokens
    const uint32_t *source;       // (B) each one's place in the memory
    const size_t *memory_begin;   // where each sentence of the memory begins
    const WhatIf *const *what_if; // of each sentence of the memory (AttentionStep); NULL: none
} TeacherForcingBatch;

typedef struct TeacherForcingActs {
    TeacherForcingBatch batch; // not owned
    /* The matrices of all steps, N rows each, of which a step's are views: y is in concat before
     * and s_0 in the first B rows of s_before. `mixed` is (N, 0) where the context is the mixture.
     * `hidden` and `dmixed` have B rows, scratch of a step; dquery and dmixed need
     * backward. */
    DecoderStep all;
    size_t heads;             // of the attention
    Matrix r;                 // (N, E)
    real *alpha;              // sentence by sentence (T_b, heads, S_b)
    size_t *alpha_begin;      // (B + 1) where each sentence's matrix begins
    size_t alpha_values;      // of all those matrices
    real **alpha_rows;        // (B) scratch of a step
    real *dalpha;             // as alpha: gradients of the weights themselves; NULL for none
    const real **dalpha_rows; // (B) scratch of a step
} TeacherForcingActs;

// Takes everything from the arena.
void teacher_forcing_layout(TeacherForcingActs *acts, Arena *arena,
                            const TeacherForcingBatch *batch, const DecoderParams *params,
                            bool with_backward);

// Takes dalpha too, after teacher_forcing_layout; the caller fills it between forward and backward.
void teacher_forcing_layout_dalpha(TeacherForcingActs *acts, Arena *arena);

// From y in acts->all.concat and s_0 in the first rows of acts->all.s_before to acts->r.
void teacher_forcing_forward(TeacherForcingActs *acts, const AttentionMemory *memory,
                             const DecoderParams *params);

typedef struct TeacherForcingGrads {
    Matrix dr;      // (N, E) the gradient of r, which backward overwrites
    Matrix ds;      // (B, D) set: that of s_0
    Matrix dconcat; // (N, D+E+C) set; its columns of y are y's gradient
    Matrix dmixed;  // (N, C) scratch, sentence-major
    real *scratch;  // (heads, longest S)
} TeacherForcingGrads;

// From grads->dr and acts->dalpha; adds to dmemory and dparams.
void teacher_forcing_backward(TeacherForcingGrads *grads, DecoderGrads *dparams,
                              AttentionMemoryGrads *dmemory, TeacherForcingActs *acts,
                              const AttentionMemory *memory, const DecoderParams *params);

/* The attention weights of sentence b: (T_b, S_b), row t for target token t, of a head, from 0.
 * A row of head 0 is followed by those of the others: (heads, S_b). */
Matrix teacher_forcing_alpha(const TeacherForcingActs *acts, size_t b, size_t head);

// Likewise the gradients of all heads' weights, as a view of head 0's; only after
// teacher_forcing_layout_dalpha.
Matrix teacher_forcing_dalpha(const TeacherForcingActs *acts, size_t b);
