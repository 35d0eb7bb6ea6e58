#include "layers/linear.h"

void linear_forward(Matrix y, Matrix x, const LinearParams *params)
{
    product_forward(y, x, params->weight, PRODUCT_SET);
    for (size_t i = 0; params->bias && i < y.rows; i++)
        kernels()->add(matrix_row(y, i), params->bias, y.columns);
}

void linear_backward(Matrix dx, LinearGrads *dparams, Matrix dy, Matrix x,
                     const LinearParams *params, ProductSum sum)
{
    if (dparams->bias) bias_backward(dparams->bias, dy);
    product_backward_weight(dparams->weight, dy, x); // first, for dx may be x
    if (dx.values) product_backward_input(dx, dy, params->weight, sum);
}

void linear_tanh_forward(Matrix y, Matrix x, const Ragged *ragged, const LinearParams *params)
{
    const Kernels *k = kernels();
    product_forward(ragged_padded(y, ragged), ragged_padded(matrix_with_rows(x, y.rows), ragged),
                    params->weight, PRODUCT_SET);
    for (size_t i = 0; i < y.rows; i++) k->bias_tanh(matrix_row(y, i), params->bias, y.columns);
}

void linear_tanh_backward(Matrix dx, LinearGrads *dparams, Matrix dy, Matrix y, Matrix x,
                          const LinearParams *params)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < y.rows; i++)
        k->tanh_backward(matrix_row(dy, i), matrix_row(dy, i), matrix_row(y, i), y.columns);
    linear_backward(dx, dparams, dy, x, params, PRODUCT_SET);
}

void bias_backward(real *dbias, Matrix dy)
{
    kernels()->add_rows(dbias, dy.values, dy.rows, dy.columns, dy.stride);
}
