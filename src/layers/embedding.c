#include "layers/embedding.h"

#include "math/kernels.h"

void embedding_forward(Matrix x, Weight table, const int32_t *tokens)
{
    weight_copy_rows(x, table, tokens);
}

void embedding_backward(Gradient dtable, Matrix dx, const int32_t *tokens)
{
    const Kernels *k = kernels();
    gradient_zero_if_unset(dtable);
    for (size_t i = 0; i < dx.rows; i++)
        k->add(matrix_row(dtable.matrix, (size_t)tokens[i]), matrix_row(dx, i), dx.columns);
}
