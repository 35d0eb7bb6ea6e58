/* Dot-product attention (Luong, Pham & Manning 2015, arXiv 1508.04025, section 3.1, "dot"):
 *
 *     e_tj = s_{t-1}ᵀ h_j          if D = 2H
 *     e_tj = (W s_{t-1})ᵀ h_j      else: a product needs both to be equally wide
 *
 * Luong's decoder scores with the state s_t of the step itself and mixes the context into the
 * output after it; here, as in Bahdanau's, the query is the state s_{t-1} before the step, and
 * the context enters the step. The annotations are keys and values both, so nothing is computed
 * beforehand. */
#include "attention/products.h"
#include "math/kernels.h"

#include <string.h>

static AttentionWidths dot_widths(const AttentionSizes *sizes)
{
    return (AttentionWidths){.heads = 1, .query = sizes->annotation};
}

static void dot_visit(AttentionParams *params, AttentionGrads *grads, ParamVisitor *visitor,
                      const char *prefix, const AttentionSizes *sizes)
{
    params->heads = 1;
    if (sizes->decoder == sizes->annotation) return;
    param_visit_weight(visitor, &params->query.weight, &grads->query.weight, prefix, "query.weight",
                       (ParamShape){sizes->annotation, sizes->decoder});
}

static bool is_projected(const AttentionParams *params)
{
    return params->query.weight.matrix.rows > 0;
}

static void dot_memory_forward(AttentionMemory *memory, size_t rows, const AttentionParams *params)
{
    (void)memory, (void)rows, (void)params; // keys and values are the annotations
}

static void dot_step_forward(AttentionStep *step, Matrix s_before, const AttentionMemory *memory,
                             const AttentionParams *params)
{
    if (is_projected(params))
        linear_forward(matrix_with_rows(step->query, s_before.rows), s_before, &params->query);
    else
        for (size_t i = 0; i < step->rows; i++)
            memcpy(matrix_row(step->query, i), matrix_row(s_before, i),
                   s_before.columns * sizeof(real));
    products_forward(step, memory, params);
}

static void dot_step_backward(Matrix ds_before, AttentionGrads *dparams,
                              AttentionMemoryGrads *dmemory, AttentionStep *step,
                              const AttentionMemory *memory, const AttentionParams *params)
{
    (void)dparams; // W's gradient waits for all steps
    step->dmixed = step->dcontext;
    products_backward(dmemory, step, memory, params);
    if (is_projected(params))
        product_backward_input(ds_before, step->dquery, params->query.weight, PRODUCT_ADD);
    else
        for (size_t i = 0; i < step->rows; i++)
            kernels()->add(matrix_row(ds_before, i), matrix_row(step->dquery, i),
                           ds_before.columns);
}

static void dot_steps_backward(AttentionGrads *dparams, const AttentionStep *steps, Matrix s_before,
                               Matrix dcontext)
{
    (void)dcontext; // meets no weight
    if (dparams->query.weight.matrix.rows > 0)
        product_backward_weight(dparams->query.weight, steps->dquery, s_before);
}

static void dot_memory_backward(AttentionMemoryGrads *dmemory, AttentionGrads *dparams,
                                const AttentionMemory *memory, const AttentionParams *params)
{
    (void)dmemory, (void)dparams, (void)memory, (void)params; // dkeys are dannotations
}

const AttentionScorer attention_dot = {
    .name = "dot",
    .query_formula = "s_{t-1} or W s_{t-1}",
    .query_width = "2H",
    .energy_formula = "q_tᵀ h_j",
    .context_formula = "Σ_j α_tj h_j",
    .projects_if_needed = true,
    .widths = dot_widths,
    .visit = dot_visit,
    .memory_forward = dot_memory_forward,
    .energies = products_energies,
    .step_forward = dot_step_forward,
    .step_backward = dot_step_backward,
    .steps_backward = dot_steps_backward,
    .memory_backward = dot_memory_backward,
};
