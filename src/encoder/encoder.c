#include "encoder/encoder.h"

#include "layers/dropout.h"
#include "layers/embedding.h"

#include <stdio.h>

const char *const annotation_kind_names[] = {
    [ANNOTATION_STATES] = "states", [ANNOTATION_STATES_EMBEDDING] = "states-embedding", NULL};

void encoder_visit(EncoderParams *params, EncoderGrads *grads, ParamVisitor *visitor,
                   const char *prefix, EncoderSizes sizes)
{
    static const char *const reverse[] = {[GRU_FORWARDS] = "", [GRU_BACKWARDS] = "_reverse"};
    params->layers = sizes.layers;
    params->annotation = sizes.annotation;
    for (size_t l = 0; l < sizes.layers; l++)
        for (size_t d = 0; d < 2; d++) {
            const GruSizes gru = {l ? 2 * sizes.hidden : sizes.embedding, sizes.hidden};
            char suffix[32];
            snprintf(suffix, sizeof suffix, "_l%zu%s", l, reverse[d]);
            gru_visit(&params->gru[l][d], &grads->gru[l][d], visitor, prefix, suffix, gru);
        }
}

static size_t units(const EncoderParams *params)
{
    return params->gru[0][0].weight_hh.matrix.columns; // H
}

static size_t input_width(const EncoderParams *params, size_t layer)
{
    return params->gru[layer][0].weight_ih.matrix.columns; // E, or 2H
}

void encoder_acts_layout(EncoderActs *acts, Arena *arena, const Ragged *ragged,
                         const EncoderParams *params)
{
    size_t H = units(params);
    for (size_t l = 0; l < params->layers; l++) {
        Matrix x = ragged_take(arena, ragged, input_width(params, l));
        for (size_t d = 0; d < 2; d++) {
            gru_acts_layout(&acts->gru[l][d], arena, ragged, (GruDirection)d, H);
            acts->gru[l][d].x = x;
        }
    }
    acts->annotations = ragged_take(arena, ragged, params->annotation);
}

void encoder_take_states(EncoderActs *acts, Arena *arena, const Ragged *ragged,
                         const EncoderParams *params)
{
    for (size_t l = 0; l < params->layers; l++)
        for (size_t d = 0; d < 2; d++) {
            GruActs *gru = &acts->gru[l][d];
            gru->h = ragged_take_steps(arena, ragged, gru->h_before.columns);
        }
}

Matrix encoder_take_dx(Arena *arena, const Ragged *ragged, const EncoderParams *params)
{
    size_t width = input_width(params, 0), above = input_width(params, params->layers - 1);
    return matrix_take(arena, ragged->tokens, above > width ? above : width);
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
    embedding_forward(acts->gru[0][0].x, table, input->tokens);
    dropout_apply(acts->gru[0][0].x, input->mask);
    for (size_t l = 0; l < params->layers; l++) {
        Matrix x = acts->gru[l][0].x;
        for (size_t d = 0; l > 0 && d < 2; d++)
            matrix_copy(states_of(x, d, params), acts->gru[l - 1][d].h);
        ragged_clear_padding(x, ragged);
        for (size_t d = 0; d < 2; d++) gru_sequence_forward(&acts->gru[l][d], &params->gru[l][d]);
    }
    for (size_t d = 0; d < 2; d++)
        to_sentences(states_of(acts->annotations, d, params), acts->gru[params->layers - 1][d].h,
                     ragged);
    if (has_embeddings(params))
        to_sentences(embeddings_of(acts->annotations, params), acts->gru[0][0].x, ragged);
    ragged_clear_padding(acts->annotations, ragged);
}

void encoder_backward(EncoderGrads *grads, Gradient dtable, Matrix dannotations, EncoderActs *acts,
                      const EncoderInput *input, const EncoderParams *params)
{
    const Ragged *ragged = input->ragged;
    Matrix dx = acts->dx;
    // states are not needed any more: their memory takes their gradients
    for (size_t d = 0; d < 2; d++)
        to_steps(acts->gru[params->layers - 1][d].h, states_of(dannotations, d, params), ragged);
    for (size_t l = params->layers; l-- > 0;) {
        bool embedded = l == 0 && has_embeddings(params);
        dx = matrix_of(dx.values, ragged->tokens, input_width(params, l));
        if (embedded) to_steps(dx, embeddings_of(dannotations, params), ragged);
        for (size_t d = 0; d < 2; d++) {
            GruActs *gru = &acts->gru[l][d];
            gru_sequence_backward(dx, &grads->gru[l][d], gru->h, gru, &params->gru[l][d],
                                  d || embedded ? PRODUCT_ADD : PRODUCT_SET);
        }
        for (size_t d = 0; l > 0 && d < 2; d++)
            matrix_copy(acts->gru[l - 1][d].h, states_of(dx, d, params));
    }
    dropout_apply(dx, input->mask);
    embedding_backward(dtable, dx, input->tokens);
}
