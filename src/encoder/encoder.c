#include "encoder/encoder.h"

#include "layers/dropout.h"
#include "layers/embedding.h"

const char *const annotation_kind_names[] = {
    [ANNOTATION_STATES] = "states", [ANNOTATION_STATES_EMBEDDING] = "states-embedding", NULL};

void encoder_visit(EncoderParams *params, EncoderGrads *grads, ParamVisitor *visitor,
                   const char *prefix, EncoderSizes sizes)
{
    static const char *const suffixes[] = {[GRU_FORWARDS] = "_l0", [GRU_BACKWARDS] = "_l0_reverse"};
    params->annotation = sizes.annotation;
    for (size_t d = 0; d < 2; d++)
        gru_visit(&params->gru[d], &grads->gru[d], visitor, prefix, suffixes[d],
                  (GruSizes){sizes.embedding, sizes.hidden});
}

static size_t units(const EncoderParams *params)
{
    return params->gru[0].weight_hh.matrix.columns; // H
}

static size_t input_width(const EncoderParams *params)
{
    return params->gru[0].weight_ih.matrix.columns; // E
}

Matrix encoder_take_annotations(Arena *arena, const Ragged *ragged, const EncoderParams *params)
{
    return ragged_take(arena, ragged, params->annotation);
}

void encoder_acts_layout(EncoderActs *acts, Arena *arena, const Ragged *ragged,
                         const EncoderParams *params, bool with_backward)
{
    Matrix x = ragged_take(arena, ragged, input_width(params));
    size_t mark = arena->used;
    for (size_t d = 0; d < 2; d++) {
        GruActs *gru = &acts->gru[d];
        if (!with_backward) arena_release(arena, mark);
        gru_acts_layout(gru, arena, ragged, (GruDirection)d, units(params));
        gru->x = x;
        if (!with_backward) gru->h = ragged_take_steps(arena, ragged, units(params));
    }
}

void encoder_take_states(EncoderActs *acts, Arena *arena, const Ragged *ragged,
                         const EncoderParams *params)
{
    for (size_t d = 0; d < 2; d++) acts->gru[d].h = ragged_take_steps(arena, ragged, units(params));
}

Matrix encoder_take_dx(Arena *arena, const Ragged *ragged, const EncoderParams *params)
{
    return matrix_take(arena, ragged->tokens, input_width(params));
}

// One direction's columns (n, H) of [→h ; ←h] or of annotations.
static Matrix states_of(Matrix both, size_t direction, const EncoderParams *params)
{
    size_t H = units(params);
    return matrix_columns(both, direction * H, H);
}

// Whether annotations hold embeddings, too.
static bool has_embeddings(const EncoderParams *params)
{
    return params->annotation > 2 * units(params);
}

// Their columns (n, E) of annotations.
static Matrix embeddings_of(Matrix annotations, const EncoderParams *params)
{
    size_t states = 2 * units(params);
    return matrix_columns(annotations, states, params->annotation - states);
}

/* Copies between the two orders: step t of sentence b is at step_begin[t] + b time-major, and at
 * sentence_begin[b] + t sentence-major. */
static void to_sentences(Matrix sentences, Matrix steps, const Ragged *ragged)
{
    for (size_t t = 0; t < ragged->steps; t++)
        for (size_t b = 0; b < ragged_rows(ragged, t); b++)
            matrix_copy_row(sentences, ragged->sentence_begin[b] + t, steps,
                            ragged->step_begin[t] + b);
}

static void to_steps(Matrix steps, Matrix sentences, const Ragged *ragged)
{
    for (size_t t = 0; t < ragged->steps; t++)
        for (size_t b = 0; b < ragged_rows(ragged, t); b++)
            matrix_copy_row(steps, ragged->step_begin[t] + b, sentences,
                            ragged->sentence_begin[b] + t);
}

void encoder_forward(EncoderActs *acts, const EncoderInput *input, Weight table,
                     const EncoderParams *params)
{
    const Ragged *ragged = input->ragged;
    Matrix x = acts->gru[0].x;
    embedding_forward(x, table, input->tokens);
    dropout_apply(x, input->mask);
    ragged_clear_padding(x, ragged);
    for (size_t d = 0; d < 2; d++) {
        gru_sequence_forward(&acts->gru[d], &params->gru[d]);
        to_sentences(states_of(acts->annotations, d, params), acts->gru[d].h, ragged);
    }
    if (has_embeddings(params)) to_sentences(embeddings_of(acts->annotations, params), x, ragged);
    ragged_clear_padding(acts->annotations, ragged);
}

void encoder_backward(EncoderGrads *grads, Gradient dtable, Matrix dannotations, EncoderActs *acts,
                      const EncoderInput *input, const EncoderParams *params)
{
    const Ragged *ragged = input->ragged;
    Matrix dx = acts->dx;
    ProductSum sum = PRODUCT_SET;
    if (has_embeddings(params)) {
        to_steps(dx, embeddings_of(dannotations, params), ragged);
        sum = PRODUCT_ADD;
    }
    for (size_t d = 0; d < 2; d++) {
        GruActs *gru = &acts->gru[d];
        // states are not needed any more: their memory takes their gradients
        to_steps(gru->h, states_of(dannotations, d, params), ragged);
        gru_sequence_backward(dx, &grads->gru[d], gru->h, gru, &params->gru[d], sum);
        sum = PRODUCT_ADD;
    }
    dropout_apply(dx, input->mask);
    embedding_backward(dtable, dx, input->tokens);
}
