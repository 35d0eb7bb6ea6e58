/* Multi-head attention (Vaswani et al. 2017, arXiv 1706.03762, section 3.2.2), asked by the
 * decoder's state: scaled-dot in several heads, each with A/heads columns of the queries and keys
 * and 2H/heads columns of the values, so that one step can look at several places for several
 * reasons.
 *
 *     e_tj^k = q_t^kᵀ k_j^k / √(A/heads)      α_t^k = softmax(e_t^k)      m_t^k = Σ_j α_tj^k v_j^k
 *     c_t = W_O [m_t^1; …; m_t^heads]
 *
 * with q_t = W_q s_{t-1}, k_j = W_k h_j, v_j = W_v h_j, and ^k the columns of head k. */
#include "attention/products.h"
#include "attention/projections.h"

static AttentionWidths multi_head_widths(const AttentionSizes *sizes)
{
    return (AttentionWidths){.heads = sizes->heads,
                             .query = sizes->attention,
                             .key = sizes->attention,
                             .value = sizes->annotation,
                             .mixed = sizes->annotation};
}

static void multi_head_visit(AttentionParams *params, AttentionGrads *grads, ParamVisitor *visitor,
                             const char *prefix, const AttentionSizes *sizes)
{
    params->heads = sizes->heads;
    projections_visit(params, grads, visitor, prefix, sizes);
    param_visit_weight(visitor, &params->output, &grads->output, prefix, "output.weight",
                       (ParamShape){sizes->annotation, sizes->annotation});
}

static void multi_head_step_forward(AttentionStep *step, Matrix s_before,
                                    const AttentionMemory *memory, const AttentionParams *params)
{
    projections_query_forward(step, s_before, params);
    products_forward(step, memory, params);
    product_forward(matrix_with_rows(step->context, s_before.rows),
                    matrix_with_rows(step->mixed, s_before.rows), params->output, PRODUCT_SET);
}

static void multi_head_step_backward(Matrix ds_before, AttentionGrads *dparams,
                                     AttentionMemoryGrads *dmemory, AttentionStep *step,
                                     const AttentionMemory *memory, const AttentionParams *params)
{
    (void)dparams; // the weights' gradients wait for all steps
    product_backward_input(step->dmixed, step->dcontext, params->output, PRODUCT_SET);
    products_backward(dmemory, step, memory, params);
    projections_query_backward(ds_before, step, params);
}

static void multi_head_steps_backward(AttentionGrads *dparams, const AttentionStep *steps,
                                      Matrix s_before, Matrix dcontext)
{
    product_backward_weight(dparams->query.weight, steps->dquery, s_before);
    product_backward_weight(dparams->output, dcontext, steps->mixed);
}

const AttentionScorer attention_multi_head = {
    .name = "multi-head",
    .query_formula = "W_q s_{t-1} / √(A/heads)",
    .query_width = "A",
    .energy_formula = "q_tᵀ W_k h_j",
    .context_formula = "W_O [Σ_j α_tj W_v h_j]",
    .widths = multi_head_widths,
    .visit = multi_head_visit,
    .memory_forward = projections_forward,
    .energies = products_energies,
    .step_forward = multi_head_step_forward,
    .step_backward = multi_head_step_backward,
    .steps_backward = multi_head_steps_backward,
    .memory_backward = projections_backward,
};
