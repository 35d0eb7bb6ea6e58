/* General attention (Luong, Pham & Manning 2015, arXiv 1508.04025, section 3.1, "general"):
 *
 *     e_tj = (W s_{t-1})ᵀ h_j
 *
 * As dot.c where D ≠ 2H, but learned always. Luong writes s_tᵀ W h_j, which is the same number by
 * the other order of products, with the state s_t of the step itself; here, as in Bahdanau's
 * decoder, the query is the state s_{t-1} before the step. */
#include "attention/products.h"

static AttentionWidths general_widths(const AttentionSizes *sizes)
{
    return (AttentionWidths){.heads = 1, .query = sizes->annotation};
}

static void general_visit(AttentionParams *params, AttentionGrads *grads, ParamVisitor *visitor,
                          const char *prefix, const AttentionSizes *sizes)
{
    params->heads = 1;
    param_visit_weight(visitor, &params->query.weight, &grads->query.weight, prefix, "query.weight",
                       (ParamShape){sizes->annotation, sizes->decoder});
}

static void general_memory_forward(AttentionMemory *memory, size_t rows,
                                   const AttentionParams *params)
{
    (void)memory, (void)rows, (void)params; // keys and values are the annotations
}

static void general_step_forward(AttentionStep *step, Matrix s_before,
                                 const AttentionMemory *memory, const AttentionParams *params)
{
    linear_forward(matrix_with_rows(step->query, s_before.rows), s_before, &params->query);
    products_forward(step, memory, params);
}

static void general_step_backward(Matrix ds_before, AttentionGrads *dparams,
                                  AttentionMemoryGrads *dmemory, AttentionStep *step,
                                  const AttentionMemory *memory, const AttentionParams *params)
{
    (void)dparams; // W's gradient waits for all steps
    step->dmixed = step->dcontext;
    products_backward(dmemory, step, memory, params);
    product_backward_input(ds_before, step->dquery, params->query.weight, PRODUCT_ADD);
}

static void general_steps_backward(AttentionGrads *dparams, const AttentionStep *steps,
                                   Matrix s_before, Matrix dcontext)
{
    (void)dcontext; // meets no weight
    product_backward_weight(dparams->query.weight, steps->dquery, s_before);
}

static void general_memory_backward(AttentionMemoryGrads *dmemory, AttentionGrads *dparams,
                                    const AttentionMemory *memory, const AttentionParams *params)
{
    (void)dmemory, (void)dparams, (void)memory, (void)params; // dkeys are dannotations
}

const AttentionScorer attention_general = {
    .name = "general",
    .query_formula = "W s_{t-1}",
    .query_width = "2H",
    .energy_formula = "q_tᵀ h_j",
    .context_formula = "Σ_j α_tj h_j",
    .widths = general_widths,
    .visit = general_visit,
    .memory_forward = general_memory_forward,
    .energies = products_energies,
    .step_forward = general_step_forward,
    .step_backward = general_step_backward,
    .steps_backward = general_steps_backward,
    .memory_backward = general_memory_backward,
};
