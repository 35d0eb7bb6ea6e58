#include "support/draw.h"

#include "base/random.h"
#include "support/suite.h"

#include <string.h>

enum { ARENA_BYTES = 4 << 20 };

Arena draw_arena(void)
{
    Arena arena = {0};
    assert_ok(arena_reserve(&arena, ARENA_BYTES, NULL));
    return arena;
}

void draw_reals(real *values, size_t count, double scale, uint64_t seed)
{
    Random random = random_from(seed, 0);
    for (size_t i = 0; i < count; i++) values[i] = (real)(float)(scale * random_normal(&random));
}

Matrix draw_matrix(Arena *arena, size_t rows, size_t columns, double scale, uint64_t seed)
{
    real *values = arena_take(arena, rows * columns, sizeof *values);
    draw_reals(values, rows * columns, scale, seed);
    return matrix_of(values, rows, columns);
}

Matrix draw_zeros(Arena *arena, size_t rows, size_t columns)
{
    real *values = arena_take(arena, rows * columns, sizeof *values);
    memset(values, 0, rows * columns * sizeof *values);
    return matrix_of(values, rows, columns);
}

Matrix draw_copy(Arena *arena, const double *values, size_t rows, size_t columns)
{
    real *copy = arena_take(arena, rows * columns, sizeof *copy);
    for (size_t i = 0; i < rows * columns; i++) copy[i] = (real)values[i];
    return matrix_of(copy, rows, columns);
}

double draw_weighted_sum(const real *values, const real *weights, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += (double)values[i] * (double)weights[i];
    return sum;
}

const double *draw_expected(Arena *arena, const real *values, size_t count)
{
    double *expected = arena_take(arena, count, sizeof *expected);
    for (size_t i = 0; i < count; i++) expected[i] = (double)values[i];
    return expected;
}
