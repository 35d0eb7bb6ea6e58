#include "linalg/quantise.h"

#include <float.h>
#include <math.h>

float quantise_int8(int8_t *out, const real *row, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs((double)row[i]));
    float scale = (float)(most / INT8_LARGEST);
    if (scale < FLT_MIN) scale = 0;
    // for the largest floats 127 · scale must not overflow when it is read back
    if (isinf((float)INT8_LARGEST * scale)) scale = nextafterf(scale, 0);
    for (size_t i = 0; i < n; i++) {
        double steps = scale > 0 ? rint((double)row[i] / (double)scale) : 0;
        out[i] = (int8_t)fmin(fmax(steps, -INT8_LARGEST), INT8_LARGEST);
    }
    return scale;
}
