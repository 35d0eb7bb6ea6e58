#include "layers/dropout.h"

#include "math/kernels.h"

void dropout_mask(real *mask, size_t n, const DropoutKey *key, DropoutPlace place,
                  uint32_t sentence, uint32_t position)
{
    // sixteen bits decide an element: P is rounded to a multiple of 2⁻¹⁶
    const uint32_t threshold = (uint32_t)((double)key->probability * 65536.0 + 0.5);
    const real kept = (real)(1.0 / (1.0 - (double)threshold / 65536.0));
    const uint32_t counter[4] = {(uint32_t)place, position, sentence, key->step};
    kernels()->dropout_mask(mask, counter, key->seed, threshold, kept, n);
}

void dropout_apply(Matrix x, Matrix mask)
{
    if (!mask.values) return;
    assert(x.rows == mask.rows && x.columns == mask.columns);
    const Kernels *k = kernels();
    for (size_t i = 0; i < x.rows; i++)
        k->multiply(matrix_row(x, i), matrix_row(mask, i), x.columns);
}
