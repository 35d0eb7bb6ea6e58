/* y = x Wᵀ + b */
#ifndef REGARD_LAYERS_LINEAR_H
#define REGARD_LAYERS_LINEAR_H

#include "linalg/params.h"

typedef struct LinearParams {
    Matrix weight; // (out, in)
    real *bias;    // (out), or NULL for none
} LinearParams;

// Names `weight` and, if `with_bias`, `bias`.
void linear_visit(LinearParams *params, ParamVisitor *visitor, const char *prefix, size_t out,
                  size_t in, bool with_bias);

// y (n, out) from x (n, in)
void linear_forward(Matrix y, Matrix x, const LinearParams *params);

/* From dy (n, out): adds to dparams, and sets or adds to dx (n, in), which may have values = NULL
 * if nobody wants it. Nothing but x is saved. */
void linear_backward(Matrix dx, LinearParams *dparams, Matrix dy, Matrix x,
                     const LinearParams *params, GemmSum sum);

// dbias (out) += the sum of dy's rows
void bias_backward(real *dbias, Matrix dy);

#endif
