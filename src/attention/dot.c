/* Luong, Pham & Manning 2015, arXiv 1508.04025, section 3.1, "dot":
 *
 *     e_tj = s_{t-1}ᵀ h_j          if D = C
 *     e_tj = (W s_{t-1})ᵀ h_j      else: a product needs both to be equally wide
 *
 * Luong's decoder scores with the state s_t of the step itself and mixes the context into the
 * output after it; here, as in Bahdanau's, the query is the state s_{t-1} before the step, and the
 * context enters the step. */
#include "attention/products.h"

const AttentionScorer attention_dot = {
    .name = "dot",
    .query_formula = "s or W s",
    .query_width = "C",
    .energy_formula = "q_tᵀ h_j",
    .context_formula = "Σ_j α_tj h_j",
    .tensors = ATTENTION_QUERY,
    .projects_if_needed = true,
    .energies = products_energies,
    .energies_backward = products_backward,
};
