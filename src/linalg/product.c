#include "linalg/product.h"

#include "linalg/backend/backend.h"

/* y = x · wᵀ by dot products: a row has the same bits whatever the others are, and no memory is
 * needed. */
static void multiply_by_dots(Matrix y, Matrix x, Matrix w, ProductSum sum)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < y.rows; i++)
        for (size_t j = 0; j < y.columns; j++) {
            real *result = matrix_row(y, i) + j;
            real value = k->dot(matrix_row(x, i), matrix_row(w, j), x.columns);
            *result = sum == PRODUCT_ADD ? *result + value : value;
        }
}

void product_forward_operand(Matrix y, const Operand *x, Weight w, ProductSum sum)
{
    assert(y.rows == x->matrix.rows && y.columns == w.matrix.rows &&
           x->matrix.columns == w.matrix.columns);
    const Backend *backend = weight_backend(w);
    bool few = y.columns < PRODUCT_FEW_OUTPUTS && backend->row_multiple > 1;
    if (!few && backend->forward(y, x, w, sum)) return;
    // a packed weight's backend that does not multiply has no memory left; backends_check tells
    if (few || (w.packed && w.packed->forward))
        multiply_by_dots(y, x->matrix, w.matrix, sum);
    else
        backend_openblas.forward(y, x, w, sum);
}

void product_backward_input_operand(Matrix dx, const Operand *dy, Weight w, ProductSum sum)
{
    assert(dx.rows == dy->matrix.rows && dy->matrix.columns == w.matrix.rows &&
           dx.columns == w.matrix.columns);
    const Backend *backend = weight_backend(w);
    if (!backend->backward_input || !backend->backward_input(dx, dy, w, sum))
        backend_openblas.backward_input(dx, dy, w, sum);
}

void product_backward_weight_rows(Gradient dw, size_t first, const Operand *dy, const Operand *x,
                                  ProductSum sum)
{
    assert(dy->matrix.rows == x->matrix.rows && dw.matrix.columns == x->matrix.columns);
    if (x->matrix.rows == 0) return;
    Matrix rows = matrix_rows(dw.matrix, first, dy->matrix.columns);
    const Backend *backend = dw.backend;
    if (!backend || !backend->backward_weight || !backend->backward_weight(rows, dy, x, sum))
        backend_openblas.backward_weight(rows, dy, x, sum);
}

void product_backward_weight(Gradient dw, Matrix dy, Matrix x)
{
    const Operand left = operand_of(dy), right = operand_of(x);
    assert(dw.matrix.rows == dy.columns);
    if (x.rows > 0) product_backward_weight_rows(dw, 0, &left, &right, gradient_begin(dw));
}

void product(Matrix c, Matrix a, Matrix b, ProductSum sum)
{
    assert(c.rows == a.rows && a.columns == b.rows && c.columns == b.columns);
    openblas_multiply(c, a, false, b, false, sum);
}

void product_nt(Matrix c, Matrix a, Matrix b, ProductSum sum)
{
    product_forward(c, a, weight_of(b), sum);
}

void product_tn(Matrix c, Matrix a, Matrix b, ProductSum sum)
{
    assert(c.rows == a.columns && a.rows == b.rows && c.columns == b.columns);
    if (a.rows > 0) openblas_multiply(c, a, true, b, false, sum);
}
