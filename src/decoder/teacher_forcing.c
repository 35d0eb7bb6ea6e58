#include "decoder/teacher_forcing.h"

#include "math/kernels.h"

#include <string.h>

void teacher_forcing_layout(TeacherForcingActs *acts, Arena *arena,
                            const TeacherForcingBatch *batch, const DecoderSizes *sizes,
                            bool with_backward)
{
    const Ragged *target = batch->target;
    size_t N = target->tokens, B = target->count;
    size_t D = sizes->attention.decoder, E = sizes->embedding;
    AttentionWidths widths = attention_widths(sizes->scorer, &sizes->attention);
    *acts = (TeacherForcingActs){.batch = *batch, .heads = widths.heads};
    acts->concat = ragged_take_steps(arena, target, D + E + sizes->attention.annotation);
    acts->s_before = ragged_take_steps(arena, target, D);
    acts->gates = ragged_take_steps(arena, target, 3 * D);
    acts->hn = ragged_take_steps(arena, target, D);
    acts->hidden = matrix_take(arena, ragged_rounded(target, B), 3 * D);
    acts->query = ragged_take_steps(arena, target, widths.query);
    acts->mixed = ragged_take_steps(arena, target, widths.mixed);
    if (with_backward) {
        acts->dquery = matrix_take(arena, N, widths.query);
        acts->dmixed = matrix_take(arena, B, widths.mixed);
    }
    acts->r = ragged_take_steps(arena, target, E);
    acts->alpha_begin = arena_take(arena, B + 1, sizeof *acts->alpha_begin);
    acts->alpha_rows = arena_take(arena, B, sizeof *acts->alpha_rows);
    size_t values = 0;
    for (size_t b = 0; b < B; b++) {
        if (acts->alpha_begin) acts->alpha_begin[b] = values;
        const size_t *begin = batch->memory_begin + batch->source[b];
        size_t S = begin[1] - begin[0];
        values += target->lengths[b] * widths.heads * S;
    }
    if (acts->alpha_begin) acts->alpha_begin[B] = values;
    acts->alpha = arena_take(arena, values, sizeof *acts->alpha);
    acts->alpha_values = values;
}

void teacher_forcing_layout_dalpha(TeacherForcingActs *acts, Arena *arena)
{
    acts->dalpha = arena_take(arena, acts->alpha_values, sizeof *acts->dalpha);
    acts->dalpha_rows = arena_take(arena, acts->batch.target->count, sizeof *acts->dalpha_rows);
}

/* Sentence b's matrix of alpha or dalpha, a head's part of it. */
static Matrix weights_of(real *values, const TeacherForcingActs *acts, size_t b, size_t head)
{
    size_t T = acts->batch.target->lengths[b];
    size_t row = (acts->alpha_begin[b + 1] - acts->alpha_begin[b]) / T; // heads · S
    return attention_head(matrix_of(values + acts->alpha_begin[b], T, row), head, acts->heads);
}

Matrix teacher_forcing_alpha(const TeacherForcingActs *acts, size_t b, size_t head)
{
    return weights_of(acts->alpha, acts, b, head);
}

Matrix teacher_forcing_dalpha(const TeacherForcingActs *acts, size_t b)
{
    return weights_of(acts->dalpha, acts, b, 0);
}

static Matrix at_step(Matrix matrix, const Ragged *target, size_t t)
{
    return matrix.values ? ragged_step(matrix, target, t) : matrix;
}

/* Views of step t. */
static DecoderStep step_of(TeacherForcingActs *acts, size_t t, const DecoderParams *params,
                           bool backward)
{
    const Ragged *target = acts->batch.target;
    size_t rows = ragged_rows(target, t);
    for (size_t b = 0; b < rows; b++)
        acts->alpha_rows[b] = matrix_row(teacher_forcing_alpha(acts, b, 0), t);
    bool guided = backward && acts->dalpha;
    for (size_t b = 0; b < rows && guided; b++)
        acts->dalpha_rows[b] = matrix_row(teacher_forcing_dalpha(acts, b), t);
    Matrix concat = at_step(acts->concat, target, t);
    Matrix context = decoder_context_of(concat, params);
    return (DecoderStep){
        .rows = rows,
        .product_rows = ragged_rounded(target, rows),
        .padded = target->row_multiple > 1,
        .attention = {.rows = rows,
                      .sentence = acts->batch.source,
                      .alpha = acts->alpha_rows,
                      .query = at_step(acts->query, target, t),
                      .mixed = acts->mixed.columns ? at_step(acts->mixed, target, t) : context,
                      .context = context,
                      .dquery = at_step(acts->dquery, target, t),
                      .dmixed = backward ? matrix_rows(acts->dmixed, 0, rows) : (Matrix){0},
                      .dalpha = guided ? acts->dalpha_rows : NULL},
        .concat = concat,
        .s_before = at_step(acts->s_before, target, t),
        .gates = at_step(acts->gates, target, t),
        .hn = at_step(acts->hn, target, t),
        .hidden = acts->hidden,
        .phases = acts->phases,
    };
}

