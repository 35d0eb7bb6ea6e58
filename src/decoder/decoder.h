/* One step of the decoder, forward and backward. Teacher forcing (teacher_forcing.h) is a loop over
 * it; greedy and beam search and forced decoding call the same function. Bahdanau et al. 2014,
 * appendix A.2.2, with a GRU in PyTorch's form:
 *
 *     α_t, c_t = attention(s_{t-1}, annotations)
 *     s_t = GRU([y_{t-1}; c_t], s_{t-1})
 *     r_t = tanh(W_r [s_t; y_{t-1}; c_t] + b_r)
 *
 * With two transitions it is the conditional GRU (Sennrich et al. 2017, Nematus, arXiv 1703.04357,
 * section 2), whose attention already knows the token y_{t-1} that was put out last:
 *
 *     s'_t = GRU(y_{t-1}, s_{t-1})
 *     α_t, c_t = attention(s'_t, annotations)
 *     s_t = GRU₂(c_t, s'_t)
 *
 * The three parts s, y and c of a row lie side by side in one matrix `concat` (n, D+E+C), so that
 * [y; c] and [s; y; c] are views and not copies. What depends on y alone (W_iy y + b_i) is computed
 * before the step: for a whole sequence at once in training, for the rows of a step in search. */
#pragma once

#include "attention/attention.h"
#include "layers/gru.h"

typedef enum DecoderKind { DECODER_GRU, DECODER_CONDITIONAL_GRU } DecoderKind;

// All kinds' names, and a NULL.
extern const char *const decoder_kind_names[];

typedef struct DecoderParams {
    const AttentionScorer *scorer;
    AttentionParams attention;
    bool conditional;     // two transitions
    GruParams gru;        // D units over E+C inputs [y; c], or over y alone
    GruParams second;     // D units over c, if conditional
    LinearParams readout; // (E, D+E+C)
} DecoderParams;

typedef struct DecoderGrads {
    AttentionGrads attention;
    GruGrads gru, second;
    LinearGrads readout;
} DecoderGrads;

typedef struct DecoderSizes {
    const AttentionScorer *scorer;
    bool conditional;
    size_t embedding;         // E
    AttentionSizes attention; // D, C, A, heads
} DecoderSizes;

void decoder_visit(DecoderParams *params, DecoderGrads *grads, ParamVisitor *visitor,
                   const DecoderSizes *sizes);

/* The memory of one step for n rows: views of the acts of a training batch, or the state of a
 * search. Matrices that products write have room for n rounded up. */
typedef struct DecoderStep {
    size_t rows;             // n
    const Ragged *ragged;    // whose row multiple products are rounded up to; not owned
    AttentionStep attention; // its context is the last columns of concat
    Matrix concat;           // (n, D+E+C): y is there before, s and c are set
    Matrix s_before;         // (n, D)
    Matrix gates;            // (n, 3D) W_iy y + b_i before; becomes r, z, n
    Matrix hn;               // (n, D) set
    Matrix hidden;           // (n, 3D) scratch
    // of the conditional GRU's second transition; no columns without
    Matrix s_between;    // (n, D) s' set
    Matrix second_gates; // (n, 3D) set: r, z, n
    Matrix second_hn;    // (n, D) set
    Matrix dconcat;      // backward: (n, D+E+C), in its columns the gradients of s, y and c
} DecoderStep;

/* Takes what forward reads and sets but the weights: matrices of `rows` rows with memory for
 * `capacity`, and `scratch` rows, the most that a step's products have. */
void decoder_step_layout(DecoderStep *step, Arena *arena, size_t rows, size_t capacity,
                         size_t scratch, const DecoderParams *params);

/* Sets to 0 what products read and write. They go on to the rows that they are rounded up to; what
 * comes of those is never used, but denormal numbers there take a product fifty times as long. The
 * first `states` of s_before stay. */
void decoder_step_clear(DecoderStep *step, size_t states);

// The parts of the concatenation (n, D+E+C).
Matrix decoder_state_of(Matrix concat, const DecoderParams *params);   // s (n, D)
Matrix decoder_input_of(Matrix concat, const DecoderParams *params);   // y (n, E)
Matrix decoder_context_of(Matrix concat, const DecoderParams *params); // c (n, C)

// What attention asks with (n, D): s_{t-1}, or s'_t of the conditional GRU.
Matrix decoder_query_state(const DecoderStep *step, const DecoderParams *params);

// gates (n, 3D) = W_iy y, from y (n, E), which have memory for n rounded up.
void decoder_input_forward(Matrix gates, Matrix y, const Ragged *ragged,
                           const DecoderParams *params);

void decoder_step_forward(DecoderStep *step, const AttentionMemory *memory,
                          const DecoderParams *params);

// The same without attention, from a context that is there.
void decoder_step_advance(DecoderStep *step, const DecoderParams *params);

/* From step->dconcat, the gradients of this step's s, y and c that come from the readout, and ds
 * (n, D), that of s_t from later steps. Sets ds to the gradient of s_{t-1}, turns step->gates
 * into d(W_i [y; c] + b_i) and step->hn into d(W_hn s + b_hn), likewise those of the second
 * transition, and completes the context's columns of dconcat. Adds to the attention's parts of
 * dparams; the GRUs' weights are left to teacher_forcing_backward, once for all steps.
 * step->attention.scratch must be there. */
void decoder_step_backward(Matrix ds, DecoderGrads *dparams, AttentionMemoryGrads *dmemory,
                           DecoderStep *step, const AttentionMemory *memory,
                           const DecoderParams *params);
