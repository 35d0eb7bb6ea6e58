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

static const int8_t int4_steps[] = {-127, -89, -67, -51, -38, -26, -15, -5,
                                    5,    15,  26,  38,  51,  67,  89,  127};

static uint8_t int4_nearest(int step)
{
    uint8_t code = 0;
    while (code < 15 && 2 * step > int4_steps[code] + int4_steps[code + 1]) code++;
    return code;
}

void int4_pack(uint8_t *packed, const int8_t *steps, size_t rows, size_t columns)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t j = 0; j < columns; j += 2, packed++) {
            const int8_t *pair = steps + row * columns + j;
            uint8_t low = int4_nearest(pair[0]);
            *packed = (uint8_t)(low | (j + 1 < columns ? int4_nearest(pair[1]) : 0) << 4);
        }
}

void int4_unpack(int8_t *steps, const uint8_t *packed, size_t rows, size_t columns)
{
    for (size_t row = 0; row < rows; row++, steps += columns % 2) {
        for (size_t j = 0; j + 1 < columns; j += 2, packed++) {
            *steps++ = int4_steps[*packed & 15];
            *steps++ = int4_steps[*packed >> 4];
        }
        if (columns % 2) *steps = int4_steps[*packed++ & 15];
    }
}
