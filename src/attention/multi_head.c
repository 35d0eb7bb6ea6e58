/* Vaswani et al. 2017, arXiv 1706.03762, section 3.2.2: scaled-dot in several heads, each with
 * A/heads columns of the queries and keys and C/heads columns of the values, so that one step can
 * look at several places for several reasons.
 *
 *     e_tj^k = q_t^kᵀ k_j^k / √(A/heads)      α_t^k = softmax(e_t^k)      m_t^k = Σ_j α_tj^k v_j^k
 *     c_t = W_O [m_t^1; …; m_t^heads]
 *
 * with q_t = W_q s_{t-1}, k_j = W_k h_j, v_j = W_v h_j, and ^k the columns of head k. */
#include "attention/products.h"

const AttentionScorer attention_multi_head = {
    .name = "multi-head",
    .query_formula = "W_q s / √(A/heads)",
    .query_width = "A",
    .energy_formula = "q_tᵀ W_k h_j",
    .context_formula = "W_O [Σ_j α_tj W_v h_j]",
    .tensors = ATTENTION_QUERY | ATTENTION_KEY | ATTENTION_VALUE | ATTENTION_OUTPUT,
    .has_heads = true,
    .query_forward = products_scale,
    .query_backward = products_scale,
    .energies = products_energies,
    .energies_backward = products_backward,
};
