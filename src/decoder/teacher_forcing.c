#include "decoder/teacher_forcing.h"

void teacher_forcing_layout(TeacherForcingActs *acts, Arena *arena,
                            const TeacherForcingBatch *batch, const DecoderParams *params,
                            bool with_backward)
{
    const Ragged *target = batch->target;
    size_t N = target->tokens, B = target->count;
    const AttentionWidths *widths = &params->attention.widths;
    *acts = (TeacherForcingActs){.batch = *batch, .heads = widths->heads};
    decoder_step_layout(&acts->all, arena, N, ragged_steps_capacity(target),
                        ragged_rounded(target, B), params);
    if (with_backward) {
        acts->all.attention.dquery = matrix_take(arena, N, widths->query);
        acts->all.attention.dmixed = matrix_take(arena, B, widths->mixed);
    }
    // per step, since the loss rounds up the rows of each chunk, wherever it begins
    acts->r = ragged_take_steps(arena, target, params->readout.weight.matrix.rows);
    acts->alpha_begin = arena_take(arena, B + 1, sizeof *acts->alpha_begin);
    acts->alpha_rows = arena_take(arena, B, sizeof *acts->alpha_rows);
    size_t values = 0;
    for (size_t b = 0; b < B; b++) {
        if (acts->alpha_begin) acts->alpha_begin[b] = values;
        const size_t *begin = batch->memory_begin + batch->source[b];
        size_t S = begin[1] - begin[0];
        values += target->lengths[b] * widths->heads * S;
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

/* The rows of step t of a matrix that only the conditional GRU has. */
static Matrix step_of_second(Matrix matrix, const Ragged *target, size_t t)
{
    return matrix.columns ? ragged_step(matrix, target, t) : matrix;
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
    const DecoderStep *all = &acts->all;
    Matrix concat = ragged_step(all->concat, target, t);
    Matrix context = decoder_context_of(concat, params);
    return (DecoderStep){
        .rows = rows,
        .ragged = target,
        .attention = {.rows = rows,
                      .sentence = acts->batch.source,
                      .alpha = acts->alpha_rows,
                      .what_if = acts->batch.what_if,
                      .number = t,
                      .query = ragged_step(all->attention.query, target, t),
                      .mixed = all->attention.mixed.columns
                                   ? ragged_step(all->attention.mixed, target, t)
                                   : context,
                      .context = context,
                      .dquery =
                          backward ? ragged_step(all->attention.dquery, target, t) : (Matrix){0},
                      .dmixed = matrix_with_rows(all->attention.dmixed, rows),
                      .dalpha = guided ? acts->dalpha_rows : NULL},
        .concat = concat,
        .s_before = ragged_step(all->s_before, target, t),
        .gates = ragged_step(all->gates, target, t),
        .hn = ragged_step(all->hn, target, t),
        .hidden = all->hidden,
        .s_between = step_of_second(all->s_between, target, t),
        .second_gates = step_of_second(all->second_gates, target, t),
        .second_hn = step_of_second(all->second_hn, target, t),
    };
}

void teacher_forcing_forward(TeacherForcingActs *acts, const AttentionMemory *memory,
                             const DecoderParams *params)
{
    const Ragged *target = acts->batch.target;
    Matrix concat = acts->all.concat, s_before = acts->all.s_before;
    decoder_input_forward(acts->all.gates, decoder_input_of(concat, params), target, params);
    for (size_t t = 0; t < target->steps; t++) {
        DecoderStep step = step_of(acts, t, params, false);
        decoder_step_forward(&step, memory, params);
        if (t + 1 == target->steps) break;
        matrix_copy(ragged_step(s_before, target, t + 1), decoder_state_of(step.concat, params));
    }
    linear_tanh_forward(acts->r, concat, target, &params->readout);
}

/* dV_b += α_bᵀ dM_b: what the mixtures of all steps give to the values, one product per sentence
 * and head. dmixed (N, C) sentence-major. */
static void values_backward(Matrix dvalues, Matrix dmixed, const TeacherForcingActs *acts,
                            const AttentionMemory *memory)
{
    const Ragged *target = acts->batch.target;
    for (size_t b = 0; b < target->count; b++) {
        Matrix dv = attention_sentence(dvalues, memory->begin, acts->batch.source[b]);  // (S, C)
        Matrix dm = matrix_rows(dmixed, target->sentence_begin[b], target->lengths[b]); // (T, C)
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
    attention_steps_backward(&dparams->attention, &acts->all.attention,
                             decoder_query_state(&acts->all, params),
                             decoder_context_of(grads->dconcat, params));
    values_backward(dmemory->dvalues, grads->dmixed, acts, memory);
    attention_memory_backward(dmemory, &dparams->attention, memory, &params->attention);
}

/* The weights of the conditional GRU's second transition, from all steps at once. */
static void second_backward(GruGrads *dsecond, const TeacherForcingActs *acts,
                            const DecoderParams *params)
{
    const DecoderStep *all = &acts->all;
    Matrix dgates = all->second_gates;
    gru_weights_backward(dsecond, dgates, all->second_hn, all->s_between);
    product_backward_weight(dsecond->weight_ih, dgates, decoder_context_of(all->concat, params));
    bias_backward(dsecond->bias_ih, dgates);
}

/* The decoder's GRU from all steps at once, and the rest of y's gradient. */
static void gru_backward(const TeacherForcingGrads *grads, DecoderGrads *dparams,
                         const TeacherForcingActs *acts, const DecoderParams *params)
{
    Matrix dgates = acts->all.gates, concat = acts->all.concat;
    gru_weights_backward(&dparams->gru, dgates, acts->all.hn, acts->all.s_before);
    // [y; c] are neighbouring columns of concat
    size_t D = grads->ds.columns;
    Matrix inputs = matrix_columns(concat, D, params->gru.weight_ih.matrix.columns);
    product_backward_weight(dparams->gru.weight_ih, dgates, inputs);
    bias_backward(dparams->gru.bias_ih, dgates);
    Matrix dy = decoder_input_of(grads->dconcat, params);
    product_backward_input(dy, dgates, weight_columns(params->gru.weight_ih, 0, dy.columns),
                           PRODUCT_ADD);
}

void teacher_forcing_backward(TeacherForcingGrads *grads, DecoderGrads *dparams,
                              AttentionMemoryGrads *dmemory, TeacherForcingActs *acts,
                              const AttentionMemory *memory, const DecoderParams *params)
{
    const Ragged *target = acts->batch.target;
    linear_tanh_backward(grads->dconcat, &dparams->readout, grads->dr, acts->r, acts->all.concat,
                         &params->readout);
    matrix_clear(grads->ds);
    for (size_t t = target->steps; t-- > 0;) {
        DecoderStep step = step_of(acts, t, params, true);
        step.dconcat = ragged_step(grads->dconcat, target, t);
        step.attention.scratch = grads->scratch;
        // a sentence whose last step this is has no gradient from later steps: its row of ds is
        // still 0
        decoder_step_backward(matrix_rows(grads->ds, 0, step.rows), dparams, dmemory, &step, memory,
                              params);
        Matrix dm = step.attention.dmixed;
        for (size_t b = 0; b < step.rows; b++)
            matrix_copy_row(grads->dmixed, target->sentence_begin[b] + t, dm, b);
    }
    attention_backward(grads, dparams, dmemory, acts, memory, params);
    gru_backward(grads, dparams, acts, params);
    if (params->conditional) second_backward(&dparams->second, acts, params);
}
