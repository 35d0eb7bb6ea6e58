#include "attention/projections.h"

#include <math.h>

void projections_visit(AttentionParams *params, ParamVisitor *visitor, const char *prefix,
                       const AttentionSizes *sizes)
{
    size_t A = sizes->attention, width = sizes->annotation;
    param_visit_matrix(visitor, &params->query.weight, prefix, "query.weight", A, sizes->decoder);
    param_visit_matrix(visitor, &params->key, prefix, "key.weight", A, width);
    param_visit_matrix(visitor, &params->value, prefix, "value.weight", width, width);
}

void projections_forward(AttentionMemory *memory, size_t rows, const AttentionParams *params)
{
    Matrix h = matrix_with_rows(memory->annotations, rows);
    gemm_forward(matrix_with_rows(memory->keys, rows), h, params->key, GEMM_SET);
    gemm_forward(matrix_with_rows(memory->values, rows), h, params->value, GEMM_SET);
}

void projections_backward(AttentionMemoryGrads *dmemory, AttentionParams *dparams,
                          const AttentionMemory *memory, const AttentionParams *params)
{
    gemm_backward_weight(dparams->key, dmemory->dkeys, memory->annotations);
    gemm_backward_weight(dparams->value, dmemory->dvalues, memory->annotations);
    gemm_backward_input(dmemory->dannotations, dmemory->dkeys, params->key, GEMM_ADD);
    gemm_backward_input(dmemory->dannotations, dmemory->dvalues, params->value, GEMM_ADD);
}

// The rows of a query, or of its gradient, times 1 / √(A/heads).
static void scale(Matrix query, size_t heads)
{
    real factor = (real)(1 / sqrt((double)(query.columns / heads)));
    for (size_t i = 0; i < query.rows; i++)
        for (size_t a = 0; a < query.columns; a++) matrix_row(query, i)[a] *= factor;
}

void projections_query_forward(AttentionStep *step, Matrix s_before, const AttentionParams *params)
{
    linear_forward(matrix_with_rows(step->query, s_before.rows), s_before, &params->query);
    scale(matrix_with_rows(step->query, step->rows), params->heads);
}

void projections_query_backward(Matrix ds_before, AttentionStep *step,
                                const AttentionParams *params)
{
    scale(step->dquery, params->heads);
    gemm_backward_input(ds_before, step->dquery, params->query.weight, GEMM_ADD);
}
