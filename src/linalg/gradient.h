/* The gradient of a Weight: a matrix that products are added to.
 *
 * A backward pass adds to each gradient several times. The first product sets it instead, which
 * saves clearing the matrix and reading it back; so a Gradient tracks whether it holds anything
 * yet. */
#pragma once

#include "linalg/matrix.h"

typedef struct Backend Backend; // linalg/backend/backend.h

typedef struct Gradient {
    Matrix matrix;          // (out, in), as its weight
    const Backend *backend; // of the products added to it; NULL: OpenBLAS
    bool *unset;            // true: the matrix holds nothing yet, not even 0; NULL: it always does
} Gradient;

// A gradient whose matrix holds what is to be added to.
static inline Gradient gradient_of(Matrix matrix)
{
    return (Gradient){.matrix = matrix};
}

/* How the products of one layer, which together cover all rows, go into the gradient:
 * PRODUCT_SET if it is unset. From then on it counts as set. */
static inline ProductSum gradient_begin(Gradient gradient)
{
    if (!gradient.unset || !*gradient.unset) return PRODUCT_ADD;
    *gradient.unset = false;
    return PRODUCT_SET;
}

// Sets an unset gradient to 0, before values are added other than by products.
static inline void gradient_zero_if_unset(Gradient gradient)
{
    if (gradient_begin(gradient) == PRODUCT_SET) matrix_clear(gradient.matrix);
}
