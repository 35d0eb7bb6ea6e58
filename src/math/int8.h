/* Products of matrices in 8 bits. One source (int8_body.h) is compiled for plain C, AVX2, AVX-VNNI,
 * AVX-512 VNNI, NEON, ARM's dot product and its products of matrices; the best that the processor has is chosen at run time, and
 * REGARD_ISA=plain, avx2, … in the environment forces one. Kernels never allocate and cannot fail.
 *
 * A row of numbers becomes whole numbers, its steps, and a scale:
 *
 *     x ≈ s · q,   q = round(x / s), a tie to even,   −127 ≤ q ≤ 127,   s = max |x| / 127
 *
 * A row of x and a row of w then have the product
 *
 *     Σ_k x_k w_k ≈ s_x · s_w · Σ_k q_xk q_wk
 *
 * whose sum is a whole number below 2³¹ for up to 65,536 terms: exact in any order, in any number
 * of lanes. Rounding and scaling are single operations of float32, which no kernel contracts to FMA.
 * So these kernels give the same bits on all processors, and a translation in int8 does too: what else
 * it needs are kernels.h's sums of one order (tests/robustness/one_hash.py). */
#pragma once

#include "math/real.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INT8_LARGEST = 127,
    INT8_GROUP = 4,  // neighbouring terms of a sum, which one instruction multiplies
    INT8_PANEL = 16, // columns that are packed together
    MAX_INT8_INNER = 65536,
};

// `n` rounded up to whole groups.
static inline size_t int8_padded(size_t n)
{
    return (n + INT8_GROUP - 1) / INT8_GROUP * INT8_GROUP;
}

// Left factor: rows of steps, (rows, inner), with their scales and sums.
typedef struct Int8Rows {
    const int8_t *steps; // (rows, inner)
    const float *scales; // (rows)
    const int32_t *sums; // (rows) Σ_k q_k
    size_t rows;
    size_t inner; // a multiple of INT8_GROUP
} Int8Rows;

/* Right factor: the rows of a weight (columns, inner), in panels of INT8_PANEL. A panel has the
 * scales of its rows and then, group by group, the steps of that group of each row:
 *
 *     float scales[16];  int8 steps[inner / 4][16][4]
 *
 * Rows that fill the last panel are 0. Steps are stored with the kernels' `excess` added. */
typedef struct Int8Panels {
    const void *panels;
    size_t columns;
    size_t inner;
} Int8Panels;

static inline size_t int8_panel_bytes(size_t inner)
{
    return INT8_PANEL * (sizeof(float) + inner);
}

typedef struct Int8Kernels {
    const char *name; // "plain", "avx2", "avxvnni", "avx512vnni", "neon", "dotprod", "i8mm"
    /* 128 where the instruction multiplies unsigned by signed numbers: it then sees q_w + 128, and
     * 128 · Σ_k q_xk is taken off the sum. Else 0. */
    uint8_t excess;

    // The largest |x|, (n); NaN if one of them is infinite or NaN.
    real (*magnitude)(const real *x, size_t n);
    // q = round(factor · x), both (n), which must lie in −127 … 127; returns Σ q.
    int32_t (*round)(int8_t *q, const real *x, real factor, size_t n);
    // y (rows, columns), rows `stride` apart, = x · wᵀ, or y += x · wᵀ
    void (*multiply)(real *y, size_t stride, const Int8Rows *x, const Int8Panels *w, bool add);
} Int8Kernels;

// The kernels of this processor, or those REGARD_ISA names.
const Int8Kernels *int8_kernels(void);

// The set of that name, or NULL if this processor or build lacks it; for the tests.
const Int8Kernels *int8_kernels_named(const char *name);