void teacher_forcing_forward(TeacherForcingActs *acts, const AttentionMemory *memory,
                             const DecoderParams *params)
{
    const Ragged *target = acts->batch.target;
    size_t all = ragged_rounded(target, target->tokens);
    decoder_input_forward(matrix_with_rows(acts->gates, all),
                          matrix_with_rows(decoder_input_of(acts->concat, params), all), params);
    for (size_t t = 0; t < target->steps; t++) {
        DecoderStep step = step_of(acts, t, params, false);
        decoder_step_forward(&step, memory, params);
        if (t + 1 == target->steps) break;
        Matrix s = decoder_state_of(step.concat, params);
        Matrix next = at_step(acts->s_before, target, t + 1);
        for (size_t b = 0; b < next.rows; b++)
            memcpy(matrix_row(next, b), matrix_row(s, b), s.columns * sizeof(real));
    }
    phases_enter(acts->phases, PHASE_READOUT);
    linear_tanh_forward(acts->r, acts->concat, all, &params->readout);
}

/* dV_b += α_bᵀ dM_b: what the mixtures of all steps give to the values, one product per sentence
 * and head. dmixed (N, 2H) sentence-major. */
static void values_backward(Matrix dvalues, Matrix dmixed, const TeacherForcingActs *acts,
                            const AttentionMemory *memory)
{
    const Ragged *target = acts->batch.target;
    for (size_t b = 0; b < target->count; b++) {
        Matrix dv = attention_sentence(dvalues, memory->begin, acts->batch.source[b]);  // (S, 2H)
        Matrix dm = matrix_rows(dmixed, target->sentence_begin[b], target->lengths[b]); // (T, 2H)
        for (size_t head = 0; head < acts->heads; head++)
            product_tn(attention_head(dv, head, acts->heads), teacher_forcing_alpha(acts, b, head),
                       attention_head(dm, head, acts->heads), PRODUCT_ADD);
    }
}

/* The attention's weights from all steps at once, and what the annotations get. */
static void attention_backward(const TeacherForcingGrads *grads, DecoderGrads *dparams,
                               AttentionMemoryGrads *dmemory, const TeacherForcingActs *acts,
                               const AttentionMemory *memory, const DecoderParams *params)
{
    const AttentionStep steps = {.rows = acts->batch.target->tokens,
                                 .query = acts->query,
                                 .mixed = acts->mixed,
                                 .dquery = acts->dquery};
    attention_steps_backward(&dparams->attention, &steps, acts->s_before,
                             decoder_context_of(grads->dconcat, params));
    values_backward(dmemory->dvalues, grads->dmixed, acts, memory);
    attention_memory_backward(dmemory, &dparams->attention, memory, &params->attention);
}

/* The decoder's GRU from all steps at once, and the rest of y's gradient. */
static void gru_backward(const TeacherForcingGrads *grads, DecoderGrads *dparams,
                         const TeacherForcingActs *acts, const DecoderParams *params)
{
    gru_weights_backward(&dparams->gru, acts->gates, acts->hn, acts->s_before);
    // [y; c] are neighbouring columns of concat
    size_t D = grads->ds.columns;
    Matrix inputs = matrix_columns(acts->concat, D, acts->concat.columns - D);
    product_backward_weight(dparams->gru.weight_ih, acts->gates, inputs);
    bias_backward(dparams->gru.bias_ih, acts->gates);
    Matrix dy = decoder_input_of(grads->dconcat, params);
    product_backward_input(dy, acts->gates, weight_columns(params->gru.weight_ih, 0, dy.columns),
                           PRODUCT_ADD);
}

void teacher_forcing_backward(TeacherForcingGrads *grads, DecoderGrads *dparams,
                              AttentionMemoryGrads *dmemory, TeacherForcingActs *acts,
                              const AttentionMemory *memory, const DecoderParams *params)
{
    const Ragged *target = acts->batch.target;
    phases_enter(acts->phases, PHASE_READOUT);
    linear_tanh_backward(grads->dconcat, &dparams->readout, grads->dr, acts->r, acts->concat,
                         &params->readout);
    memset(grads->ds.values, 0, grads->ds.rows * grads->ds.columns * sizeof(real));
    for (size_t t = target->steps; t-- > 0;) {
        DecoderStep step = step_of(acts, t, params, true);
        step.dconcat = at_step(grads->dconcat, target, t);
        step.attention.scratch = grads->scratch;
        // a sentence whose last step this is has no gradient from later steps: its row of ds is
        // still 0
        decoder_step_backward(matrix_rows(grads->ds, 0, step.rows), dparams, dmemory, &step, memory,
                              params);
        Matrix dm = step.attention.dmixed;
        for (size_t b = 0; b < step.rows; b++)
            memcpy(matrix_row(grads->dmixed, target->sentence_begin[b] + t), matrix_row(dm, b),
                   dm.columns * sizeof(real));
    }
    phases_enter(acts->phases, PHASE_ATTENTION);
    attention_backward(grads, dparams, dmemory, acts, memory, params);
    phases_enter(acts->phases, PHASE_DECODER);
    gru_backward(grads, dparams, acts, params);
}
