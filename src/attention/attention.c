#include "attention/attention.h"

static const AttentionScorer *const scorers[] = {
    &attention_additive, &attention_dot,        &attention_general, &attention_scaled_dot,
    &attention_cosine,   &attention_multi_head, &attention_none,
};
const char *const attention_scorer_names[] = {"additive", "dot",        "general", "scaled-dot",
                                              "cosine",   "multi-head", "none",    NULL};

const AttentionScorer *attention_scorer_named(const char *name)
{
    for (size_t i = 0; i < sizeof scorers / sizeof *scorers; i++)
        if (!strcmp(scorers[i]->name, name)) return scorers[i];
    return NULL;
}

AttentionWidths attention_widths(const AttentionScorer *scorer, const AttentionSizes *sizes)
{
    AttentionWidths widths = {.heads = scorer->has_heads ? sizes->heads : 1};
    if (scorer->energies) widths.query = sizes->annotation; // as the keys, where those are h
    if (scorer->tensors & ATTENTION_KEY) {
        widths.query = sizes->attention;
        widths.key = sizes->attention + scorer->keeps_norms;
    }
    if (scorer->tensors & ATTENTION_VALUE) widths.value = sizes->annotation;
    if (scorer->tensors & ATTENTION_OUTPUT) widths.mixed = sizes->annotation;
    return widths;
}

void attention_visit(AttentionParams *params, AttentionGrads *grads, ParamVisitor *visitor,
                     const char *prefix, const AttentionScorer *scorer, const AttentionSizes *sizes)
{
    const AttentionWidths widths = attention_widths(scorer, sizes);
    size_t K = widths.query, width = sizes->annotation;
    unsigned tensors = scorer->tensors;
    if (scorer->projects_if_needed && sizes->decoder == K) tensors &= ~(unsigned)ATTENTION_QUERY;
    params->widths = widths;
    if (tensors & ATTENTION_QUERY)
        param_visit_weight(visitor, &params->query.weight, &grads->query.weight, prefix,
                           "query.weight", (ParamShape){K, sizes->decoder});
    if (tensors & ATTENTION_QUERY_BIAS)
        param_visit_vector(visitor, &params->query.bias, &grads->query.bias, prefix, "query.bias",
                           K);
    if (tensors & ATTENTION_KEY)
        param_visit_weight(visitor, &params->key, &grads->key, prefix, "key.weight",
                           (ParamShape){K, width});
    if (tensors & ATTENTION_VALUE)
        param_visit_weight(visitor, &params->value, &grads->value, prefix, "value.weight",
                           (ParamShape){width, width});
    if (tensors & ATTENTION_OUTPUT)
        param_visit_weight(visitor, &params->output, &grads->output, prefix, "output.weight",
                           (ParamShape){width, width});
    if (tensors & ATTENTION_V) param_visit_vector(visitor, &params->v, &grads->v, prefix, "v", K);
    if (tensors & ATTENTION_TEMPERATURE)
        param_visit_vector(visitor, &params->temperature, &grads->temperature, prefix,
                           "temperature", 1);
}

void attention_memory_layout(AttentionMemory *memory, Arena *arena, Matrix annotations,
                             const Ragged *source, const AttentionWidths *widths)
{
    *memory = (AttentionMemory){.annotations = annotations,
                                .keys = annotations,
                                .values = annotations,
                                .begin = source->sentence_begin};
    if (widths->key)
        memory->keys = matrix_columns(ragged_take(arena, source, widths->key), 0, widths->query);
    if (widths->value) memory->values = ragged_take(arena, source, widths->value);
}

void attention_grads_layout(AttentionMemoryGrads *grads, Arena *arena, size_t tokens,
                            size_t annotation, const AttentionWidths *widths)
{
    Matrix dannotations = matrix_take(arena, tokens, annotation);
    *grads = (AttentionMemoryGrads){dannotations, dannotations, dannotations};
    if (widths->key) grads->dkeys = matrix_take(arena, tokens, widths->query);
    if (widths->value) grads->dvalues = matrix_take(arena, tokens, widths->value);
}

void attention_grads_clear(AttentionMemoryGrads *grads)
{
    matrix_clear(grads->dannotations);
    matrix_clear(grads->dkeys);
    matrix_clear(grads->dvalues);
}

void attention_mean_of_heads(real *mean, const real *alpha, size_t heads, size_t positions)
{
    const Kernels *k = kernels();
    memset(mean, 0, positions * sizeof *mean);
    for (size_t head = 0; head < heads; head++)
        k->add_scaled(mean, 1 / (real)heads, alpha + head * positions, positions);
}

