/* Additive attention (Bahdanau, Cho & Bengio 2014, arXiv 1409.0473, appendix A.1.2):
 *
 *     e_tj = vᵀ tanh(W_a s_{t-1} + b_a + U_a h_j)
 *
 * The keys U_a h_j do not depend on t and are computed once per sentence. The tanh of every (t, j)
 * is computed again in backward rather than stored: T·B·S·A values would be the largest thing in
 * memory. */
#include "attention/attention.h"
#include "math/kernels.h"

#include <string.h>

static AttentionWidths additive_widths(const AttentionSizes *sizes)
{
    return (AttentionWidths){.heads = 1, .query = sizes->attention, .key = sizes->attention};
}

static void additive_visit(AttentionParams *params, AttentionGrads *grads, ParamVisitor *visitor,
                           const char *prefix, const AttentionSizes *sizes)
{
    size_t A = sizes->attention;
    params->heads = 1;
    param_visit_weight(visitor, &params->query.weight, &grads->query.weight, prefix, "query.weight",
                       (ParamShape){A, sizes->decoder});
    param_visit_vector(visitor, &params->query.bias, &grads->query.bias, prefix, "query.bias", A);
    param_visit_weight(visitor, &params->key, &grads->key, prefix, "key.weight",
                       (ParamShape){A, sizes->annotation});
    param_visit_vector(visitor, &params->v, &grads->v, prefix, "v", A);
}

static void additive_memory_forward(AttentionMemory *memory, size_t rows,
                                    const AttentionParams *params)
{
    product_forward(matrix_with_rows(memory->keys, rows),
                    matrix_with_rows(memory->annotations, rows), params->key, PRODUCT_SET);
}

static void additive_energies(real *energies, const real *query, const AttentionMemory *memory,
                              uint32_t sentence, const AttentionParams *params)
{
    Matrix keys = attention_sentence(memory->keys, memory->begin, sentence); // (S, A)
    kernels()->additive_forward(energies, query, keys.values, params->v, keys.rows, keys.columns);
}

/* Row i's weights from its energies, and its context. */
static void weigh(AttentionStep *step, size_t i, const AttentionMemory *memory)
{
    attention_weigh(matrix_row(step->context, i), step->alpha[i],
                    attention_sentence(memory->values, memory->begin, step->sentence[i]), 1);
}

static void additive_step_forward(AttentionStep *step, Matrix s_before,
                                  const AttentionMemory *memory, const AttentionParams *params)
{
    linear_forward(matrix_with_rows(step->query, s_before.rows), s_before, &params->query);
    for (size_t i = 0; i < step->rows; i++) {
        additive_energies(step->alpha[i], matrix_row(step->query, i), memory, step->sentence[i],
                          params);
        weigh(step, i, memory);
    }
}

static void additive_step_backward(Matrix ds_before, AttentionGrads *dparams,
                                   AttentionMemoryGrads *dmemory, AttentionStep *step,
                                   const AttentionMemory *memory, const AttentionParams *params)
{
    const Kernels *k = kernels();
    step->dmixed = step->dcontext;
    for (size_t i = 0; i < step->rows; i++) {
        uint32_t sentence = step->sentence[i];
        Matrix keys = attention_sentence(memory->keys, memory->begin, sentence);    // (S, A)
        Matrix dkeys = attention_sentence(dmemory->dkeys, memory->begin, sentence); // (S, A)
        real *dquery = matrix_row(step->dquery, i);                                 // (A)
        attention_weigh_backward(step->scratch, matrix_row(step->dcontext, i),
                                 attention_dalpha(step, i), step->alpha[i],
                                 attention_sentence(memory->values, memory->begin, sentence), 1);
        memset(dquery, 0, keys.columns * sizeof *dquery);
        // e_j = vᵀ tanh(q + k_j)
        for (size_t j = 0; j < keys.rows; j++)
            k->additive_backward(dquery, matrix_row(dkeys, j), dparams->v, step->scratch[j],
                                 matrix_row(step->query, i), matrix_row(keys, j), params->v,
                                 keys.columns);
    }
    // q = W_a s + b_a
    product_backward_input(ds_before, step->dquery, params->query.weight, PRODUCT_ADD);
}

static void additive_steps_backward(AttentionGrads *dparams, const AttentionStep *steps,
                                    Matrix s_before, Matrix dcontext)
{
    (void)dcontext; // meets no weight
    product_backward_weight(dparams->query.weight, steps->dquery, s_before);
    bias_backward(dparams->query.bias, steps->dquery);
}

static void additive_memory_backward(AttentionMemoryGrads *dmemory, AttentionGrads *dparams,
                                     const AttentionMemory *memory, const AttentionParams *params)
{
    // k_j = U_a h_j
    product_backward_weight(dparams->key, dmemory->dkeys, memory->annotations);
    product_backward_input(dmemory->dannotations, dmemory->dkeys, params->key, PRODUCT_ADD);
}

/* In search the same keys meet one query after another. tanh(q + k) = 1 − 2/(e^{2q} e^{2k} + 1),
 * so with keys kept as e^{2k} an energy takes products and divisions but no exponential; the
 * constant Σ v, which all energies of a row have in common, drops out of the softmax. */
static void search_memory_forward(AttentionMemory *memory, size_t rows,
                                  const AttentionParams *params)
{
    additive_memory_forward(memory, rows, params);
    for (size_t i = 0; i < memory->keys.rows; i++)
        kernels()->exp2x(matrix_row(memory->keys, i), matrix_row(memory->keys, i),
                         memory->keys.columns);
}

static void search_step_forward(AttentionStep *step, Matrix s_before, const AttentionMemory *memory,
                                const AttentionParams *params)
{
    const Kernels *k = kernels();
    linear_forward(matrix_with_rows(step->query, s_before.rows), s_before, &params->query);
    for (size_t i = 0; i < step->rows; i++) {
        Matrix keys = attention_sentence(memory->keys, memory->begin, step->sentence[i]); // (S, A)
        real *query = matrix_row(step->query, i);                                         // (A)
        k->exp2x(query, query, keys.columns);
        k->additive_products(step->alpha[i], query, keys.values, params->v, keys.rows,
                             keys.columns);
        weigh(step, i, memory);
    }
}

static const AttentionScorer additive_in_search = {
    .name = "additive",
    .widths = additive_widths,
    .memory_forward = search_memory_forward,
    .step_forward = search_step_forward,
};

const AttentionScorer attention_additive = {
    .name = "additive",
    .in_search = &additive_in_search,
    .query_formula = "W_a s_{t-1} + b_a",
    .query_width = "A",
    .energy_formula = "vᵀ tanh(q_t + U_a h_j)",
    .context_formula = "Σ_j α_tj h_j",
    .widths = additive_widths,
    .visit = additive_visit,
    .memory_forward = additive_memory_forward,
    .energies = additive_energies,
    .step_forward = additive_step_forward,
    .step_backward = additive_step_backward,
    .steps_backward = additive_steps_backward,
    .memory_backward = additive_memory_backward,
};
