/* The kernels that round to bf16: a part of kernels_body.h, which includes it. */
#ifndef REGARD_TENSOR_KERNELS_BF16_H
#define REGARD_TENSOR_KERNELS_BF16_H

#include "tensor/elementary.h"

static void to_bf16(uint16_t *restrict out, const real *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) out[i] = bf16_of(x[i]);
}

// Two numbers as they stand in memory where the lower byte is in front, the first in front.
static inline uint32_t pair_of(real first, real second)
{
    return (uint32_t)bf16_of(first) | (uint32_t)bf16_of(second) << 16;
}

static void to_bf16_pairs(uint32_t *restrict out, const real *restrict low,
                          const real *restrict high, size_t n)
{
    if (high) {
#pragma omp simd
        for (size_t i = 0; i < n; i++) out[i] = pair_of(low[i], high[i]);
    } else {
#pragma omp simd
        for (size_t i = 0; i < n; i++) out[i] = pair_of(low[i], 0);
    }
}

static void to_bf16_column_pairs(uint32_t *restrict out, size_t width, const real *restrict x,
                                 size_t n)
{
    size_t i = 0;
    for (; 2 * (i + LANES) <= n; i += LANES) {
        uint32_t words[LANES];
#pragma omp simd
        for (size_t l = 0; l < LANES; l++) words[l] = pair_of(x[2 * (i + l)], x[2 * (i + l) + 1]);
        for (size_t l = 0; l < LANES; l++) out[(i + l) * width] = words[l];
    }
    for (; 2 * i < n; i++) out[i * width] = pair_of(x[2 * i], 2 * i + 1 < n ? x[2 * i + 1] : 0);
}

#endif
