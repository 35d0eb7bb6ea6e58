/* y = x Wᵀ + b */
#pragma once

#include "layers/params.h"
#include "layers/ragged.h"
#include "linalg/product.h"

typedef struct LinearParams {
    Weight weight; // (out, in)
    real *bias;    // (out), or NULL for none
} LinearParams;

typedef struct LinearGrads {
    Gradient weight;
    real *bias;
} LinearGrads;

// Names `weight` and `bias`.
static inline void linear_visit(LinearParams *params, LinearGrads *grads, ParamVisitor *visitor,
                                const char *prefix, size_t out, size_t in)
{
    param_visit_weight(visitor, &params->weight, &grads->weight, prefix, "weight",
                       (ParamShape){out, in});
    param_visit_vector(visitor, &params->bias, &grads->bias, prefix, "bias", out);
}

// y (n, out) from x (n, in)
void linear_forward(Matrix y, Matrix x, const LinearParams *params);

/* From dy (n, out): adds to dparams, and sets or adds to dx (n, in), which may have values = NULL
 * if it is not needed. Nothing but x is saved. */
void linear_backward(Matrix dx, LinearGrads *dparams, Matrix dy, Matrix x,
                     const LinearParams *params, ProductSum sum);

/* y (n, out) = tanh(x Wᵀ + b) from x (n, in). The product is over n rounded up as `ragged` says,
 * for which both have memory. */
void linear_tanh_forward(Matrix y, Matrix x, const Ragged *ragged, const LinearParams *params);

/* From dy (n, out), which becomes the gradient before the tanh: sets dx (n, in) and adds to
 * dparams. y is forward's. */
void linear_tanh_backward(Matrix dx, LinearGrads *dparams, Matrix dy, Matrix y, Matrix x,
                          const LinearParams *params);

// dbias (out) += the sum of dy's rows
void bias_backward(real *dbias, Matrix dy);
