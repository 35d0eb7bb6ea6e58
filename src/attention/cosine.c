/* Cosine attention (as in Graves, Wayne & Danihelka 2014, arXiv 1410.5401, section 3.3.1: content
 * addressing with a key strength):
 *
 *     e_tj = τ cos(W_q s_{t-1}, W_k h_j),      cos(x, y) = x̂ᵀ ŷ,      x̂ = x / max(|x|, 1e-8)
 *
 * A cosine lies between −1 and 1, so that without τ no weight of a softmax could be more than e² =
 * 7.4 times another: it could not sharpen, however long it learned. τ is learned, and starts at 10.
 *
 * Keys are stored normalised, each followed by its norm in one more column. */
#include "attention/attention.h"
#include "math/kernels.h"

#include <math.h>

static const real LEAST_NORM = (real)1e-8;

static AttentionWidths cosine_widths(const AttentionSizes *sizes)
{
    return (AttentionWidths){.heads = 1, .query = sizes->attention, .key = sizes->attention + 1};
}

static void cosine_visit(AttentionParams *params, AttentionGrads *grads, ParamVisitor *visitor,
                         const char *prefix, const AttentionSizes *sizes)
{
    size_t A = sizes->attention;
    params->heads = 1;
    param_visit_weight(visitor, &params->query.weight, &grads->query.weight, prefix, "query.weight",
                       (ParamShape){A, sizes->decoder});
    param_visit_weight(visitor, &params->key, &grads->key, prefix, "key.weight",
                       (ParamShape){A, sizes->annotation});
    param_visit_vector(visitor, &params->temperature, &grads->temperature, prefix, "temperature",
                       1);
}

// The keys of all sentences without the column of their norms, (N, A).
static Matrix without_norms(Matrix keys)
{
    return matrix_columns(keys, 0, keys.columns - 1);
}

static real norm_of(const real *x, size_t n)
{
    real norm = (real)sqrt((double)kernels()->dot(x, x, n));
    return norm > LEAST_NORM ? norm : LEAST_NORM;
}

/* From dx̂ (n), in place, to dx = (dx̂ − x̂ (x̂ᵀ dx̂)) / |x|. Where the norm is the least one, that
 * is a constant, and dx = dx̂ / 1e-8. */
static void normalise_backward(real *dx, const real *x_hat, real norm, size_t n)
{
    real along = norm > LEAST_NORM ? kernels()->dot(x_hat, dx, n) : 0;
    for (size_t i = 0; i < n; i++) dx[i] = (dx[i] - x_hat[i] * along) / norm;
}

static void cosine_memory_forward(AttentionMemory *memory, size_t rows,
                                  const AttentionParams *params)
{
    Matrix keys = without_norms(memory->keys);
    product_forward(matrix_with_rows(keys, rows), matrix_with_rows(memory->annotations, rows),
                    params->key, PRODUCT_SET);
    for (size_t i = 0; i < keys.rows; i++) {
        real *key = matrix_row(keys, i); // (A) and its norm
        real norm = key[keys.columns] = norm_of(key, keys.columns);
        for (size_t a = 0; a < keys.columns; a++) key[a] /= norm;
    }
}

static void cosine_energies(real *energies, const real *query, const AttentionMemory *memory,
                            uint32_t sentence, const AttentionParams *params)
{
    Matrix keys =
        without_norms(attention_sentence(memory->keys, memory->begin, sentence)); // (S, A)
    real scale = *params->temperature / norm_of(query, keys.columns);
    kernels()->gemv(energies, keys.values, query, keys.rows, keys.columns, keys.stride);
    for (size_t j = 0; j < keys.rows; j++) energies[j] *= scale;
}

static void cosine_step_forward(AttentionStep *step, Matrix s_before, const AttentionMemory *memory,
                                const AttentionParams *params)
{
    linear_forward(matrix_with_rows(step->query, s_before.rows), s_before, &params->query);
    for (size_t i = 0; i < step->rows; i++) {
        uint32_t sentence = step->sentence[i];
        cosine_energies(step->alpha[i], matrix_row(step->query, i), memory, sentence, params);
        attention_weigh(matrix_row(step->context, i), step->alpha[i],
                        attention_sentence(memory->values, memory->begin, sentence), 1);
    }
}

