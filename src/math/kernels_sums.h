/* Sums over vectors: a part of kernels_body.h. A compiler may not reorder a sum of floats, and
 * where `omp simd` lets it keep one per lane it adds those one after the other at the end, which
 * takes longer than a row. So the lanes are written out and added in pairs. */
#ifndef REGARD_MATH_KERNELS_SUMS_H
#define REGARD_MATH_KERNELS_SUMS_H

#include "math/real.h"

#include <stdbool.h>
#include <stddef.h>

enum { LANES = 16 };

static inline real sum_of_lanes(const real lanes[LANES])
{
    real eight[8], four[4]; // arrays of their own, which become narrower registers
#pragma omp simd
    for (size_t l = 0; l < 8; l++) eight[l] = lanes[l] + lanes[l + 8];
#pragma omp simd
    for (size_t l = 0; l < 4; l++) four[l] = eight[l] + eight[l + 4];
    return (four[0] + four[2]) + (four[1] + four[3]);
}

static real dot(const real *x, const real *y, size_t n)
{
    real lanes[LANES] = {0}, rest = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma omp simd
        for (size_t l = 0; l < LANES; l++) lanes[l] += x[i + l] * y[i + l];
    for (; i < n; i++) rest += x[i] * y[i];
    return sum_of_lanes(lanes) + rest;
}

static real sum_of(const real *x, size_t n)
{
    real lanes[LANES] = {0}, rest = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma omp simd
        for (size_t l = 0; l < LANES; l++) lanes[l] += x[i + l];
    for (; i < n; i++) rest += x[i];
    return sum_of_lanes(lanes) + rest;
}

static double sum_squares(const real *x, size_t n)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += (double)x[i] * (double)x[i];
    return sum;
}

static bool all_finite(const real *x, size_t n)
{
    real sum = 0; // of zeros; an infinity or a NaN times 0 is NaN
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += x[i] * 0;
    return sum == 0;
}

#endif
