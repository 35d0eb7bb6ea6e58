/* x_i = table[token_i] */
#pragma once

#include "linalg/gradient.h"
#include "linalg/weight.h"
#include "math/kernels.h"

// x (n, E) from table (V, E) and tokens (n), each in 0 … V-1; rounded where its backend rounds
static inline void embedding_forward(Matrix x, Weight table, const int32_t *tokens)
{
    weight_copy_rows(x, table, tokens);
}

// dtable (V, E) += dx (n, E) at the tokens' rows, in order
static inline void embedding_backward(Gradient dtable, Matrix dx, const int32_t *tokens)
{
    const Kernels *k = kernels();
    gradient_zero_if_unset(dtable);
    for (size_t i = 0; i < dx.rows; i++)
        k->add(matrix_row(dtable.matrix, (size_t)tokens[i]), matrix_row(dx, i), dx.columns);
}
