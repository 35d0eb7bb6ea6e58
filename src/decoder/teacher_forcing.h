/* The decoder over known targets: what training, scoring and forced alignment run. Its input at
 * step t is the target's token t−1 whatever the model would have said (Williams & Zipser 1989).
 *
 * N = target tokens of the batch, </s> counted. Sentences stand in the decoder's own order, longest
 * target first; `source[b]` is the place of sentence b in the memory. All matrices time-major. */
#ifndef REGARD_DECODER_TEACHER_FORCING_H
#define REGARD_DECODER_TEACHER_FORCING_H

#include "decoder/decoder.h"

typedef struct TeacherForcingActs {
    Matrix concat;            // (N, D+E+2H): y is there before
    Matrix s_before;          // (N, D): the first B rows are s_0
    Matrix gates;             // (N, 3D)
    Matrix hn;                // (N, D)
    Matrix hidden;            // (B, 3D) scratch of a step
    size_t heads;             // of the attention
    Matrix query;             // (N, K)
    Matrix mixed;             // (N, 2H), or (N, 0) where the context is the mixture
    Matrix dquery;            // (N, K), none without backward
    Matrix dmixed;            // (B, 2H) or (B, 0) of a step, none without backward
    Matrix r;                 // (N, E)
    real *alpha;              // sentence by sentence (T_b, heads, S_b)
    size_t *alpha_begin;      // (B + 1) where each sentence's matrix begins
    size_t alpha_values;      // of all those matrices
    real **alpha_rows;        // (B) scratch of a step
    real *dalpha;             // as alpha: gradients of the weights themselves; NULL for none
    const real **dalpha_rows; // (B) scratch of a step
    const uint32_t *source;   // (B) not owned
    Phases *phases;           // NULL until the caller sets it: not measured
} TeacherForcingActs;

/* Takes everything from the arena. `source` (B) and memory_begin are read to size alpha. */
void teacher_forcing_layout(TeacherForcingActs *acts, Arena *arena, const Ragged *target,
                            const uint32_t *source, const size_t *memory_begin,
                            const DecoderSizes *sizes, bool with_backward);

/* Takes dalpha too, behind teacher_forcing_layout; the caller fills it between forward and backward. */
void teacher_forcing_layout_dalpha(TeacherForcingActs *acts, Arena *arena, const Ragged *target);

/* From y in acts->concat and s_0 in the first rows of acts->s_before to acts->r. */
void teacher_forcing_forward(TeacherForcingActs *acts, const Ragged *target,
                             const AttentionMemory *memory, const DecoderParams *params);

/* From dr (N, E), which it overwrites, and acts->dalpha: sets ds (B, D) to the gradient of s_0 and dconcat (N,
 * D+E+2H), whose columns of y are then y's whole gradient; adds to dmemory and dparams. dmixed
 * (N, 2H) sentence-major and scratch (heads, longest S) are scratch. */
void teacher_forcing_backward(Matrix ds, Matrix dconcat, DecoderGrads *dparams,
                              AttentionMemoryGrads *dmemory, Matrix dr, TeacherForcingActs *acts,
                              const Ragged *target, const AttentionMemory *memory,
                              const DecoderParams *params, Matrix dmixed, real *scratch);

/* The attention weights of sentence b: (T_b, S_b), row t for target token t, of a head, from 0. The
 * row of head 0 begins what all heads have, (heads, S_b). */
Matrix teacher_forcing_alpha(const TeacherForcingActs *acts, const Ragged *target, size_t b,
                             size_t head);

// The gradients of all heads' likewise, as a view of head 0's; only after teacher_forcing_layout_dalpha.
Matrix teacher_forcing_dalpha(const TeacherForcingActs *acts, const Ragged *target, size_t b);

#endif
