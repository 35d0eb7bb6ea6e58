/* The kernels of math/int8.h, once per instruction set: the including file defines
 *
 *     INT8_LANES          sums in a vector: 4, 8 or 16
 *     INT8_ROWS           rows of a tile, 1 … 6
 *     INT8_PANELS         panels of a tile
 *     INT8_EXCESS, INT8_KERNELS, INT8_NAME
 *
 *     INT8_PAIRS          defined where rows are multiplied in pairs first
 *
 * and, after including this, multiply_groups, and multiply_pairs; the Makefile gives it the flags. A tile's sums stay in
 * registers for the whole inner dimension; its panels stay in the cache nearest to the core while
 * all rows meet them. */
#include "math/int8.h"

#include <math.h>
#include <string.h>

// Vectors of INT8_LANES numbers, as gcc and clang know them.
typedef int32_t Lanes __attribute__((vector_size(INT8_LANES * sizeof(int32_t))));
typedef float Scales __attribute__((vector_size(INT8_LANES * sizeof(float))));
typedef real Reals __attribute__((vector_size(INT8_LANES * sizeof(real))));

// sums + Σ_k x_k w_k over the four bytes of each lane
static inline Lanes multiply_groups(Lanes sums, Lanes x, Lanes w);

enum { VECTORS = INT8_PANEL / INT8_LANES }; // of a panel
enum { TILE_VECTORS = VECTORS * INT8_PANELS };

#ifdef INT8_PAIRS
/* Adds to the sums (rows, TILE_VECTORS) the products of `rows` with one panel's groups, of as many terms
 * as it returns. */
static inline size_t multiply_pairs(Lanes sums[INT8_ROWS][TILE_VECTORS], const int8_t *steps,
                                    const char *groups, size_t inner, size_t rows);
#endif

static Lanes load_lanes(const void *from)
{
    Lanes lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static Lanes all_lanes(int32_t value)
{
    return value - (Lanes){0};
}

// A group of a row in every lane.
static Lanes group_of(const int8_t *steps)
{
    int32_t group;
    memcpy(&group, steps, sizeof group);
    return all_lanes(group);
}

// Without its sign, the bits of a number are in the order of the magnitudes.
#ifdef REGARD_DOUBLE
typedef int64_t Bits;
static const Bits INFINITE = 0x7FF0000000000000, WITHOUT_SIGN = INT64_MAX;
#else
typedef int32_t Bits;
static const Bits INFINITE = 0x7F800000, WITHOUT_SIGN = INT32_MAX;
#endif

static real magnitude(const real *x, size_t n)
{
    Bits largest = 0; // those of a NaN are greater than those of infinity
#pragma omp simd reduction(max : largest)
    for (size_t i = 0; i < n; i++) {
        Bits bits;
        memcpy(&bits, &x[i], sizeof bits);
        bits &= WITHOUT_SIGN;
        largest = bits > largest ? bits : largest;
    }
    real result;
    memcpy(&result, &largest, sizeof result);
    return largest < INFINITE ? result : (real)NAN;
}

// The nearest whole number, a tie to even; |x| < 2²².
static inline int32_t nearest(real x)
{
#ifdef REGARD_DOUBLE
    return (int32_t)rint(x);
#else
    float shifted = x + 0x1.8p23f; // leaves the whole number in the lowest bits
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return bits - 0x4B400000;
#endif
}

static int32_t round_row(int8_t *restrict q, const real *restrict x, real factor, size_t n)
{
    int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) {
        int32_t step = nearest(x[i] * factor);
        q[i] = (int8_t)step;
        sum += step;
    }
    return sum;
}

/* One panel's results of a row: y (columns) of its first columns. */
static inline void put(real *y, const Lanes sums[VECTORS], const float *scales, float row_scale,
                       size_t columns, bool add)
{
    real results[INT8_PANEL];
    for (size_t v = 0; v < VECTORS; v++) {
        Scales scale;
        memcpy(&scale, scales + v * INT8_LANES, sizeof scale);
        // of whole numbers and two scales: no rounding depends on other rows or columns
        Reals result = __builtin_convertvector(sums[v], Reals) *
                       __builtin_convertvector(scale * row_scale, Reals);
        if (columns < INT8_PANEL) {
            memcpy(results + v * INT8_LANES, &result, sizeof result);
            continue;
        }
        Reals before;
        memcpy(&before, y + v * INT8_LANES, sizeof before);
        if (add) result += before;
        memcpy(y + v * INT8_LANES, &result, sizeof result);
    }
    for (size_t j = 0; columns < INT8_PANEL && j < columns; j++)
        y[j] = add ? y[j] + results[j] : results[j];
}

