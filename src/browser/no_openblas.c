/* What stands in for OpenBLAS where there is none: products in int8 need it for self-attention alone. */
#include "linalg/backend/backend.h"

#include <stdio.h>

Status backends_start(size_t threads, Error *error)
{
    (void)threads, (void)error;
    return STATUS_OK;
}

// a_ik, of a factor that may be transposed
static real entry(Matrix a, bool transposed, size_t i, size_t k)
{
    return transposed ? matrix_row(a, k)[i] : matrix_row(a, i)[k];
}

void openblas_multiply(Matrix c, Matrix a, bool a_transposed, Matrix b, bool b_transposed,
                       ProductSum sum)
{
    const size_t inner = a_transposed ? a.rows : a.columns;
    for (size_t i = 0; i < c.rows; i++)
        for (size_t j = 0; j < c.columns; j++) {
            real value = sum == PRODUCT_ADD ? matrix_row(c, i)[j] : 0;
            for (size_t k = 0; k < inner; k++)
                value += entry(a, a_transposed, i, k) * entry(b, b_transposed, k, j);
            matrix_row(c, i)[j] = value;
        }
}

static bool forward(Matrix y, const Operand *x, Weight w, ProductSum sum)
{
    openblas_multiply(y, x->matrix, false, w.matrix, true, sum);
    return true;
}

static bool always(void)
{
    return true;
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "loops");
}

const Backend backend_openblas = {
    .name = "loops_float32",
    .title = "loops float32",
    .type = COMPUTE_FLOAT32,
    .available = always,
    .chosen_for = backend_for_any,
    .row_multiple = 1,
    .rows_exact = always,
    .describe = describe,
    .forward = forward,
};
