#include "layers/linear.h"

#include "math/kernels.h"

void linear_visit(LinearParams *params, ParamVisitor *visitor, const char *prefix, size_t out,
                  size_t in, bool with_bias)
{
    param_visit_matrix(visitor, &params->weight, prefix, "weight", out, in);
    params->bias = NULL;
    if (with_bias) param_visit_vector(visitor, &params->bias, prefix, "bias", out);
}

void linear_forward(Matrix y, Matrix x, const LinearParams *params)
{
    gemm_forward(y, x, params->weight, GEMM_SET);
    for (size_t i = 0; params->bias && i < y.rows; i++)
        kernels()->add(matrix_row(y, i), params->bias, y.columns);
}

void linear_backward(Matrix dx, LinearParams *dparams, Matrix dy, Matrix x,
                     const LinearParams *params, GemmSum sum)
{
    if (dparams->bias) bias_backward(dparams->bias, dy);
    gemm_backward_weight(dparams->weight, dy, x); // first, for dx may be x
    if (dx.values) gemm_backward_input(dx, dy, params->weight, sum);
}

void bias_backward(real *dbias, Matrix dy)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < dy.rows; i++) k->add(dbias, matrix_row(dy, i), dy.columns);
}
