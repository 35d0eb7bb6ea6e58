/* The scorers whose energies are products of a query and keys, for several heads each with its own
 * columns of both: e_tj = q_tᵀ k_j. They differ in what the two are. */
#include "attention/attention.h"
#include "math/kernels.h"

#include <math.h>

// AttentionScorer.energies
static void energies_of(real *energies, const AttentionRow *row, const AttentionParams *params)
{
    const Kernels *k = kernels();
    for (size_t head = 0; head < params->widths.heads; head++) {
        Matrix keys = attention_head(row->keys, head, params->widths.heads); // (S, K / heads)
        k->gemv(energies + head * keys.rows, keys.values, row->query + head * keys.columns,
                keys.rows, keys.columns, keys.stride);
    }
}

// AttentionScorer.energies_backward: dq = Σ_j de_j k_j and dk_j += de_j q, head by head
static void energies_backward(real *dquery, Matrix dkeys, AttentionGrads *dparams, real *denergies,
                              const AttentionRow *row, const AttentionParams *params)
{
    (void)dparams; // no tensor is in the energies themselves
    const Kernels *k = kernels();
    for (size_t head = 0; head < params->widths.heads; head++) {
        Matrix keys = attention_head(row->keys, head, params->widths.heads); // (S, K / heads)
        Matrix dkeys_k = attention_head(dkeys, head, params->widths.heads);  // (S, K / heads)
        size_t S = keys.rows, width = keys.columns;
        const real *de = denergies + head * S; // (S)
        k->gemv_transposed(dquery + head * width, de, keys.values, S, width, keys.stride);
        k->ger(dkeys_k.values, de, row->query + head * width, S, width, dkeys_k.stride);
    }
}

/* AttentionScorer.query_forward and .query_backward: queries (n, K), or their gradients, times
 * 1 / √(K/heads), which costs less on a query than on each of its energies. */
static void scale(Matrix query, const AttentionParams *params)
{
    size_t width = query.columns / params->widths.heads; // of a head
    real factor = (real)(1 / sqrt((double)width));
    for (size_t i = 0; i < query.rows; i++)
        for (size_t a = 0; a < query.columns; a++) matrix_row(query, i)[a] *= factor;
}

/* Luong, Pham & Manning 2015, arXiv 1508.04025, section 3.1, "dot":
 *
 *     e_tj = s_{t-1}ᵀ h_j          if D = C
 *     e_tj = (W s_{t-1})ᵀ h_j      else: a product needs both to be equally wide
 *
 * Luong's decoder scores with the state s_t of the step itself and mixes the context into the
 * output after it; here, as in Bahdanau's, the query is the state s_{t-1} before the step, and the
 * context enters the step. */
const AttentionScorer attention_dot = {
    .name = "dot",
    .query_formula = "s or W s",
    .query_width = "C",
    .energy_formula = "q_tᵀ h_j",
    .context_formula = "Σ_j α_tj h_j",
    .tensors = ATTENTION_QUERY,
    .projects_if_needed = true,
    .energies = energies_of,
    .energies_backward = energies_backward,
};

/* Luong, Pham & Manning 2015, arXiv 1508.04025, section 3.1, "general":
 *
 *     e_tj = (W s_{t-1})ᵀ h_j
 *
 * as "dot" where D ≠ C, but always projected. Luong writes s_tᵀ W h_j, the same number with the
 * products in the other order. */
const AttentionScorer attention_general = {
    .name = "general",
    .query_formula = "W s",
    .query_width = "C",
    .energy_formula = "q_tᵀ h_j",
    .context_formula = "Σ_j α_tj h_j",
    .tensors = ATTENTION_QUERY,
    .energies = energies_of,
    .energies_backward = energies_backward,
};

/* Vaswani et al. 2017, arXiv 1706.03762, section 3.2.1, with the decoder's state as the query:
 *
 *     e_tj = (W_q s_{t-1})ᵀ (W_k h_j) / √A          c_t = Σ_j α_tj W_v h_j
 *
 * The root keeps the energies of random vectors at the same spread whatever A is. */
const AttentionScorer attention_scaled_dot = {
    .name = "scaled-dot",
    .query_formula = "W_q s / √A",
    .query_width = "A",
    .energy_formula = "q_tᵀ W_k h_j",
    .context_formula = "Σ_j α_tj W_v h_j",
    .tensors = ATTENTION_QUERY | ATTENTION_KEY | ATTENTION_VALUE,
    .query_forward = scale,
    .query_backward = scale,
    .energies = energies_of,
    .energies_backward = energies_backward,
};

/* Vaswani et al. 2017, arXiv 1706.03762, section 3.2.2: scaled-dot in several heads, each with
 * A/heads columns of the queries and keys and C/heads columns of the values, so that one step can
 * look at several places for several reasons.
 *
 *     e_tj^k = q_t^kᵀ k_j^k / √(A/heads)      α_t^k = softmax(e_t^k)      m_t^k = Σ_j α_tj^k v_j^k
 *     c_t = W_O [m_t^1; …; m_t^heads]
 *
 * with q_t = W_q s_{t-1}, k_j = W_k h_j, v_j = W_v h_j, and ^k the columns of head k. */
const AttentionScorer attention_multi_head = {
    .name = "multi-head",
    .query_formula = "W_q s / √(A/heads)",
    .query_width = "A",
    .energy_formula = "q_tᵀ W_k h_j",
    .context_formula = "W_O [Σ_j α_tj W_v h_j]",
    .tensors = ATTENTION_QUERY | ATTENTION_KEY | ATTENTION_VALUE | ATTENTION_OUTPUT,
    .has_heads = true,
    .query_forward = scale,
    .query_backward = scale,
    .energies = energies_of,
    .energies_backward = energies_backward,
};
