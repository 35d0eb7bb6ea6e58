#include "attention/projections.h"

#include <math.h>

void projections_visit(AttentionParams *params, AttentionGrads *grads, ParamVisitor *visitor,
                       const char *prefix, const AttentionSizes *sizes)
{
    size_t A = sizes->attention, width = sizes->annotation;
    param_visit_weight(visitor, &params->query.weight, &grads->query.weight, prefix, "query.weight",
                       (ParamShape){A, sizes->decoder});
    param_visit_weight(visitor, &params->key, &grads->key, prefix, "key.weight",
                       (ParamShape){A, width});
    param_visit_weight(visitor, &params->value, &grads->value, prefix, "value.weight",
                       (ParamShape){width, width});
}

void projections_forward(AttentionMemory *memory, size_t rows, const AttentionParams *params)
{
    Matrix h = matrix_with_rows(memory->annotations, rows);
    product_forward(matrix_with_rows(memory->keys, rows), h, params->key, PRODUCT_SET);
    product_forward(matrix_with_rows(memory->values, rows), h, params->value, PRODUCT_SET);
}

void projections_backward(AttentionMemoryGrads *dmemory, AttentionGrads *dparams,
                          const AttentionMemory *memory, const AttentionParams *params)
{
    product_backward_weight(dparams->key, dmemory->dkeys, memory->annotations);
    product_backward_weight(dparams->value, dmemory->dvalues, memory->annotations);
    product_backward_input(dmemory->dannotations, dmemory->dkeys, params->key, PRODUCT_ADD);
    product_backward_input(dmemory->dannotations, dmemory->dvalues, params->value, PRODUCT_ADD);
}

// The rows of a query, or of its gradient, times 1 / √(A/heads).
static void scale(Matrix query, size_t heads)
{
    size_t width = query.columns / heads; // of a head
    real factor = (real)(1 / sqrt((double)width));
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
    product_backward_input(ds_before, step->dquery, params->query.weight, PRODUCT_ADD);
}
