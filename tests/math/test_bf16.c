/* Products in bf16, on both instruction sets if this processor has them: against loops in float,
 * bit for bit, which also makes both equal. Every array has exactly its size, so that a sanitizer
 * sees a lane too far. */
#define _POSIX_C_SOURCE 200809L // setenv

#include "math/bf16.h"
#include "math/elementary.h"
#include "math/kernels_cases.h"

#include <float.h>
#include <stdlib.h>

static const char *const SETS[] = {"plain", "avx512bf16"};
enum { SET_COUNT = sizeof SETS / sizeof *SETS };

// Both factors, as numbers and as the kernels read them.
typedef struct Factors {
    size_t rows, columns, inner; // inner is even
    uint16_t *x;                 // (rows, inner)
    uint16_t *x_transposed;      // (inner / 2, rows, 2)
    uint16_t *w;                 // (columns, inner)
    uint32_t *words;             // w in panels
} Factors;

static Factors factors_new(size_t rows, size_t columns, size_t inner)
{
    Factors f = {.rows = rows, .columns = columns, .inner = inner};
    real *x = numbers(rows * inner, 1, 1), *w = numbers(columns * inner, 1, 2);
    f.x = memory_new(rows * inner, sizeof *f.x);
    f.x_transposed = memory_new(rows * inner, sizeof *f.x);
    f.w = memory_new(columns * inner, sizeof *f.w);
    f.words = memory_new(bf16_right_words(inner / 2, columns), sizeof *f.words);
    kernels()->to_bf16(f.x, x, rows * inner);
    kernels()->to_bf16(f.w, w, columns * inner);
    release(x, w);
    return f;
}

// The layouts of math/bf16.h.
static void lay_out(Factors *f)
{
    for (size_t i = 0; i < f->rows; i++)
        for (size_t k = 0; k < f->inner; k++)
            f->x_transposed[k / 2 * 2 * f->rows + 2 * i + k % 2] = f->x[i * f->inner + k];
    for (size_t j = 0; j < f->columns; j++)
        for (size_t k = 0; k < f->inner; k++)
            f->words[j / BF16_PANEL * BF16_PANEL * (f->inner / 2) + k / 2 * BF16_PANEL +
                     j % BF16_PANEL] |= (uint32_t)f->w[j * f->inner + k] << 16 * (k % 2);
}

static void factors_free(Factors *f)
{
    release(f->x, f->x_transposed, f->w, f->words);
}

// A product of two numbers of bf16 is exact in float: contracted or not, the sum is the same.
static float sum_of(const Factors *f, size_t row, size_t column)
{
    const uint16_t *x = f->x + row * f->inner, *w = f->w + column * f->inner;
    float sum = 0;
    for (size_t k = 0; k < f->inner; k += 2) {
        sum += (float)real_of_bf16(x[k + 1]) * (float)real_of_bf16(w[k + 1]);
        sum += (float)real_of_bf16(x[k]) * (float)real_of_bf16(w[k]);
    }
    return sum;
}

// y's rows are two apart from each other, and what lies between stays.
static void check_product(const Bf16Kernels *k, const Factors *f, const Bf16Left *x, bool add)
{
    size_t stride = f->columns + 2, count = f->rows * stride;
    real *y = memory_new(count, sizeof *y);
    for (size_t i = 0; i < count; i++) y[i] = (real)0.75;
    const Bf16Right w = {f->words, f->columns};
    k->multiply(y, stride, x, &w, add);
    for (size_t i = 0; i < count; i++) {
        size_t row = i / stride, column = i % stride;
        real expected = (real)0.75;
        if (column < f->columns) expected = (real)sum_of(f, row, column) + (add ? (real)0.75 : 0);
        ck_assert_msg(y[i] == expected || (isnan(y[i]) && isnan(expected)),
                      "%s: %zu x %zu x %zu [%zu, %zu]: %g, not %g", k->name, f->rows, f->inner,
                      f->columns, row, column, (double)y[i], (double)expected);
    }
    release(y);
}

static void check_factors(const Bf16Kernels *k, Factors *f)
{
    lay_out(f);
    const Bf16Left by_rows = {f->x, f->inner, 2, f->rows, f->inner / 2};
    const Bf16Left by_pairs = {f->x_transposed, 2, 2 * f->rows, f->rows, f->inner / 2};
    for (int add = 0; add < 2; add++) {
        check_product(k, f, &by_rows, add);
        check_product(k, f, &by_pairs, add);
    }
}

