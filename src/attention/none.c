/* No attention: every step sees the mean annotation, the same vector whatever it is about to say.
 *
 *     α_tj = 1 / S          c_t = Σ_j h_j / S
 *
 * The fixed-length encoder–decoder (Cho et al. 2014, arXiv 1406.1078; Sutskever et al. 2014, arXiv
 * 1409.3215), whose bottleneck attention was invented to break: what the others are compared with.
 * It has no tensors and no energies. */
#include "attention/attention.h"
#include "math/kernels.h"

static AttentionWidths none_widths(const AttentionSizes *sizes)
{
    (void)sizes;
    return (AttentionWidths){.heads = 1};
}

static void none_visit(AttentionParams *params, AttentionGrads *grads, ParamVisitor *visitor,
                       const char *prefix, const AttentionSizes *sizes)
{
    (void)grads, (void)visitor, (void)prefix, (void)sizes;
    params->heads = 1;
}

static void none_memory_forward(AttentionMemory *memory, size_t rows, const AttentionParams *params)
{
    (void)memory, (void)rows, (void)params; // the annotations are all there is
}

static void none_step_forward(AttentionStep *step, Matrix s_before, const AttentionMemory *memory,
                              const AttentionParams *params)
{
    (void)s_before, (void)params;
    for (size_t i = 0; i < step->rows; i++) {
        Matrix h = attention_sentence(memory->values, memory->begin, step->sentence[i]); // (S, 2H)
        for (size_t j = 0; j < h.rows; j++) step->alpha[i][j] = 1 / (real)h.rows;
        kernels()->gemv_transposed(matrix_row(step->context, i), step->alpha[i], h.values, h.rows,
                                   h.columns, h.stride);
    }
}

static void none_step_backward(Matrix ds_before, AttentionGrads *dparams,
                               AttentionMemoryGrads *dmemory, AttentionStep *step,
                               const AttentionMemory *memory, const AttentionParams *params)
{
    (void)ds_before, (void)dparams, (void)dmemory, (void)memory, (void)params;
    step->dmixed =
        step->dcontext; // the weights are constants: a gradient that reaches them ends there
}

static void none_steps_backward(AttentionGrads *dparams, const AttentionStep *steps,
                                Matrix s_before, Matrix dcontext)
{
    (void)dparams, (void)steps, (void)s_before, (void)dcontext;
}

static void none_memory_backward(AttentionMemoryGrads *dmemory, AttentionGrads *dparams,
                                 const AttentionMemory *memory, const AttentionParams *params)
{
    (void)dmemory, (void)dparams, (void)memory, (void)params;
}

const AttentionScorer attention_none = {
    .name = "none",
    .context_formula = "Σ_j h_j / S",
    .widths = none_widths,
    .visit = none_visit,
    .memory_forward = none_memory_forward,
    .step_forward = none_step_forward,
    .step_backward = none_step_backward,
    .steps_backward = none_steps_backward,
    .memory_backward = none_memory_backward,
};
