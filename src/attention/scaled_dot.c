/* Vaswani et al. 2017, arXiv 1706.03762, section 3.2.1, with the decoder's state as the query:
 *
 *     e_tj = (W_q s_{t-1})ᵀ (W_k h_j) / √A          c_t = Σ_j α_tj W_v h_j
 *
 * The root keeps the energies of random vectors at the same spread whatever A is. */
#include "attention/products.h"

const AttentionScorer attention_scaled_dot = {
    .name = "scaled-dot",
    .query_formula = "W_q s / √A",
    .query_width = "A",
    .energy_formula = "q_tᵀ W_k h_j",
    .context_formula = "Σ_j α_tj W_v h_j",
    .tensors = ATTENTION_QUERY | ATTENTION_KEY | ATTENTION_VALUE,
    .query_forward = products_scale,
    .query_backward = products_scale,
    .energies = products_energies,
    .energies_backward = products_backward,
};
