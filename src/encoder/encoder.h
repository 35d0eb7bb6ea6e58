/* Source tokens → annotations: an embedding and a bidirectional GRU (Bahdanau et al. 2014, section
 * 3.2):
 *
 *     x_j = embedding of token j
 *     h_j = [→h_j ; ←h_j]      (2H) the annotations
 *
 * An annotation can hold the token's embedding beside its states, so that attention and the decoder
 * see the word itself and not only what two recurrences made of it (Kuang et al. 2018, arXiv
 * 1711.05380, source-side bridging):
 *
 *     [→h_j ; ←h_j ; embedding of token j]      (2H + E)
 *
 * C is the width of an annotation, 2H or 2H + E, and N the number of the batch's source tokens. The
 * GRUs run time-major; annotations come out sentence-major, so that attention finds those of a
 * sentence together. */
#pragma once

#include "layers/gru.h"

// What an annotation holds of its token.
typedef enum AnnotationKind { ANNOTATION_STATES, ANNOTATION_STATES_EMBEDDING } AnnotationKind;

// All kinds' names, and a NULL.
extern const char *const annotation_kind_names[];

typedef struct EncoderSizes {
    size_t embedding, hidden; // E, H
    size_t annotation;        // C: 2H, or 2H + E with the embedding beside the states
} EncoderSizes;

typedef struct EncoderParams {
    size_t annotation; // C
    GruParams gru[2];  // of each GruDirection, H units over E inputs
} EncoderParams;

typedef struct EncoderGrads {
    GruGrads gru[2];
} EncoderGrads;

// Names the tensors as PyTorch does: weight_ih_l0, …, weight_ih_l0_reverse, …
void encoder_visit(EncoderParams *params, EncoderGrads *grads, ParamVisitor *visitor,
                   const char *prefix, EncoderSizes sizes);

typedef struct EncoderActs {
    GruActs gru[2]; // N rows, time-major; both read one x
    // set by the caller, who may share their memory
    Matrix annotations; // (N, C) sentence-major: encoder_take_annotations
    Matrix dx;          // encoder_take_dx; backward only
} EncoderActs;

Matrix encoder_take_annotations(Arena *arena, const Ragged *ragged, const EncoderParams *params);

/* Takes what is needed within encoder_forward and, but for the states, for backward. Without
 * backward one direction follows the other in the same memory. */
void encoder_acts_layout(EncoderActs *acts, Arena *arena, const Ragged *ragged,
                         const EncoderParams *params, bool with_backward);

/* Memory for the states, with backward. They are needed within encoder_forward and, as gradients,
 * within encoder_backward: between the two others may use it. */
void encoder_take_states(EncoderActs *acts, Arena *arena, const Ragged *ragged,
                         const EncoderParams *params);

// A matrix for acts->dx: the gradient of the embeddings, (N, E).
Matrix encoder_take_dx(Arena *arena, const Ragged *ragged, const EncoderParams *params);

// A batch's tokens.
typedef struct EncoderInput {
    const Ragged *ragged;
    const int32_t *tokens; // (N) time-major
    Matrix mask;           // (N, E) time-major, of the embeddings; values NULL without dropout
} EncoderInput;

// Looks the tokens up in table (V, E). Results in acts->annotations.
void encoder_forward(EncoderActs *acts, const EncoderInput *input, Weight table,
                     const EncoderParams *params);

/* From dannotations (N, C): adds to dtable (V, E) and grads. The states in acts are overwritten by
 * their gradients. */
void encoder_backward(EncoderGrads *grads, Gradient dtable, Matrix dannotations, EncoderActs *acts,
                      const EncoderInput *input, const EncoderParams *params);
