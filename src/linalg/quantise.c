#include "linalg/quantise.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool rounded_rows_usable(const RoundedRows *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(rows->scales[i] <= FLT_MAX / INT8_LARGEST)) return false;
    return !memchr(rows->steps, (unsigned char)INT8_MIN, count * rows->columns);
}

float quantise_scale(const real *row, size_t n)
{
    const float most = INT8_LARGEST;
    float scale = (float)(int8_kernels()->magnitude(row, n) / INT8_LARGEST);
    if (scale < FLT_MIN) return 0;
    // for the largest floats 127 · scale must not overflow when it is read back
    if (isinf(most * scale)) scale = nextafterf(scale, 0);
    float below = nextafterf(scale, 0);
    return most * below == most * scale ? below : scale; // floats are at most two that are equal
}

int32_t quantise_row(int8_t *out, const real *row, float scale, size_t n)
{
    if (scale > 0) return int8_kernels()->round(out, row, 1 / (real)scale, n);
    memset(out, 0, n);
    return 0;
}
