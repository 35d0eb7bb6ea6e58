#include "encoder/encoder.h"

#include "layers/dropout.h"
#include "layers/embedding.h"

#include <string.h>

void encoder_visit(EncoderParams *params, EncoderGrads *grads, ParamVisitor *visitor,
                   const char *prefix, GruSizes sizes)
{
    gru_visit(&params->forwards, &grads->forwards, visitor, prefix, "_l0", sizes);
    gru_visit(&params->backwards, &grads->backwards, visitor, prefix, "_l0_reverse", sizes);
}

void encoder_acts_layout(EncoderActs *acts, Arena *arena, const Ragged *ragged, size_t embedding,
                         size_t hidden)
{
    acts->x = ragged_take(arena, ragged, embedding);
    gru_acts_layout(&acts->forwards, arena, ragged, GRU_FORWARDS, hidden);
    gru_acts_layout(&acts->backwards, arena, ragged, GRU_BACKWARDS, hidden);
    acts->forwards.x = acts->backwards.x = acts->x;
    acts->annotations = ragged_take(arena, ragged, 2 * hidden);
}

/* Copies between the two forms: step t of sentence b stands at step_begin[t] + b and at
 * sentence_begin[b] + t. */
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

void encoder_forward(EncoderActs *acts, const Ragged *ragged, const int32_t *tokens, Matrix table,
                     Matrix mask, const EncoderParams *params)
{
    size_t H = acts->forwards.h.columns, rows = ragged_rounded(ragged, ragged->tokens);
    acts->tokens = tokens;
    acts->mask = mask;
    embedding_forward(acts->x, table, tokens);
    dropout_apply(acts->x, mask);
    matrix_clear_padding(acts->x, rows);
    gru_sequence_forward(&acts->forwards, &params->forwards);
    gru_sequence_forward(&acts->backwards, &params->backwards);
    to_sentences(matrix_columns(acts->annotations, 0, H), acts->forwards.h, ragged);
    to_sentences(matrix_columns(acts->annotations, H, H), acts->backwards.h, ragged);
    matrix_clear_padding(acts->annotations, rows);
}

void encoder_backward(Gradient dtable, EncoderGrads *dparams, Matrix dx, Matrix dannotations,
                      EncoderActs *acts, const EncoderParams *params)
{
    const Ragged *ragged = acts->forwards.ragged;
    size_t H = acts->forwards.h.columns;
    // the states themselves are not needed any more: their memory takes their gradients
    to_steps(acts->forwards.h, matrix_columns(dannotations, 0, H), ragged);
    to_steps(acts->backwards.h, matrix_columns(dannotations, H, H), ragged);
    gru_sequence_backward(dx, &dparams->forwards, acts->forwards.h, &acts->forwards,
                          &params->forwards, PRODUCT_SET);
    gru_sequence_backward(dx, &dparams->backwards, acts->backwards.h, &acts->backwards,
                          &params->backwards, PRODUCT_ADD);
    dropout_apply(dx, acts->mask);
    embedding_backward(dtable, dx, acts->tokens);
}
