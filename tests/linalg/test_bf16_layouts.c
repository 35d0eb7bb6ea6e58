// The kernels that lay rows out in bf16: in blocks of columns, in pairs of rows, in pairs of
// columns.

#include "math/elementary.h"
#include "math/kernels_cases.h"

static uint32_t pair(real low, real high)
{
    return (uint32_t)bf16_of(low) | (uint32_t)bf16_of(high) << 16;
}

static void check_blocks(const Kernels *k, size_t n)
{
    enum { APART = KERNELS_BLOCK + 3 };
    n = n / KERNELS_BLOCK * KERNELS_BLOCK;
    const size_t room = n / KERNELS_BLOCK * APART + 1;
    real *x = numbers(n, 1, 1);
    uint16_t *out = memory_new(room, sizeof *out);
    k->to_bf16_blocks(out, APART, x, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(out[i / KERNELS_BLOCK * APART + i % KERNELS_BLOCK], bf16_of(x[i]));
    for (size_t first = 0; first < n; first += KERNELS_BLOCK) // nothing between them
        ck_assert_uint_eq(out[first / KERNELS_BLOCK * APART + KERNELS_BLOCK], 0);
    release(x, out);
}

// Two rows of numbers that are bf16 already.
static void check_pairs(const Kernels *k, size_t n)
{
    real *low = numbers(n, 1, 1), *high = numbers(n, 1, 2);
    uint16_t *rounded[] = {memory_new(n, sizeof **rounded), memory_new(n, sizeof **rounded)};
    uint32_t *out = memory_new(n + 1, sizeof *out);
    k->to_bf16(rounded[0], low, n);
    k->to_bf16(rounded[1], high, n);
    k->bf16_pairs(out, rounded[0], rounded[1], n);
    for (size_t i = 0; i < n; i++) ck_assert_uint_eq(out[i], pair(low[i], high[i]));
    k->bf16_pairs(out, rounded[0], NULL, n);
    for (size_t i = 0; i < n; i++) ck_assert_uint_eq(out[i], pair(low[i], 0));
    ck_assert_uint_eq(out[n], 0);
    release(low, high, rounded[0], rounded[1], out);
}

// Sixteen rows go another way than fewer.
static void check_column_pairs(const Kernels *k, size_t n)
{
    enum { WIDTH = 21 };
    const size_t pairs = (n + 1) / 2, stride = n + 5;
    real *x = numbers(16 * stride, 1, 1);
    for (size_t rows = 1; rows <= 16; rows += 5) {
        uint32_t *out = memory_new(pairs * WIDTH + 1, sizeof *out);
        k->to_bf16_column_pairs(out, WIDTH, x, stride, rows, n);
        for (size_t i = 0; i < pairs * WIDTH; i++) {
            size_t first = i / WIDTH * 2, row = i % WIDTH;
            const real *at = x + row * stride + first;
            ck_assert_uint_eq(out[i], row < rows ? pair(at[0], first + 1 < n ? at[1] : 0) : 0);
        }
        memory_free(out);
    }
    release(x);
}

EVERYWHERE(blocks, check_blocks)
EVERYWHERE(pairs, check_pairs)
EVERYWHERE(column_pairs, check_column_pairs)
