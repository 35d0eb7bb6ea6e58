/* What tests compute with: random numbers, the same in float and in double and in every run, and
 * copies of stored ones. Memory comes from an arena that the test reserves once. */
#pragma once

#include "base/arena.h"
#include "linalg/matrix.h"

#include <stdint.h>

// An arena of 4 MB, freed by arena_free.
Arena draw_arena(void);

// Normal numbers of standard deviation `scale`, rounded to float; another `seed` gives others.
void draw_reals(real *values, size_t count, double scale, uint64_t seed);

// A dense matrix of such numbers, of zeros, and of stored ones.
Matrix draw_matrix(Arena *arena, size_t rows, size_t columns, double scale, uint64_t seed);
Matrix draw_zeros(Arena *arena, size_t rows, size_t columns);
Matrix draw_copy(Arena *arena, const double *values, size_t rows, size_t columns);

// Σ values·weights in double: a loss whose gradient for `values` is `weights`.
double draw_weighted_sum(const real *values, const real *weights, size_t count);

// Numbers as assert_close wants what it expects.
const double *draw_expected(Arena *arena, const real *values, size_t count);