// Rows and columns around those of a tile.
TEST(products, .times = SET_COUNT)
{
    static const size_t rows[] = {1, 2, 3, 4, 5, 6, 7, 13},
                        columns[] = {1, 15, 16, 17, 40, 64, 65, 150};
    static const size_t inner[] = {2, 4, 66};
    const Bf16Kernels *k = bf16_kernels_named(SETS[_i]);
    for (size_t r = 0; k && r < sizeof rows / sizeof *rows; r++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            for (size_t n = 0; n < sizeof inner / sizeof *inner; n++) {
                Factors f = factors_new(rows[r], columns[c], inner[n]);
                check_factors(k, &f);
                factors_free(&f);
            }
}

// NaN, infinities and the largest numbers stay where they are, and long sums have their order.
TEST(extremes, .times = SET_COUNT)
{
    const real odd[] = {(real)NAN, (real)INFINITY, -(real)INFINITY, (real)FLT_MAX, 0};
    const Bf16Kernels *k = bf16_kernels_named(SETS[_i]);
    for (size_t o = 0; k && o < sizeof odd / sizeof *odd; o++) {
        Factors f = factors_new(7, 70, 1000);
        f.x[3 * f.inner + 501] = bf16_of(odd[o]);
        f.w[66 * f.inner + 20] = bf16_of(odd[o]);
        check_factors(k, &f);
        factors_free(&f);
    }
}

// A number that is rounded alone, and by a set; denormal numbers may become 0.
static void expect_rounded(uint16_t actual, real x)
{
    if (isnan(x))
        ck_assert(isnan(real_of_bf16(actual)));
    else if (x != 0 && fabs((double)x) < (double)FLT_MIN)
        ck_assert_uint_eq(actual & 0x7f80, 0);
    else
        ck_assert_uint_eq(actual, bf16_of(x));
}

// Ties, what overflows and what is no number, anywhere in rows of every length.
TEST(rounding, .times = SET_COUNT)
{
    const real odd[] = {(real)0x1.01p0, (real)0x1.03p0,  -(real)0x1.010002p0, (real)FLT_MAX,
                        (real)NAN,      -(real)INFINITY, (real)1e-39,         0};
    enum { ODD = sizeof odd / sizeof *odd };
    const Bf16Kernels *k = bf16_kernels_named(SETS[_i]);
    for (size_t n = 0; k && n < 70; n++) {
        real *low = numbers(n, 1, 1), *high = numbers(n, 1, 2);
        uint16_t *row = memory_new(n, sizeof *row);
        uint32_t *pairs = memory_new(n, sizeof *pairs);
        for (size_t i = 0; i < ODD && i < n; i++) low[(i * 7 + n) % n] = odd[i];
        k->round(row, low, n);
        for (size_t i = 0; i < n; i++) expect_rounded(row[i], low[i]);
        for (int with_high = 0; with_high < 2; with_high++) {
            k->round_pairs(pairs, low, with_high ? high : NULL, n);
            for (size_t i = 0; i < n; i++) {
                expect_rounded((uint16_t)pairs[i], low[i]);
                ck_assert_uint_eq(pairs[i] >> 16, with_high ? bf16_of(high[i]) : 0);
            }
        }
        release(low, high, row, pairs);
    }
}

// Denormal numbers count as they are or as 0; which of them depends on the instruction set.
TEST(denormal, .times = SET_COUNT)
{
    const Bf16Kernels *k = bf16_kernels_named(SETS[_i]);
    if (!k) return;
    Factors f = factors_new(2, 3, 2);
    f.x[0] = 1; // 2⁻¹³³
    f.x[1] = 0;
    lay_out(&f);
    real y[6];
    k->multiply(y, 3, &(Bf16Left){f.x, 2, 2, 2, 1}, &(Bf16Right){f.words, 3}, false);
    for (size_t j = 0; j < 3; j++) ck_assert_double_le(fabs((double)y[j]), FLT_MIN);
    for (size_t j = 0; j < 3; j++) ck_assert(y[3 + j] == (real)sum_of(&f, 1, j));
    factors_free(&f);
}

TEST(forced, .times = 3)
{
    static const char *const forced[] = {"plain", "avx2", "avx512"};
    const char *const expected[] = {"plain", NULL, "avx512bf16"};
    setenv("REGARD_ISA", forced[_i], 1);
    const Bf16Kernels *named = expected[_i] ? bf16_kernels_named(expected[_i]) : NULL;
    ck_assert_ptr_eq(bf16_kernels(), named);
    if (_i < 2) ck_assert(!bf16_is_fast());
#ifdef __x86_64__
    if (_i == 2 && __builtin_cpu_is("amd")) ck_assert(bf16_is_fast() == (named != NULL));
#endif
    ck_assert_ptr_null(bf16_kernels_named("avx512"));
}
