#include "encoder/encoder.h"

#include "layers/dropout.h"
#include "layers/embedding.h"

#include <stdio.h>
#include <string.h>

static size_t input_width(EncoderSizes sizes, size_t layer)
{
    return layer == 0 ? sizes.embedding : 2 * sizes.hidden;
}

void encoder_visit(EncoderParams *params, EncoderGrads *grads, ParamVisitor *visitor,
                   const char *prefix, EncoderSizes sizes)
{
    params->layers = sizes.layers;
    for (size_t l = 0; l < sizes.layers; l++) {
        EncoderLayerParams *layer = &params->layer[l];
        EncoderLayerGrads *dlayer = &grads->layer[l];
        const GruSizes gru = {input_width(sizes, l), sizes.hidden};
        char suffix[32];
        snprintf(suffix, sizeof suffix, "_l%zu", l);
        gru_visit(&layer->forwards, &dlayer->forwards, visitor, prefix, suffix, gru);
        snprintf(suffix, sizeof suffix, "_l%zu_reverse", l);
        gru_visit(&layer->backwards, &dlayer->backwards, visitor, prefix, suffix, gru);
    }
}

void encoder_acts_layout(EncoderActs *acts, Arena *arena, const Ragged *ragged, EncoderSizes sizes)
{
    for (size_t l = 0; l < sizes.layers; l++) {
        EncoderLayerActs *layer = &acts->layer[l];
        layer->x = ragged_take(arena, ragged, input_width(sizes, l));
        gru_acts_layout(&layer->forwards, arena, ragged, GRU_FORWARDS, sizes.hidden);
        gru_acts_layout(&layer->backwards, arena, ragged, GRU_BACKWARDS, sizes.hidden);
        layer->forwards.x = layer->backwards.x = layer->x;
    }
    acts->annotations = ragged_take(arena, ragged, 2 * sizes.hidden);
}

Matrix encoder_take_dx(Arena *arena, const Ragged *ragged, EncoderSizes sizes)
{
    size_t width = input_width(sizes, 0), above = input_width(sizes, sizes.layers - 1);
    return matrix_take(arena, ragged->tokens, above > width ? above : width);
}

/* Copies between the two orders: step t of sentence b is at step_begin[t] + b time-major, and at
 * sentence_begin[b] + t sentence-major. */
static void to_sentences(Matrix sentences, Matrix steps, const Ragged *ragged)
{
    for (size_t t = 0; t < ragged->steps; t++)
        for (size_t b = 0; b < ragged_rows(ragged, t); b++)
            memcpy(matrix_row(sentences, ragged->sentence_begin[b] + t),
                   matrix_row(steps, ragged->step_begin[t] + b), steps.columns * sizeof(real));
}

static void to_steps(Matrix steps, Matrix sentences, const Ragged *ragged)
{
    for (size_t t = 0; t < ragged->steps; t++)
        for (size_t b = 0; b < ragged_rows(ragged, t); b++)
            memcpy(matrix_row(steps, ragged->step_begin[t] + b),
                   matrix_row(sentences, ragged->sentence_begin[b] + t),
                   steps.columns * sizeof(real));
}

static void copy_rows(Matrix to, Matrix from)
{
    for (size_t i = 0; i < to.rows; i++)
        memcpy(matrix_row(to, i), matrix_row(from, i), to.columns * sizeof(real));
}

void encoder_forward(EncoderActs *acts, const EncoderInput *input, Matrix table,
                     const EncoderParams *params)
{
    const Ragged *ragged = input->ragged;
    size_t H = acts->layer[0].forwards.h.columns, rows = ragged_rounded(ragged, ragged->tokens);
    embedding_forward(acts->layer[0].x, table, input->tokens);
    dropout_apply(acts->layer[0].x, input->mask);
    for (size_t l = 0; l < params->layers; l++) {
        EncoderLayerActs *layer = &acts->layer[l];
        if (l > 0) {
            copy_rows(matrix_columns(layer->x, 0, H), acts->layer[l - 1].forwards.h);
            copy_rows(matrix_columns(layer->x, H, H), acts->layer[l - 1].backwards.h);
        }
        matrix_clear_padding(layer->x, rows);
        gru_sequence_forward(&layer->forwards, &params->layer[l].forwards);
        gru_sequence_forward(&layer->backwards, &params->layer[l].backwards);
    }
    const EncoderLayerActs *last = &acts->layer[params->layers - 1];
    to_sentences(matrix_columns(acts->annotations, 0, H), last->forwards.h, ragged);
    to_sentences(matrix_columns(acts->annotations, H, H), last->backwards.h, ragged);
    matrix_clear_padding(acts->annotations, rows);
}

void encoder_backward(EncoderGrads *grads, Gradient dtable, Matrix dannotations, EncoderActs *acts,
                      const EncoderInput *input, const EncoderParams *params)
{
    const Ragged *ragged = input->ragged;
    size_t H = acts->layer[0].forwards.h.columns;
    Matrix dx = acts->dx;
    EncoderLayerActs *last = &acts->layer[params->layers - 1];
    // states are not needed any more: their memory takes their gradients
    to_steps(last->forwards.h, matrix_columns(dannotations, 0, H), ragged);
    to_steps(last->backwards.h, matrix_columns(dannotations, H, H), ragged);
    for (size_t l = params->layers; l-- > 0;) {
        EncoderLayerActs *layer = &acts->layer[l];
        EncoderLayerGrads *dlayer = &grads->layer[l];
        dx = matrix_of(dx.values, ragged->tokens, layer->x.columns);
        gru_sequence_backward(dx, &dlayer->forwards, layer->forwards.h, &layer->forwards,
                              &params->layer[l].forwards, PRODUCT_SET);
        gru_sequence_backward(dx, &dlayer->backwards, layer->backwards.h, &layer->backwards,
                              &params->layer[l].backwards, PRODUCT_ADD);
        if (l == 0) break;
        copy_rows(acts->layer[l - 1].forwards.h, matrix_columns(dx, 0, H));
        copy_rows(acts->layer[l - 1].backwards.h, matrix_columns(dx, H, H));
    }
    dropout_apply(dx, input->mask);
    embedding_backward(dtable, dx, input->tokens);
}