/* One row, from denergies (S), which it scales: sets dquery (A), adds to dk̂_j, returns dτ. */
static real energies_backward(real *dquery, Matrix dkeys, real *denergies, const real *query,
                              Matrix keys, real temperature)
{
    const Kernels *k = kernels();
    size_t S = keys.rows, A = keys.columns;
    real norm = norm_of(query, A), along;
    // g = Σ_j de_j k̂_j;  dτ = q̂ᵀ g;  dq̂ = τ g
    k->gemv_transposed(dquery, denergies, keys.values, S, A, keys.stride);
    along = k->dot(query, dquery, A) / norm;
    real dtemperature = along;
    if (norm == LEAST_NORM) along = 0;
    // dq = (dq̂ − q̂ (q̂ᵀ dq̂)) / |q|
    for (size_t a = 0; a < A; a++)
        dquery[a] = temperature / norm * (dquery[a] - query[a] / norm * along);
    // dk̂_j = τ de_j q̂
    for (size_t j = 0; j < S; j++) denergies[j] *= temperature / norm;
    k->ger(dkeys.values, denergies, query, S, A, dkeys.stride);
    return dtemperature;
}

static void cosine_step_backward(Matrix ds_before, AttentionGrads *dparams,
                                 AttentionMemoryGrads *dmemory, AttentionStep *step,
                                 const AttentionMemory *memory, const AttentionParams *params)
{
    Matrix all = without_norms(memory->keys), dall = without_norms(dmemory->dkeys); // (N, A)
    step->dmixed = step->dcontext;
    for (size_t i = 0; i < step->rows; i++) {
        uint32_t sentence = step->sentence[i];
        attention_weigh_backward(step->scratch, matrix_row(step->dcontext, i),
                                 attention_dalpha(step, i), step->alpha[i],
                                 attention_sentence(memory->values, memory->begin, sentence), 1);
        *dparams->temperature += energies_backward(
            matrix_row(step->dquery, i), attention_sentence(dall, memory->begin, sentence),
            step->scratch, matrix_row(step->query, i),
            attention_sentence(all, memory->begin, sentence), *params->temperature);
    }
    product_backward_input(ds_before, step->dquery, params->query.weight, PRODUCT_ADD);
}

static void cosine_steps_backward(AttentionGrads *dparams, const AttentionStep *steps,
                                  Matrix s_before, Matrix dcontext)
{
    (void)dcontext; // meets no weight
    product_backward_weight(dparams->query.weight, steps->dquery, s_before);
}

static void cosine_memory_backward(AttentionMemoryGrads *dmemory, AttentionGrads *dparams,
                                   const AttentionMemory *memory, const AttentionParams *params)
{
    Matrix keys = without_norms(memory->keys), dkeys = without_norms(dmemory->dkeys); // (N, A)
    for (size_t i = 0; i < keys.rows; i++) {
        const real *key = matrix_row(keys, i); // (A) and its norm
        normalise_backward(matrix_row(dkeys, i), key, key[keys.columns], keys.columns);
    }
    product_backward_weight(dparams->key, dkeys, memory->annotations);
    product_backward_input(dmemory->dannotations, dkeys, params->key, PRODUCT_ADD);
}

const AttentionScorer attention_cosine = {
    .name = "cosine",
    .query_formula = "W_q s_{t-1}",
    .query_width = "A",
    .energy_formula = "τ cos(q_t, W_k h_j)",
    .context_formula = "Σ_j α_tj h_j",
    .widths = cosine_widths,
    .visit = cosine_visit,
    .memory_forward = cosine_memory_forward,
    .energies = cosine_energies,
    .step_forward = cosine_step_forward,
    .step_backward = cosine_step_backward,
    .steps_backward = cosine_steps_backward,
    .memory_backward = cosine_memory_backward,
};
