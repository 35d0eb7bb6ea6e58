#include "layers/layer_norm.h"

#include "math/kernels.h"

static const real EPSILON = (real)1e-5;

void layer_norm_forward(Matrix y, Matrix x, real *scales, const LayerNormParams *params)
{
    const Kernels *k = kernels();
    assert(y.rows == x.rows && y.columns == x.columns);
    for (size_t i = 0; i < x.rows; i++)
        scales[i] = k->layer_norm_forward(matrix_row(y, i), matrix_row(x, i), params->weight,
                                          params->bias, EPSILON, x.columns);
}

void layer_norm_backward(Matrix dx, LayerNormGrads *dparams, Matrix dy, Matrix normalised,
                         const real *scales, const LayerNormParams *params)
{
    const Kernels *k = kernels();
    assert(dx.rows == dy.rows && dy.rows == normalised.rows && dy.columns == normalised.columns);
    for (size_t i = 0; i < dy.rows; i++)
        k->layer_norm_backward(matrix_row(dx, i), dparams->weight, dparams->bias, matrix_row(dy, i),
                               matrix_row(normalised, i), params->weight, scales[i], dy.columns);
}
