#include "linalg/quantise.h"

#include "math/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STEPS_AT_ONCE = 1024 };

bool rounded_rows_usable(const RoundedRows *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(rows->scales[i] <= FLT_MAX / INT8_LARGEST)) return false;
    return !rows->steps || !memchr(rows->steps, (unsigned char)INT8_MIN, count * rows->columns);
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

void int4_pack(uint8_t *pairs, const int8_t *steps, size_t rows, size_t columns)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t j = 0; j < columns; j += 2, pairs++) {
            const int8_t *pair = steps + row * columns + j;
            uint8_t low = int4_nearest(pair[0]);
            *pairs = (uint8_t)(low | (j + 1 < columns ? int4_nearest(pair[1]) : 0) << 4);
        }
}

void rounded_row_steps(int8_t *out, const RoundedRows *rows, size_t i, size_t first, size_t n)
{
    if (rows->steps) {
        memcpy(out, rows->steps + i * rows->columns + first, n);
        return;
    }
    const uint8_t *pairs = rows->pairs + i * int4_bytes(rows->columns);
    for (size_t j = first; j < first + n; j++)
        *out++ = int4_steps[j % 2 ? pairs[j / 2] >> 4 : pairs[j / 2] & 15];
}

void rounded_row_values(real *out, const RoundedRows *rows, size_t i)
{
    int8_t steps[STEPS_AT_ONCE];
    for (size_t at = 0, n; at < rows->columns; at += n) {
        n = rows->columns - at < STEPS_AT_ONCE ? rows->columns - at : STEPS_AT_ONCE;
        rounded_row_steps(steps, rows, i, at, n);
        kernels()->from_int8(out + at, steps, rows->scales[i], n);
    }
}
