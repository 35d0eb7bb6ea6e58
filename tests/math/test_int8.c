/* Products in int8, on every instruction set that this processor has: against loops over whole
 * numbers, bit for bit, which also makes all sets equal. Every array has exactly its size, so that a
 * sanitizer sees a lane too far. */
#define _POSIX_C_SOURCE 200809L // setenv

#include "base/philox.h"
#include "math/int8.h"
#include "math/kernels_cases.h"

#include <stdlib.h>

static const char *const SETS[] = {"plain", "avx2",    "avxvnni", "avx512vnni",
                                   "neon",  "dotprod", "i8mm"};
enum { SET_COUNT = sizeof SETS / sizeof *SETS };

TEST(magnitude, .times = SET_COUNT)
{
    const Int8Kernels *k = int8_kernels_named(SETS[_i]);
    for (size_t s = 0; k && s < sizeof SIZES / sizeof *SIZES; s++) {
        size_t n = SIZES[s];
        real *x = numbers(n, 3, s), most = 0;
        for (size_t i = 0; i < n; i++) most = (real)fmax((double)most, fabs((double)x[i]));
        ck_assert(k->magnitude(x, n) == most);
        for (size_t i = 0; i < n; i += 1 + n / 20) {
            const real kept = x[i],
                       odd[] = {(real)NAN, -(real)NAN, (real)INFINITY, -(real)INFINITY};
            for (size_t o = 0; o < 4; o++) {
                x[i] = odd[o];
                ck_assert(isnan(k->magnitude(x, n)));
            }
            x[i] = kept;
        }
        release(x);
    }
}

TEST(round, .times = SET_COUNT)
{
    const Int8Kernels *k = int8_kernels_named(SETS[_i]);
    const real by_hand[] = {(real)0.5, (real)1.5, (real)-0.5, (real)-2.5, 127, -127};
    const int8_t expected[] = {0, 2, 0, -2, 127, -127};
    int8_t q[6];
    if (!k) return;
    ck_assert_int_eq(k->round(q, by_hand, 1, 6), 0);
    ck_assert_mem_eq(q, expected, sizeof expected);
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
        size_t n = SIZES[s];
        real *x = numbers(n, 20, s);
        int8_t *steps = memory_new(n, 1), *plain = memory_new(n, 1);
        int32_t sum = 0;
        for (size_t i = 0; i < n; i++) x[i] = (real)fmin(fmax((double)x[i], -90), 90);
        int32_t returned = k->round(steps, x, (real)1.37, n);
        int8_kernels_named("plain")->round(plain, x, (real)1.37, n);
        ck_assert_mem_eq(steps, plain, n);
        for (size_t i = 0; i < n; i++) {
            ck_assert_double_le(fabs((double)x[i] * 1.37 - steps[i]), 0.5 + 1e-4);
            sum += steps[i];
        }
        ck_assert_int_eq(returned, sum);
        release(x, steps, plain);
    }
}

// Both factors, as steps and as the kernels read them.
typedef struct Factors {
    size_t rows, columns, inner;
    int8_t *x, *w;            // (rows, inner), (columns, inner)
    float *x_scales, *scales; // (rows), (columns)
    int32_t *sums;            // (rows)
    char *panels;
} Factors;

// In −127 … 127, or only ±127 or 0 if `extreme`, mostly of one sign so that sums are large.
static int8_t draw_step(uint32_t number, bool extreme)
{
    if (extreme) return number % 16 == 0 ? -127 : number % 16 == 1 ? 0 : 127;
    return (int8_t)((int)(number % 255) - 127);
}

static void fill_steps(int8_t *steps, size_t count, uint64_t seed, bool extreme)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t words[4];
        const uint32_t counter[4] = {(uint32_t)i};
        philox(words, counter, seed);
        steps[i] = draw_step(words[0], extreme);
    }
}

// The layout of math/int8.h.
static void fill_panels(Factors *f, uint8_t excess)
{
    for (size_t j = 0; j < rows_rounded(f->columns, INT8_PANEL); j++) {
        char *panel = f->panels + j / INT8_PANEL * int8_panel_bytes(f->inner);
        size_t place = j % INT8_PANEL;
        float scale = j < f->columns ? f->scales[j] : 0;
        memcpy(panel + place * sizeof scale, &scale, sizeof scale);
        for (size_t k = 0; k < f->inner; k++) {
            int step = j < f->columns ? f->w[j * f->inner + k] : 0;
            panel[INT8_PANEL * sizeof scale + k / INT8_GROUP * INT8_PANEL * INT8_GROUP +
                  place * INT8_GROUP + k % INT8_GROUP] = (char)(uint8_t)(step + excess);
        }
    }
}

