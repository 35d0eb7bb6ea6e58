/* No attention: every step sees the mean annotation, the same vector whatever it is about to say.
 *
 *     α_tj = 1 / S          c_t = Σ_j h_j / S
 *
 * The fixed-length encoder–decoder (Cho et al. 2014, arXiv 1406.1078; Sutskever et al. 2014, arXiv
 * 1409.3215), whose bottleneck attention was invented to break: what the others are compared with.
 * It has no tensors and no energies. */
#include "attention/attention.h"

const AttentionScorer attention_none = {.name = "none", .context_formula = "Σ_j h_j / S"};
