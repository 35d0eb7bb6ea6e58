/* Products of matrices in bf16: float32 without the lower 16 bits, so 8 significant ones. One
 * source (bf16_body.h) is compiled for AVX-512 with BF16 (vdpbf16ps, with which a core multiplies
 * twice as many numbers as in float32) and for plain C, which is for tests: only REGARD_ISA=plain
 * in the environment chooses it. Kernels never allocate and cannot fail.
 *
 * A sum is of float32 and goes over the pairs of neighbouring terms in their order, of each pair
 * the second term first:
 *
 *     s ← (s + x_{2k+1} w_{2k+1}) + x_{2k} w_{2k}
 *
 * A product of two numbers of bf16 has at most 16 significant bits, so it is exact; each addition
 * rounds to nearest. So all sums have the same bits on both instruction sets, whatever the number
 * of rows and columns, but for denormal numbers: AVX-512 takes them for 0, when it rounds, as
 * factors and as sums. */
#pragma once

#include "math/real.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BF16_PANEL = 64,    // columns that are packed together
    BF16_TILE_ROWS = 6, // rows that are multiplied together: a number of rows is best a multiple
};

/* Left factor (rows, 2 · pairs): the pair k of row i is the two numbers from
 * numbers[i · row_apart + k · pair_apart] on. */
typedef struct Bf16Left {
    const uint16_t *numbers;
    size_t row_apart, pair_apart;
    size_t rows;
    size_t pairs; // of an odd number of terms the last is one beside a 0
} Bf16Left;

/* Right factor (2 · pairs, columns), in panels of BF16_PANEL columns, of which the last is filled
 * with zeros: words[panel][pair][column], a word being a column's two numbers of the pair, the
 * first in its lower half. */
typedef struct Bf16Right {
    const uint32_t *words;
    size_t columns;
} Bf16Right;

// Words of a right factor of so many pairs.
static inline size_t bf16_right_words(size_t pairs, size_t columns)
{
    return (columns + BF16_PANEL - 1) / BF16_PANEL * BF16_PANEL * pairs;
}

typedef struct Bf16Kernels {
    const char *name; // "plain", "avx512bf16"
    // out = x rounded to the nearest, a tie to even; NaN stays NaN, (n)
    void (*round)(uint16_t *out, const real *x, size_t n);
    // the same, (n) words: each number of low beside that of high, or beside 0 if high is NULL
    void (*round_pairs)(uint32_t *out, const real *low, const real *high, size_t n);
    // y (rows, columns), rows `stride` apart, = x · w, or y += x · w
    void (*multiply)(real *y, size_t stride, const Bf16Left *x, const Bf16Right *w, bool add);
} Bf16Kernels;

// The kernels of this processor, or those REGARD_ISA names; NULL if it has none.
const Bf16Kernels *bf16_kernels(void);

/* Whether they multiply faster than float32 is. Intel's processors since Sapphire Rapids, which
 * have AMX for that, are reported to take vdpbf16ps at half the speed of float32
 * (https://github.com/libxsmm/tpp-mlir/pull/1025). */
bool bf16_is_fast(void);

// The set of that name, or NULL if this processor or build lacks it; for the tests.
const Bf16Kernels *bf16_kernels_named(const char *name);
