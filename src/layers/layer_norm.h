/* Layer normalisation (Ba, Kiros & Hinton 2016, arXiv 1607.06450), row by row:
 *
 *     y = (x − μ) / √(σ² + ε) ⊙ w + b
 *
 * μ and σ² are the mean and the variance (divided by n, not n − 1) of the row's own n numbers, ε is
 * 1e-5: PyTorch's nn.LayerNorm. A row depends on no other row, so it has the same bits in any
 * batch. */
#pragma once

#include "layers/params.h"

typedef struct LayerNormParams {
    real *weight; // (n)
    real *bias;   // (n)
} LayerNormParams;

typedef LayerNormParams LayerNormGrads;

// Names `weight` and `bias`.
static inline void layer_norm_visit(LayerNormParams *params, LayerNormGrads *grads,
                                    ParamVisitor *visitor, const char *prefix, size_t n)
{
    param_visit_vector(visitor, &params->weight, &grads->weight, prefix, "weight", n);
    param_visit_vector(visitor, &params->bias, &grads->bias, prefix, "bias", n);
}

/* y (rows, n) from x (rows, n), which becomes (x − μ) / √(σ² + ε); that and scales (rows), 1 / √(σ²
 * + ε), are what backward needs. */
void layer_norm_forward(Matrix y, Matrix x, real *scales, const LayerNormParams *params);

/* From dy (rows, n): sets dx (rows, n), which may be dy, and adds to dparams. `normalised` and
 * scales are what forward made of x. */
void layer_norm_backward(Matrix dx, LayerNormGrads *dparams, Matrix dy, Matrix normalised,
                         const real *scales, const LayerNormParams *params);
