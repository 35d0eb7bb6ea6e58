/* The kernels of math/bf16.h, once per instruction set: the including file defines
 *
 *     BF16_LANES          sums in a vector: 4 or 16
 *     BF16_KERNELS, BF16_NAME
 *
 * and, after including this, the three functions declared here; the Makefile gives it the flags.
 * A tile's sums stay in registers for the whole inner dimension; its panel stays in the cache while
 * all rows meet it. */
#include "math/bf16.h"

#include <string.h>

// Vectors of BF16_LANES numbers, as gcc and clang know them.
typedef uint32_t Words __attribute__((vector_size(BF16_LANES * sizeof(uint32_t))));
typedef float Sums __attribute__((vector_size(BF16_LANES * sizeof(float))));
typedef real Reals __attribute__((vector_size(BF16_LANES * sizeof(real))));

// (sums + x₁ w₁) + x₀ w₀ of the two numbers of each lane
static inline Sums multiply_pairs(Sums sums, Words x, Words w);
// the numbers of two vectors, rounded: one vector's after the other's
static inline Words round_both(Sums first, Sums second);
// the same, a lane's two numbers side by side
static inline Words round_beside(Sums low, Sums high);

enum { TILE_VECTORS = 4 }; // 6 · 4 sums, 4 vectors of w and one of x are 29 of 32 registers

static Words load_words(const uint32_t *from)
{
    Words pairs;
    memcpy(&pairs, from, sizeof pairs);
    return pairs;
}

static Sums load_numbers(const real *from)
{
    Reals numbers;
    memcpy(&numbers, from, sizeof numbers);
    return __builtin_convertvector(numbers, Sums);
}

// A pair of the left factor in every lane.
static Words all_lanes(const uint16_t *pair)
{
    uint32_t word;
    memcpy(&word, pair, sizeof word);
    return word - (Words){0};
}

// Apart, so that the tiles that call it stay small.
static __attribute__((noinline)) void put_some(real *y, const real *results, size_t columns,
                                               bool add)
{
    for (size_t j = 0; j < columns; j++) y[j] = add ? y[j] + results[j] : results[j];
}

// A vector's results of a row: y (columns) of its first columns.
static inline void put(real *y, Sums sums, size_t columns, bool add)
{
    Reals result = __builtin_convertvector(sums, Reals), before;
    if (columns < BF16_LANES) {
        real results[BF16_LANES];
        memcpy(results, &result, sizeof results);
        put_some(y, results, columns, add);
        return;
    }
    memcpy(&before, y, sizeof before);
    if (add) result += before;
    memcpy(y, &result, sizeof result);
}

/* Rows of x from `x->numbers` on with `vectors` vectors of a panel, of which `columns` columns
 * exist. `rows` and `vectors` are constants wherever this is called, so that `sums` are registers.
 * What is added to is fetched meanwhile. */
static inline __attribute__((always_inline)) void multiply_tile(
    real *y, size_t stride, const Bf16Left *x, const uint16_t *numbers, const uint32_t *words,
    size_t columns, bool add, size_t rows, size_t vectors)
{
    Sums sums[BF16_TILE_ROWS][TILE_VECTORS];
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < vectors; v++) {
            sums[r][v] = (Sums){0};
            __builtin_prefetch(y + r * stride + v * BF16_LANES, 1, 3);
        }
    for (size_t k = 0; k < x->pairs; k++) {
        Words w[TILE_VECTORS];
#pragma GCC unroll 8
        for (size_t v = 0; v < vectors; v++) w[v] = load_words(words + v * BF16_LANES);
#pragma GCC unroll 8
        for (size_t r = 0; r < rows; r++) {
            Words pair = all_lanes(numbers + r * x->row_apart);
#pragma GCC unroll 8
            for (size_t v = 0; v < vectors; v++)
                sums[r][v] = multiply_pairs(sums[r][v], pair, w[v]);
        }
        numbers += x->pair_apart;
        words += BF16_PANEL;
    }
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < vectors; v++)
            if (v * BF16_LANES < columns)
                put(y + r * stride + v * BF16_LANES, sums[r][v], columns - v * BF16_LANES, add);
}

// All rows with `vectors` vectors of a panel, whose first column is y's.
static inline __attribute__((always_inline)) void multiply_rows(real *y, size_t stride,
                                                                const Bf16Left *x,
                                                                const uint32_t *words,
                                                                size_t columns, bool add,
                                                                size_t vectors)
{
    for (size_t row = 0, rows; row < x->rows; row += rows) {
        const size_t left = x->rows - row;
        const uint16_t *numbers = x->numbers + row * x->row_apart;
        real *at = y + row * stride;
        rows = left < BF16_TILE_ROWS ? left : BF16_TILE_ROWS;
#define TILE(count)                                                                                \
    case count:                                                                                    \
        multiply_tile(at, stride, x, numbers, words, columns, add, count, vectors);                \
        break;
        switch (rows) {
            TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6)
        }
#undef TILE
    }
}

static void multiply(real *y, size_t stride, const Bf16Left *x, const Bf16Right *w, bool add)
{
    const uint32_t *words = w->words;
    for (size_t j = 0; j < w->columns; j += BF16_PANEL, words += BF16_PANEL * x->pairs) {
        size_t left = w->columns - j, columns = left < BF16_PANEL ? left : BF16_PANEL;
        for (size_t first = 0; first < columns; first += TILE_VECTORS * BF16_LANES) {
            if (columns - first > BF16_LANES)
                multiply_rows(y + j + first, stride, x, words + first, columns - first, add,
                              TILE_VECTORS);
            else
                multiply_rows(y + j + first, stride, x, words + first, columns - first, add, 1);
        }
    }
}

static void round_row(uint16_t *restrict out, const real *restrict x, size_t n)
{
    enum { BOTH = 2 * BF16_LANES };
    size_t i = 0;
    for (; i + BOTH <= n; i += BOTH) {
        Words words = round_both(load_numbers(x + i), load_numbers(x + i + BF16_LANES));
        memcpy(out + i, &words, sizeof words);
    }
    if (i == n) return;
    real rest[BOTH] = {0};
    memcpy(rest, x + i, (n - i) * sizeof *x);
    Words words = round_both(load_numbers(rest), load_numbers(rest + BF16_LANES));
    memcpy(out + i, &words, (n - i) * sizeof *out);
}

static void round_pairs(uint32_t *restrict out, const real *restrict low, const real *restrict high,
                        size_t n)
{
    size_t i = 0;
    for (; i + BF16_LANES <= n; i += BF16_LANES) {
        Words words =
            round_beside(load_numbers(low + i), high ? load_numbers(high + i) : (Sums){0});
        memcpy(out + i, &words, sizeof words);
    }
    if (i == n) return;
    real rest[2][BF16_LANES] = {0};
    memcpy(rest[0], low + i, (n - i) * sizeof *low);
    if (high) memcpy(rest[1], high + i, (n - i) * sizeof *high);
    Words words = round_beside(load_numbers(rest[0]), load_numbers(rest[1]));
    memcpy(out + i, &words, (n - i) * sizeof *out);
}

extern const Bf16Kernels BF16_KERNELS;
const Bf16Kernels BF16_KERNELS = {
    .name = BF16_NAME,
    .round = round_row,
    .round_pairs = round_pairs,
    .multiply = multiply,
};
