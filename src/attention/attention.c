#include "attention/attention.h"

#include "math/kernels.h"

#include <string.h>

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

void attention_memory_layout(AttentionMemory *memory, Arena *arena, Matrix annotations,
                             size_t capacity, const size_t *begin, const AttentionWidths *widths)
{
    size_t N = annotations.rows;
    *memory = (AttentionMemory){
        .annotations = annotations, .keys = annotations, .values = annotations, .begin = begin};
    if (widths->key) memory->keys = matrix_take_padded(arena, N, capacity, widths->key);
    if (widths->value) memory->values = matrix_take_padded(arena, N, capacity, widths->value);
}

void attention_grads_layout(AttentionMemoryGrads *grads, Arena *arena, size_t tokens,
                            size_t annotation, const AttentionWidths *widths)
{
    Matrix dannotations = matrix_take(arena, tokens, annotation);
    *grads = (AttentionMemoryGrads){dannotations, dannotations, dannotations};
    if (widths->key) grads->dkeys = matrix_take(arena, tokens, widths->key);
    if (widths->value) grads->dvalues = matrix_take(arena, tokens, widths->value);
}

void attention_grads_clear(AttentionMemoryGrads *grads)
{
    const Matrix *matrices[] = {&grads->dannotations, &grads->dkeys, &grads->dvalues};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        memset(matrices[i]->values, 0, matrices[i]->rows * matrices[i]->columns * sizeof(real));
}

void attention_mean_of_heads(real *mean, const real *alpha, size_t heads, size_t positions)
{
    const Kernels *k = kernels();
    memset(mean, 0, positions * sizeof *mean);
    for (size_t head = 0; head < heads; head++)
        k->add_scaled(mean, 1 / (real)heads, alpha + head * positions, positions);
}

void attention_weigh(real *mixed, real *alpha, Matrix values, size_t heads)
{
    const Kernels *k = kernels();
    for (size_t head = 0; head < heads; head++) {
        Matrix v = attention_head(values, head, heads); // (S, 2H / heads)
        real *weights = alpha + head * v.rows;          // (S)
        k->softmax(weights, v.rows);
        k->gemv_transposed(mixed + head * v.columns, weights, v.values, v.rows, v.columns,
                           v.stride);
    }
}

void attention_weigh_backward(real *denergies, const real *dmixed, const real *dalpha,
                              const real *alpha, Matrix values, size_t heads)
{
    const Kernels *k = kernels();
    for (size_t head = 0; head < heads; head++) {
        Matrix v = attention_head(values, head, heads); // (S, 2H / heads)
        size_t first = head * v.rows;
        real *de = denergies + first; // (S)
        // c = Σ_j α_j v_j, so dα_j = v_j · dc
        k->gemv(de, v.values, dmixed + head * v.columns, v.rows, v.columns, v.stride);
        if (dalpha) k->add(de, dalpha + first, v.rows);
        k->softmax_backward(de, de, alpha + first, v.rows);
    }
}