static Factors factors_new(size_t rows, size_t columns, size_t inner, bool extreme)
{
    Factors f = {.rows = rows, .columns = columns, .inner = inner};
    f.x = memory_new(rows * inner, 1);
    f.w = memory_new(columns * inner, 1);
    f.x_scales = memory_new(rows, sizeof(float));
    f.scales = memory_new(columns, sizeof(float));
    f.sums = memory_new(rows, sizeof(int32_t));
    f.panels = memory_new(rows_rounded(columns, INT8_PANEL) / INT8_PANEL, int8_panel_bytes(inner));
    fill_steps(f.x, rows * inner, 1, extreme);
    fill_steps(f.w, columns * inner, 2, extreme);
    for (size_t i = 0; i < rows; i++) {
        f.x_scales[i] = 0.01f * (float)(i + 1);
        for (size_t k = 0; k < inner; k++) f.sums[i] += f.x[i * inner + k];
    }
    for (size_t j = 0; j < columns; j++) f.scales[j] = 0.1f / (float)(j + 3);
    return f;
}

static void factors_free(Factors *f)
{
    release(f->x, f->w, f->x_scales, f->scales, f->sums, f->panels);
}

// y's rows are two apart from each other, and what lies between stays.
static void check_product(const Int8Kernels *k, const Factors *f, bool add)
{
    size_t stride = f->columns + 2, count = f->rows * stride;
    real *y = memory_new(count, sizeof *y);
    for (size_t i = 0; i < count; i++) y[i] = (real)0.75;
    const Int8Rows x = {f->x, f->x_scales, f->sums, f->rows, f->inner};
    const Int8Panels w = {f->panels, f->columns, f->inner};
    k->multiply(y, stride, &x, &w, add);
    for (size_t i = 0; i < count; i++) {
        size_t row = i / stride, column = i % stride;
        real expected = (real)0.75;
        if (column < f->columns) {
            int64_t sum = 0;
            for (size_t n = 0; n < f->inner; n++)
                sum += f->x[row * f->inner + n] * f->w[column * f->inner + n];
            float scale = f->scales[column] * f->x_scales[row];
            expected = (real)sum * (real)scale;
            if (add) expected += (real)0.75;
        }
        ck_assert_msg(y[i] == expected, "%s: %zu x %zu x %zu [%zu, %zu]: %g, not %g", k->name,
                      f->rows, f->inner, f->columns, row, column, (double)y[i], (double)expected);
    }
    release(y);
}

static void check_sizes(const Int8Kernels *k, size_t rows, size_t columns, size_t inner,
                        bool extreme)
{
    Factors f = factors_new(rows, columns, inner, extreme);
    fill_panels(&f, k->excess);
    check_product(k, &f, false);
    check_product(k, &f, true);
    factors_free(&f);
}

// Rows and columns around those of a tile.
TEST(products, .times = SET_COUNT)
{
    static const size_t rows[] = {1, 2, 3, 4, 5, 6, 7, 13},
                        columns[] = {1, 15, 16, 17, 64, 65, 150};
    static const size_t inner[] = {4, 8, 68};
    const Int8Kernels *k = int8_kernels_named(SETS[_i]);
    for (size_t r = 0; k && r < sizeof rows / sizeof *rows; r++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            for (size_t n = 0; n < sizeof inner / sizeof *inner; n++)
                check_sizes(k, rows[r], columns[c], inner[n], false);
}

// Every length up to 300, of rows, of columns and of sums.
TEST(shapes, .times = SET_COUNT)
{
    const Int8Kernels *k = int8_kernels_named(SETS[_i]);
    for (size_t n = 1; k && n <= 300; n++) {
        check_sizes(k, n, 17, 8, false);
        check_sizes(k, 7, n, 8, false);
        check_sizes(k, 1 + n % 7, 1 + n % 65, int8_padded(n), n % 2);
    }
}

// What saturates where 16 bits sum two products, and the longest sums there are.
TEST(extremes, .times = SET_COUNT)
{
    const Int8Kernels *k = int8_kernels_named(SETS[_i]);
    if (!k) return;
    check_sizes(k, 7, 70, 256, true);
    check_sizes(k, 2, 17, MAX_INT8_INNER, true);
    Factors f = factors_new(1, 1, MAX_INT8_INNER, true);
    for (int sign = -1; sign <= 1; sign += 2) {
        memset(f.x, 127, MAX_INT8_INNER);
        memset(f.w, sign * 127, MAX_INT8_INNER);
        f.sums[0] = 127 * MAX_INT8_INNER;
        fill_panels(&f, k->excess);
        check_product(k, &f, false);
    }
    factors_free(&f);
}

TEST(forced, .times = 5)
{
    static const char *const forced[] = {"plain", "avx2", "neon", "dotprod", "i8mm"};
    const char *name = forced[_i];
    setenv("REGARD_ISA", name, 1);
    if (int8_kernels_named(name)) ck_assert_str_eq(int8_kernels()->name, name);
    ck_assert_ptr_null(int8_kernels_named("sse"));
}
