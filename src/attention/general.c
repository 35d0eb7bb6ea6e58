/* Luong, Pham & Manning 2015, arXiv 1508.04025, section 3.1, "general":
 *
 *     e_tj = (W s_{t-1})ᵀ h_j
 *
 * as "dot" where D ≠ C, but always projected. Luong writes s_tᵀ W h_j, the same number with the
 * products in the other order. */
#include "attention/products.h"

const AttentionScorer attention_general = {
    .name = "general",
    .query_formula = "W s",
    .query_width = "C",
    .energy_formula = "q_tᵀ h_j",
    .context_formula = "Σ_j α_tj h_j",
    .tensors = ATTENTION_QUERY,
    .energies = products_energies,
    .energies_backward = products_backward,
};
