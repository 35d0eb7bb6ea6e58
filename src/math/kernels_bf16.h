/* The kernels that round to bf16: a part of kernels_body.h, which includes it. */
#ifndef REGARD_MATH_KERNELS_BF16_H
#define REGARD_MATH_KERNELS_BF16_H

#include "math/elementary.h"
#include "math/kernels_sums.h"

#include <string.h>

static void to_bf16(uint16_t *restrict out, const real *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) out[i] = bf16_of(x[i]);
}

static void to_bf16_blocks(uint16_t *restrict out, size_t apart, const real *restrict x, size_t n)
{
    for (size_t first = 0; first < n; first += KERNELS_BLOCK, out += apart)
#pragma omp simd
        for (size_t i = 0; i < KERNELS_BLOCK; i++) out[i] = bf16_of(x[first + i]);
}

// Two numbers as a little-endian word, the first in its lower half.
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

static void bf16_pairs(uint32_t *restrict out, const uint16_t *restrict low,
                       const uint16_t *restrict high, size_t n)
{
    if (high) {
#pragma omp simd
        for (size_t i = 0; i < n; i++) out[i] = (uint32_t)low[i] | (uint32_t)high[i] << 16;
    } else {
#pragma omp simd
        for (size_t i = 0; i < n; i++) out[i] = low[i];
    }
}

// A square of 16 × 16 words is transposed in four steps: for d = 8, 4, 2, 1 each two blocks of d ×
// d words beside the diagonal of a block of 2d × 2d change places (Eklundh 1972).
typedef uint32_t Words __attribute__((vector_size(64)));
#define LANE_LOW(l, d) ((l) & (d) ? (l) - (d) + 16 : (l))
#define LANE_HIGH(l, d) ((l) & (d) ? (l) + 16 : (l) + (d))
#define OF_LANES(of, d)                                                                            \
    of(0, d), of(1, d), of(2, d), of(3, d), of(4, d), of(5, d), of(6, d), of(7, d), of(8, d),      \
        of(9, d), of(10, d), of(11, d), of(12, d), of(13, d), of(14, d), of(15, d)
#define EXCHANGE(square, d)                                                                        \
    for (size_t i_ = 0; i_ < LANES; i_++)                                                          \
        if (!(i_ & (d))) {                                                                         \
            Words a_ = (square)[i_], b_ = (square)[i_ + (d)];                                      \
            (square)[i_] = __builtin_shufflevector(a_, b_, OF_LANES(LANE_LOW, d));                 \
            (square)[i_ + (d)] = __builtin_shufflevector(a_, b_, OF_LANES(LANE_HIGH, d));          \
        }

// Sixteen pairs of each of sixteen rows.
static inline void square_of_pairs(uint32_t *restrict out, size_t width, const real *restrict x,
                                   size_t stride)
{
    Words square[LANES];
    for (size_t row = 0; row < LANES; row++) {
        uint32_t words[LANES];
#pragma omp simd
        for (size_t l = 0; l < LANES; l++)
            words[l] = pair_of(x[row * stride + 2 * l], x[row * stride + 2 * l + 1]);
        memcpy(&square[row], words, sizeof words);
    }
    EXCHANGE(square, 8)
    EXCHANGE(square, 4)
    EXCHANGE(square, 2)
    EXCHANGE(square, 1)
    for (size_t pair = 0; pair < LANES; pair++)
        memcpy(out + pair * width, &square[pair], sizeof square[pair]);
}

static void to_bf16_column_pairs(uint32_t *restrict out, size_t width, const real *restrict x,
                                 size_t stride, size_t rows, size_t n)
{
    size_t i = 0; // pairs
    for (; rows == LANES && 2 * (i + LANES) <= n; i += LANES)
        square_of_pairs(out + i * width, width, x + 2 * i, stride);
    for (; 2 * i < n; i++)
        for (size_t row = 0; row < rows; row++) {
            const real *pair = x + row * stride + 2 * i;
            out[i * width + row] = pair_of(pair[0], 2 * i + 1 < n ? pair[1] : 0);
        }
}

#endif
