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

static real norm_of(const real *x, size_t n)
{
    real norm = (real)sqrt((double)kernels()->dot(x, x, n));
    return norm > LEAST_NORM ? norm : LEAST_NORM;
}

// From the keys (N, A), before they are divided.
static void cosine_keys_forward(Matrix keys, const AttentionParams *params)
{
    (void)params;
    for (size_t i = 0; i < keys.rows; i++) {
        real *key = matrix_row(keys, i); // (A) and its norm
        real norm = key[keys.columns] = norm_of(key, keys.columns);
        for (size_t a = 0; a < keys.columns; a++) key[a] /= norm;
    }
}

/* From dx̂ (A), in place, to dx = (dx̂ − x̂ (x̂ᵀ dx̂)) / |x|. Where the norm is the least one, that
 * is a constant, and dx = dx̂ / 1e-8. */
static void cosine_keys_backward(Matrix dkeys, Matrix keys)
{
    size_t A = keys.columns;
    for (size_t i = 0; i < keys.rows; i++) {
        const real *key = matrix_row(keys, i); // (A) and its norm
        real *dkey = matrix_row(dkeys, i), norm = key[A];
        real along = norm > LEAST_NORM ? kernels()->dot(key, dkey, A) : 0;
        for (size_t a = 0; a < A; a++) dkey[a] = (dkey[a] - key[a] * along) / norm;
    }
}

static void cosine_energies(real *energies, const AttentionRow *row, const AttentionParams *params)
{
    Matrix keys = row->keys; // (S, A)
    real scale = *params->temperature / norm_of(row->query, keys.columns);
    kernels()->gemv(energies, keys.values, row->query, keys.rows, keys.columns, keys.stride);
    for (size_t j = 0; j < keys.rows; j++) energies[j] *= scale;
}

// Adds to dk̂_j, not dk_j: that is made of it once after all steps.
static void cosine_backward(real *dquery, Matrix dkeys, AttentionGrads *dparams, real *denergies,
                            const AttentionRow *row, const AttentionParams *params)
{
    const Kernels *k = kernels();
    const real *query = row->query, temperature = *params->temperature;
    Matrix keys = row->keys; // (S, A)
    size_t S = keys.rows, A = keys.columns;
    real norm = norm_of(query, A), along;
    // g = Σ_j de_j k̂_j;  dτ = q̂ᵀ g;  dq̂ = τ g
    k->gemv_transposed(dquery, denergies, keys.values, S, A, keys.stride);
    along = k->dot(query, dquery, A) / norm;
    *dparams->temperature += along;
    if (norm == LEAST_NORM) along = 0;
    // dq = (dq̂ − q̂ (q̂ᵀ dq̂)) / |q|
    for (size_t a = 0; a < A; a++)
        dquery[a] = temperature / norm * (dquery[a] - query[a] / norm * along);
    // dk̂_j = τ de_j q̂
    for (size_t j = 0; j < S; j++) denergies[j] *= temperature / norm;
    k->ger(dkeys.values, denergies, query, S, A, dkeys.stride);
}

const AttentionScorer attention_cosine = {
    .name = "cosine",
    .query_formula = "W_q s",
    .query_width = "A",
    .energy_formula = "τ cos(q_t, W_k h_j)",
    .context_formula = "Σ_j α_tj h_j",
    .tensors = ATTENTION_QUERY | ATTENTION_KEY | ATTENTION_TEMPERATURE,
    .keeps_norms = true,
    .keys_forward = cosine_keys_forward,
    .keys_backward = cosine_keys_backward,
    .energies = cosine_energies,
    .energies_backward = cosine_backward,
};