/* The weights (S) of one head as they are asked for: those that are given at this step; 0 of what is
 * forbidden; and the others in proportion, so that the sum is 1. */
static void weigh_otherwise(real *alpha, size_t positions, const WhatIf *what_if, size_t step)
{
    double given = 0, rest = 0;
    size_t others = 0;
    for (size_t i = 0; i < what_if->forbidden_count; i++) alpha[what_if->forbidden[i]] = -1;
    for (size_t i = 0; i < what_if->weight_count; i++) {
        if (what_if->weights[i].step != step) continue;
        alpha[what_if->weights[i].source] = -1;
        given += what_if->weights[i].weight;
    }
    for (size_t j = 0; j < positions; j++) {
        if (alpha[j] == -1) continue;
        rest += (double)alpha[j];
        others++;
    }
    for (size_t j = 0; j < positions; j++) {
        if (alpha[j] == -1)
            alpha[j] = 0;
        else if (rest > 0)
            alpha[j] = (real)((double)alpha[j] * ((1 - given) / rest));
        else // all of the weight was on the tokens left out
            alpha[j] = (real)((1 - given) / (double)others);
    }
    for (size_t i = 0; i < what_if->weight_count; i++)
        if (what_if->weights[i].step == step)
            alpha[what_if->weights[i].source] = (real)what_if->weights[i].weight;
}

/* The weights of a row of a step (heads, S): α = softmax(e), or 1 / S where there are no energies. */
static void set_weights(real *alpha, const AttentionStep *step, size_t row,
                        const AttentionMemory *memory, const AttentionParams *params)
{
    uint32_t sentence = step->sentence[row];
    size_t positions = memory->begin[sentence + 1] - memory->begin[sentence];
    const WhatIf *what_if = step->what_if ? step->what_if[sentence] : NULL;
    if (memory->scorer->energies)
        attention_energies(alpha, matrix_row(step->query, row), memory, sentence, params);
    for (size_t head = 0; head < params->widths.heads; head++) {
        real *weights = alpha + head * positions; // (S)
        if (memory->scorer->energies)
            kernels()->softmax(weights, positions);
        else
            for (size_t j = 0; j < positions; j++) weights[j] = 1 / (real)positions;
        if (what_if) weigh_otherwise(weights, positions, what_if, step->number);
    }
}

// For one row: Σ_j α_j v_j, for each head with its columns of the sentence's values (S, C).
static void mix(real *mixed, const real *alpha, Matrix values, size_t heads)
{
    for (size_t head = 0; head < heads; head++) {
        Matrix v = attention_head(values, head, heads); // (S, C / heads)
        kernels()->gemv_transposed(mixed + head * v.columns, alpha + head * v.rows, v.values,
                                   v.rows, v.columns, v.stride);
    }
}

/* Its backward up to the energies: denergies (heads, S), set, from dmixed (C) and, unless NULL,
 * dalpha (heads, S). */
static void weigh_backward(real *denergies, const real *dmixed, const real *dalpha,
                           const real *alpha, Matrix values, size_t heads)
{
    const Kernels *k = kernels();
    for (size_t head = 0; head < heads; head++) {
        Matrix v = attention_head(values, head, heads); // (S, C / heads)
        size_t first = head * v.rows;
        real *de = denergies + first; // (S)
        // c = Σ_j α_j v_j, so dα_j = v_j · dc
        k->gemv(de, v.values, dmixed + head * v.columns, v.rows, v.columns, v.stride);
        if (dalpha) k->add(de, dalpha + first, v.rows);
        k->softmax_backward(de, de, alpha + first, v.rows);
    }
}

// Whether a tensor, or its gradient, is one of the scorer's.
static bool is_there(Matrix tensor)
{
    return tensor.rows > 0;
}

void attention_memory_forward(AttentionMemory *memory, const Ragged *source,
                              const AttentionParams *params)
{
    Matrix h = ragged_padded(memory->annotations, source);
    if (is_there(params->key.matrix))
        product_forward(ragged_padded(memory->keys, source), h, params->key, PRODUCT_SET);
    if (is_there(params->value.matrix))
        product_forward(ragged_padded(memory->values, source), h, params->value, PRODUCT_SET);
    if (memory->scorer->keys_forward) memory->scorer->keys_forward(memory->keys, params);
}

// A row's query and the keys of the sentence it looks at.
static AttentionRow row_of(const real *query, const AttentionMemory *memory, uint32_t sentence)
{
    return (AttentionRow){query, attention_sentence(memory->keys, memory->begin, sentence)};
}

