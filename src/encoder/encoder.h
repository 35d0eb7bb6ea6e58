/* Source tokens → annotations: an embedding and a bidirectional GRU (Bahdanau et al. 2014,
 * section 3.2).
 *
 *     h_j = [→h_j ; ←h_j]      (2H)
 *
 * N = source tokens of the batch. The GRUs run time-major; annotations come out sentence-major, so
 * that attention finds one sentence's together. */
#ifndef REGARD_ENCODER_ENCODER_H
#define REGARD_ENCODER_ENCODER_H

#include "layers/gru.h"

#include <stdint.h>

typedef struct EncoderParams {
    GruParams forwards; // H units over E inputs
    GruParams backwards;
} EncoderParams;

typedef struct EncoderGrads {
    GruGrads forwards;
    GruGrads backwards;
} EncoderGrads;

void encoder_visit(EncoderParams *params, EncoderGrads *grads, ParamVisitor *visitor,
                   const char *prefix, GruSizes sizes);

typedef struct EncoderActs {
    Matrix x;         // (N, E) dropped embeddings, time-major
    GruActs forwards; // N rows, time-major
    GruActs backwards;
    Matrix annotations;    // (N, 2H) sentence-major
    const int32_t *tokens; // forward's, not owned
    Matrix mask;
} EncoderActs;

void encoder_acts_layout(EncoderActs *acts, Arena *arena, const Ragged *ragged, size_t embedding,
                         size_t hidden);

/* tokens (N) time-major, table (V, E), mask (N, E) time-major or values NULL. Results in
 * acts->annotations. */
void encoder_forward(EncoderActs *acts, const Ragged *ragged, const int32_t *tokens, Matrix table,
                     Matrix mask, const EncoderParams *params);

/* From dannotations (N, 2H): adds to dtable (V, E) and dparams. dx (N, E) is scratch; acts' states
 * are overwritten by their gradients. */
void encoder_backward(Gradient dtable, EncoderGrads *dparams, Matrix dx, Matrix dannotations,
                      EncoderActs *acts, const EncoderParams *params);

#endif
