#include "model/posterior_attention.h"

#include <math.h>

static void layout(PosteriorAttention *work, Arena *arena, size_t positions, const Batch *batch,
                   const Seq2SeqParams *params)
{
    const DecoderParams *decoder = &params->decoder;
    work->rows = (Ragged){.count = positions,
                          .steps = 1,
                          .tokens = positions,
                          .row_multiple = batch->target.row_multiple};
    size_t capacity = ragged_rounded(&work->rows, positions);
    decoder_step_layout(&work->step, arena, capacity, capacity, capacity, decoder);
    work->step.rows = positions;
    work->step.ragged = &work->rows;
    work->step.attention.context = decoder_context_of(work->step.concat, decoder);
    size_t width = work->step.attention.context.columns;
    work->contexts = matrix_take(arena, capacity, width);
    work->values = matrix_take(arena, capacity, width);
    work->r = matrix_take(arena, capacity, params->config.embedding);
    work->tokens = arena_take(arena, positions, sizeof *work->tokens);
    loss_acts_layout(&work->loss, arena, &work->rows, &params->output, false);
}

static Status begin(PosteriorAttention *work, Matrix values, const Batch *batch,
                    const Seq2SeqParams *params, Error *error)
{
    Arena *arena = &work->arena;
    TRY(arena_lay_out(arena, layout(work, arena, values.rows, batch, params), error));
    decoder_step_clear(&work->step, 0);
    matrix_clear(work->values);
    matrix_clear(work->r);
    matrix_copy(matrix_with_rows(work->values, values.rows), values);
    attention_context_forward(work->contexts, work->values, &params->decoder.attention);
    return STATUS_OK;
}

// Sets work->loss.log_p (S): log p(y_t | v_j) of the token in `row` of the batch's targets.
static void step(PosteriorAttention *work, const TeacherForcingActs *acts, int32_t token,
                 size_t row, const Seq2SeqParams *params)
{
    const DecoderParams *decoder = &params->decoder;
    DecoderStep *all = &work->step;
    size_t n = all->rows;
    Matrix concat = matrix_with_rows(all->concat, n), r = matrix_with_rows(work->r, n);
    Matrix y = decoder_input_of(concat, decoder);
    for (size_t j = 0; j < n; j++) {
        matrix_copy_row(all->s_before, j, acts->all.s_before, row);
        matrix_copy_row(y, j, decoder_input_of(acts->all.concat, decoder), row);
        matrix_copy_row(all->attention.context, j, work->contexts, j);
        work->tokens[j] = token;
    }
    decoder_input_forward(matrix_with_rows(all->gates, n), y, &work->rows, decoder);
    decoder_step_advance(all, decoder);
    linear_tanh_forward(r, concat, &work->rows, &decoder->readout);
    const LossTargets targets = {.tokens = work->tokens};
    loss_forward(&work->loss, r, &params->output, &targets);
}

// α_tj p_j / Σ_i α_ti p_i, of log p.
static void weigh(float *posterior, const float *alpha, const real *log_p, size_t positions)
{
    double sum = 0, best = -INFINITY;
    for (size_t j = 0; j < positions; j++) best = fmax(best, (double)log_p[j]);
    for (size_t j = 0; j < positions; j++) sum += (double)alpha[j] * exp((double)log_p[j] - best);
    bool usable = sum > 0 && isfinite(sum);
    for (size_t j = 0; j < positions; j++)
        posterior[j] =
            usable ? (float)((double)alpha[j] * exp((double)log_p[j] - best) / sum) : alpha[j];
}

Status posterior_attention_set(float *posterior, PosteriorAttention *work, const float *alpha,
                               const PassActs *acts, const Batch *batch,
                               const Seq2SeqParams *params, size_t b, Error *error)
{
    const AttentionMemory *memory = &acts->source.memory;
    Matrix values = attention_sentence(memory->values, memory->begin, batch->source_of[b]);
    TRY(begin(work, values, batch, params, error));
    for (size_t t = 0; t < batch->target.lengths[b]; t++) {
        size_t row = batch->target.step_begin[t] + b, at = t * values.rows;
        step(work, &acts->decoder, batch->target_tokens[row], row, params);
        weigh(posterior + at, alpha + at, work->loss.log_p, values.rows);
    }
    return STATUS_OK;
}
