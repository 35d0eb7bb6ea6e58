#include "layers/embedding.h"

#include "math/kernels.h"

#include <assert.h>
#include <string.h>

void embedding_forward(Matrix x, Matrix table, const int32_t *tokens)
{
    assert(x.columns == table.columns);
    for (size_t i = 0; i < x.rows; i++) {
        assert(tokens[i] >= 0 && (size_t)tokens[i] < table.rows);
        memcpy(matrix_row(x, i), matrix_row(table, (size_t)tokens[i]), x.columns * sizeof(real));
    }
}

void embedding_backward(Gradient dtable, Matrix dx, const int32_t *tokens)
{
    const Kernels *k = kernels();
    gradient_zero_if_unset(dtable);
    for (size_t i = 0; i < dx.rows; i++)
        k->add(matrix_row(dtable.matrix, (size_t)tokens[i]), matrix_row(dx, i), dx.columns);
}
