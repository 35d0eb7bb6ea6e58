/* Scaled dot-product attention (Vaswani et al. 2017, arXiv 1706.03762, section 3.2.1), asked by the
 * decoder's state:
 *
 *     e_tj = (W_q s_{t-1})ᵀ (W_k h_j) / √A          c_t = Σ_j α_tj W_v h_j
 *
 * The root keeps the energies of random vectors at the same spread whatever A is. It is put into
 * the query, once for a row instead of once for a position. */
#include "attention/products.h"
#include "attention/projections.h"

static AttentionWidths scaled_dot_widths(const AttentionSizes *sizes)
{
    return (AttentionWidths){
        .heads = 1, .query = sizes->attention, .key = sizes->attention, .value = sizes->annotation};
}

static void scaled_dot_visit(AttentionParams *params, AttentionGrads *grads, ParamVisitor *visitor,
                             const char *prefix, const AttentionSizes *sizes)
{
    params->heads = 1;
    projections_visit(params, grads, visitor, prefix, sizes);
}

static void scaled_dot_step_forward(AttentionStep *step, Matrix s_before,
                                    const AttentionMemory *memory, const AttentionParams *params)
{
    projections_query_forward(step, s_before, params);
    products_forward(step, memory, params);
}

static void scaled_dot_step_backward(Matrix ds_before, AttentionGrads *dparams,
                                     AttentionMemoryGrads *dmemory, AttentionStep *step,
                                     const AttentionMemory *memory, const AttentionParams *params)
{
    (void)dparams; // the weights' gradients wait for all steps
    step->dmixed = step->dcontext;
    products_backward(dmemory, step, memory, params);
    projections_query_backward(ds_before, step, params);
}

static void scaled_dot_steps_backward(AttentionGrads *dparams, const AttentionStep *steps,
                                      Matrix s_before, Matrix dcontext)
{
    (void)dcontext; // meets no weight
    product_backward_weight(dparams->query.weight, steps->dquery, s_before);
}

const AttentionScorer attention_scaled_dot = {
    .name = "scaled-dot",
    .query_formula = "W_q s_{t-1} / √A",
    .query_width = "A",
    .energy_formula = "q_tᵀ W_k h_j",
    .context_formula = "Σ_j α_tj W_v h_j",
    .widths = scaled_dot_widths,
    .visit = scaled_dot_visit,
    .memory_forward = projections_forward,
    .energies = products_energies,
    .step_forward = scaled_dot_step_forward,
    .step_backward = scaled_dot_step_backward,
    .steps_backward = scaled_dot_steps_backward,
    .memory_backward = projections_backward,
};