/* `rows` ≤ INT8_ROWS and `panels` ≤ INT8_PANELS are constants wherever this is called, so that
 * `sums` are registers. Where the results go is fetched meanwhile. */
static inline __attribute__((always_inline)) void multiply_tile(real *y, size_t stride,
                                                                const Int8Rows *x, size_t row,
                                                                const char *panel, size_t columns,
                                                                bool add, size_t rows,
                                                                size_t panels)
{
    const size_t bytes = int8_panel_bytes(x->inner), vectors = panels * VECTORS;
    const int8_t *steps = x->steps + row * x->inner;
    const char *groups = panel + INT8_PANEL * sizeof(float);
    Lanes sums[INT8_ROWS][TILE_VECTORS];
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < vectors; v++) {
            sums[r][v] = all_lanes(-INT8_EXCESS * x->sums[row + r]);
            __builtin_prefetch(y + r * stride + v * INT8_LANES, 1, 3);
        }
    size_t k = 0;
#ifdef INT8_PAIRS
    k = multiply_pairs(sums, steps, groups, x->inner, rows);
#endif
    for (; k < x->inner; k += INT8_GROUP) {
        Lanes w[TILE_VECTORS];
#pragma GCC unroll 8
        for (size_t v = 0; v < vectors; v++)
            w[v] = load_lanes(groups + v / VECTORS * bytes + k * INT8_PANEL +
                              v % VECTORS * sizeof(Lanes));
#pragma GCC unroll 8
        for (size_t r = 0; r < rows; r++) {
            Lanes group = group_of(steps + r * x->inner + k);
#pragma GCC unroll 8
            for (size_t v = 0; v < vectors; v++)
                sums[r][v] = multiply_groups(sums[r][v], group, w[v]);
        }
    }
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t p = 0; p < panels; p++) {
            size_t left = columns - p * INT8_PANEL;
            put(y + r * stride + p * INT8_PANEL, sums[r] + p * VECTORS,
                (const float *)(const void *)(panel + p * bytes), x->scales[row + r],
                left < INT8_PANEL ? left : INT8_PANEL, add);
        }
}

// All rows with the panels of one tile, whose first column is y's.
static inline __attribute__((always_inline)) void multiply_panels(real *y, size_t stride,
                                                                  const Int8Rows *x,
                                                                  const char *panel, size_t columns,
                                                                  bool add, size_t panels)
{
    for (size_t row = 0; row < x->rows; row += INT8_ROWS) {
        size_t left = x->rows - row;
        real *at = y + row * stride;
#define TILE(rows)                                                                                 \
    if (INT8_ROWS >= (rows) && left >= (rows)) {                                                   \
        multiply_tile(at, stride, x, row, panel, columns, add,                                     \
                      (rows) < INT8_ROWS ? (rows) : INT8_ROWS, panels);                            \
        continue;                                                                                  \
    }
        TILE(6) TILE(5) TILE(4) TILE(3) TILE(2) TILE(1)
#undef TILE
    }
}

static void multiply(real *y, size_t stride, const Int8Rows *x, const Int8Panels *w, bool add)
{
    const size_t bytes = int8_panel_bytes(x->inner), wide = INT8_PANELS * INT8_PANEL;
    const char *panel = w->panels;
    size_t j = 0;
    for (; j + wide <= w->columns; j += wide, panel += INT8_PANELS * bytes)
        multiply_panels(y + j, stride, x, panel, wide, add, INT8_PANELS);
    for (; j < w->columns; j += INT8_PANEL, panel += bytes)
        multiply_panels(y + j, stride, x, panel, w->columns - j, add, 1);
}

extern const Int8Kernels INT8_KERNELS;
const Int8Kernels INT8_KERNELS = {
    .name = INT8_NAME,
    .excess = INT8_EXCESS,
    .magnitude = magnitude,
    .round = round_row,
    .multiply = multiply,
};