void attention_energies(real *energies, const real *query, const AttentionMemory *memory,
                        uint32_t sentence, const AttentionParams *params)
{
    const AttentionRow row = row_of(query, memory, sentence);
    memory->scorer->energies(energies, &row, params);
}

void attention_context_forward(Matrix context, Matrix mixed, const AttentionParams *params)
{
    if (is_there(params->output.matrix))
        product_forward(context, mixed, params->output, PRODUCT_SET);
    else
        matrix_copy(context, mixed);
}

void attention_step_forward(AttentionStep *step, Matrix s_before, const AttentionMemory *memory,
                            const AttentionParams *params)
{
    const AttentionScorer *scorer = memory->scorer;
    Matrix query = matrix_with_rows(step->query, step->rows);
    if (is_there(params->query.weight.matrix))
        linear_forward(matrix_with_rows(query, s_before.rows), s_before, &params->query);
    else if (scorer->energies)
        matrix_copy(query, s_before);
    if (scorer->query_forward) scorer->query_forward(query, params);
    for (size_t i = 0; i < step->rows; i++) {
        set_weights(step->alpha[i], step, i, memory, params);
        mix(matrix_row(step->mixed, i), step->alpha[i],
            attention_sentence(memory->values, memory->begin, step->sentence[i]),
            params->widths.heads);
    }
    if (is_there(params->output.matrix))
        product_forward(matrix_with_rows(step->context, s_before.rows),
                        matrix_with_rows(step->mixed, s_before.rows), params->output, PRODUCT_SET);
}

void attention_step_backward(Matrix ds_before, AttentionGrads *dparams,
                             AttentionMemoryGrads *dmemory, AttentionStep *step,
                             const AttentionMemory *memory, const AttentionParams *params)
{
    const AttentionScorer *scorer = memory->scorer;
    if (is_there(params->output.matrix))
        product_backward_input(step->dmixed, step->dcontext, params->output, PRODUCT_SET);
    else
        step->dmixed = step->dcontext;
    if (!scorer->energies) return; // constant weights: a gradient that reaches them ends there
    for (size_t i = 0; i < step->rows; i++) {
        uint32_t sentence = step->sentence[i];
        const AttentionRow row = row_of(matrix_row(step->query, i), memory, sentence);
        weigh_backward(step->scratch, matrix_row(step->dmixed, i),
                       step->dalpha ? step->dalpha[i] : NULL, step->alpha[i],
                       attention_sentence(memory->values, memory->begin, sentence),
                       params->widths.heads);
        scorer->energies_backward(matrix_row(step->dquery, i),
                                  attention_sentence(dmemory->dkeys, memory->begin, sentence),
                                  dparams, step->scratch, &row, params);
    }
    if (scorer->query_backward) scorer->query_backward(step->dquery, params);
    if (is_there(params->query.weight.matrix))
        product_backward_input(ds_before, step->dquery, params->query.weight, PRODUCT_ADD);
    else
        for (size_t i = 0; i < step->rows; i++)
            kernels()->add(matrix_row(ds_before, i), matrix_row(step->dquery, i),
                           ds_before.columns);
}

void attention_steps_backward(AttentionGrads *dparams, const AttentionStep *steps, Matrix s_before,
                              Matrix dcontext)
{
    if (is_there(dparams->query.weight.matrix))
        product_backward_weight(dparams->query.weight, steps->dquery, s_before);
    if (dparams->query.bias) bias_backward(dparams->query.bias, steps->dquery);
    if (is_there(dparams->output.matrix))
        product_backward_weight(dparams->output, dcontext, steps->mixed);
}

// The backward of y = W h, where there is a W: from dy (N, ·), adds to dweight and dh.
static void projection_backward(Matrix dh, Gradient dweight, Matrix dy, Matrix h, Weight weight)
{
    if (!is_there(weight.matrix)) return;
    product_backward_weight(dweight, dy, h);
    product_backward_input(dh, dy, weight, PRODUCT_ADD);
}

void attention_memory_backward(AttentionMemoryGrads *dmemory, AttentionGrads *dparams,
                               const AttentionMemory *memory, const AttentionParams *params)
{
    Matrix dh = dmemory->dannotations, h = memory->annotations;
    if (memory->scorer->keys_backward) memory->scorer->keys_backward(dmemory->dkeys, memory->keys);
    projection_backward(dh, dparams->key, dmemory->dkeys, h, params->key);
    projection_backward(dh, dparams->value, dmemory->dvalues, h, params->value);
}
