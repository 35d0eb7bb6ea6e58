/* Additive attention (Bahdanau, Cho & Bengio 2014, arXiv 1409.0473, appendix A.1.2):
 *
 *     e_tj = vᵀ tanh(W_a s_{t-1} + b_a + U_a h_j)
 *
 * The keys U_a h_j do not depend on t and are computed once per sentence. The tanh of every (t, j)
 * is computed again in backward rather than stored: T·B·S·A values would be the largest thing in
 * memory. */
#include "attention/attention.h"
#include "math/kernels.h"

enum { TENSORS = ATTENTION_QUERY | ATTENTION_QUERY_BIAS | ATTENTION_KEY | ATTENTION_V };

static void additive_energies(real *energies, const AttentionRow *row,
                              const AttentionParams *params)
{
    kernels()->additive_forward(energies, row->query, row->keys.values, params->v, row->keys.rows,
                                row->keys.columns);
}

static void additive_backward(real *dquery, Matrix dkeys, AttentionGrads *dparams, real *denergies,
                              const AttentionRow *row, const AttentionParams *params)
{
    const Kernels *k = kernels();
    Matrix keys = row->keys; // (S, A)
    memset(dquery, 0, keys.columns * sizeof *dquery);
    for (size_t j = 0; j < keys.rows; j++)
        k->additive_backward(dquery, matrix_row(dkeys, j), dparams->v, denergies[j], row->query,
                             matrix_row(keys, j), params->v, keys.columns);
}

/* In search the same keys meet one query after another. tanh(q + k) = 1 − 2/(e^{2q} e^{2k} + 1), so
 * with queries and keys kept as e^{2q} and e^{2k} an energy takes products and divisions but no
 * exponential; the constant Σ v, which all energies of a row have in common, drops out of the
 * softmax. */
static void exp2x_rows(Matrix rows, const AttentionParams *params)
{
    (void)params;
    for (size_t i = 0; i < rows.rows; i++)
        kernels()->exp2x(matrix_row(rows, i), matrix_row(rows, i), rows.columns);
}

static void search_energies(real *energies, const AttentionRow *row, const AttentionParams *params)
{
    kernels()->additive_products(energies, row->query, row->keys.values, params->v, row->keys.rows,
                                 row->keys.columns);
}

static const AttentionScorer additive_in_search = {
    .name = "additive",
    .tensors = TENSORS,
    .keys_forward = exp2x_rows,
    .query_forward = exp2x_rows,
    .energies = search_energies,
};

const AttentionScorer attention_additive = {
    .name = "additive",
    .in_search = &additive_in_search,
    .query_formula = "W_a s + b_a",
    .query_width = "A",
    .energy_formula = "vᵀ tanh(q_t + U_a h_j)",
    .context_formula = "Σ_j α_tj h_j",
    .tensors = TENSORS,
    .energies = additive_energies,
    .energies_backward = additive_backward,
};
