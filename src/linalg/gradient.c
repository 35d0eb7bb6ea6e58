#include "linalg/gradient.h"

ProductSum gradient_begin(Gradient gradient)
{
    if (!gradient.unset || !*gradient.unset) return PRODUCT_ADD;
    *gradient.unset = false;
    return PRODUCT_SET;
}

void gradient_zero_if_unset(Gradient gradient)
{
    if (gradient_begin(gradient) == PRODUCT_SET)
        matrix_clear_padding(matrix_with_rows(gradient.matrix, 0), gradient.matrix.rows);
}
