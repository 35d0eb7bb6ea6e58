#include "encoder/encoder.h"

#include "layers/dropout.h"
#include "layers/embedding.h"

#include <stdio.h>

void encoder_visit(EncoderParams *params, EncoderGrads *grads, ParamVisitor *visitor,
                   const char *prefix, EncoderSizes sizes)
{
    static const char *const reverse[] = {[GRU_FORWARDS] = "", [GRU_BACKWARDS] = "_reverse"};
    params->layers = sizes.layers;
    for (size_t l = 0; l < sizes.layers; l++)
        for (size_t d = 0; d < 2; d++) {
            const GruSizes gru = {l ? 2 * sizes.hidden : sizes.embedding, sizes.hidden};
            char suffix[32];
            snprintf(suffix, sizeof suffix, "_l%zu%s", l, reverse[d]);
            gru_visit(&params->gru[l][d], &grads->gru[l][d], visitor, prefix, suffix, gru);
        }
}

static size_t input_width(const EncoderParams *params, size_t layer)
{
    return params->gru[layer][0].weight_ih.matrix.columns; // E, or 2H
}

void encoder_acts_layout(EncoderActs *acts, Arena *arena, const Ragged *ragged,
                         const EncoderParams *params)
{
    size_t H = params->gru[0][0].weight_hh.matrix.columns;
    for (size_t l = 0; l < params->layers; l++) {
        Matrix x = ragged_take(arena, ragged, input_width(params, l));
        for (size_t d = 0; d < 2; d++) {
            gru_acts_layout(&acts->gru[l][d], arena, ragged, (GruDirection)d, H);
            acts->gru[l][d].x = x;
        }
    }
    acts->annotations = ragged_take(arena, ragged, 2 * H);
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

// One direction's columns of [→h ; ←h].
static Matrix half_of(Matrix both, size_t direction)
{
    size_t H = both.columns / 2;
    return matrix_columns(both, direction * H, H);
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
        for (size_t d = 0; l > 0 && d < 2; d++) matrix_copy(half_of(x, d), acts->gru[l - 1][d].h);
        ragged_clear_padding(x, ragged);
        for (size_t d = 0; d < 2; d++) gru_sequence_forward(&acts->gru[l][d], &params->gru[l][d]);
    }
    for (size_t d = 0; d < 2; d++)
        to_sentences(half_of(acts->annotations, d), acts->gru[params->layers - 1][d].h, ragged);
    ragged_clear_padding(acts->annotations, ragged);
}

void encoder_backward(EncoderGrads *grads, Gradient dtable, Matrix dannotations, EncoderActs *acts,
                      const EncoderInput *input, const EncoderParams *params)
{
    const Ragged *ragged = input->ragged;
    Matrix dx = acts->dx;
    // states are not needed any more: their memory takes their gradients
    for (size_t d = 0; d < 2; d++)
        to_steps(acts->gru[params->layers - 1][d].h, half_of(dannotations, d), ragged);
    for (size_t l = params->layers; l-- > 0;) {
        dx = matrix_of(dx.values, ragged->tokens, input_width(params, l));
        for (size_t d = 0; d < 2; d++) {
            GruActs *gru = &acts->gru[l][d];
            gru_sequence_backward(dx, &grads->gru[l][d], gru->h, gru, &params->gru[l][d],
                                  d ? PRODUCT_ADD : PRODUCT_SET);
        }
        for (size_t d = 0; l > 0 && d < 2; d++) matrix_copy(acts->gru[l - 1][d].h, half_of(dx, d));
    }
    dropout_apply(dx, input->mask);
    embedding_backward(dtable, dx, input->tokens);
}
