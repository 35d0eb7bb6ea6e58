/* Every product of two matrices in Regard goes through these functions, which choose the backend
 * (linalg/backend/backend.h). Assertions check shapes; nothing here can fail. */
#pragma once

#include "linalg/gradient.h"
#include "linalg/operand.h"
#include "linalg/weight.h"

/* The three products of a linear layer with weight w (out, in), for n rows:
 *
 *     y (n, out) = x (n, in) · wᵀ     dx (n, in) = dy (n, out) · w     dw (out, in) += dyᵀ · x
 *
 * The third makes dy.columns rows of a gradient from `first` on; one gradient_begin tells how all of
 * them go in. */
void product_forward_operand(Matrix y, const Operand *x, Weight w, ProductSum sum);
void product_backward_input_operand(Matrix dx, const Operand *dy, Weight w, ProductSum sum);
void product_backward_weight_rows(Gradient dw, size_t first, const Operand *dy, const Operand *x,
                                  ProductSum sum);

// The same with factors that are used once.
static inline void product_forward(Matrix y, Matrix x, Weight w, ProductSum sum)
{
    const Operand operand = operand_of(x);
    product_forward_operand(y, &operand, w, sum);
}

static inline void product_backward_input(Matrix dx, Matrix dy, Weight w, ProductSum sum)
{
    const Operand operand = operand_of(dy);
    product_backward_input_operand(dx, &operand, w, sum);
}

void product_backward_weight(Gradient dw, Matrix dy, Matrix x);

// Products of matrices that are no parameters: c = a·b, a·bᵀ, aᵀ·b.
void product(Matrix c, Matrix a, Matrix b, ProductSum sum);
void product_nt(Matrix c, Matrix a, Matrix b, ProductSum sum);
void product_tn(Matrix c, Matrix a, Matrix b, ProductSum sum);

/* OpenBLAS computes results of up to 1200 numbers by another kernel, so that below 51 outputs 24
 * rows and 48 would differ, and oneDNN in bf16 does so below 4 outputs. So few outputs are a dot
 * product each, packed or not, unless the backend's rows are exact for any number of them. Only
 * tiny models have them. */
enum { PRODUCT_FEW_OUTPUTS = 51 };
