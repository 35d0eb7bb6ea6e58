/* Part of kernels_body.h, which has `dot`: products of a few vectors with picked rows of a
 * matrix. */
#ifndef REGARD_MATH_KERNELS_PICKED_H
#define REGARD_MATH_KERNELS_PICKED_H

#include "math/kernels_sums.h"

#include <stddef.h>
#include <stdint.h>

/* The dot products of four vectors with two rows (n), y_k0 and y_k1 with the first and the
 * second: one sum alone would wait for each of its additions, and a row is read once for four. */
static void dot_four_with_two(real *y[4], const real *const x[4], const real *row0,
                              const real *row1, size_t n)
{
    const real *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
    real s00[LANES] = {0}, s01[LANES] = {0}, s10[LANES] = {0}, s11[LANES] = {0};
    real s20[LANES] = {0}, s21[LANES] = {0}, s30[LANES] = {0}, s31[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma omp simd
        for (size_t l = 0; l < LANES; l++) {
            const real a = row0[i + l], b = row1[i + l];
            s00[l] += x0[i + l] * a, s01[l] += x0[i + l] * b;
            s10[l] += x1[i + l] * a, s11[l] += x1[i + l] * b;
            s20[l] += x2[i + l] * a, s21[l] += x2[i + l] * b;
            s30[l] += x3[i + l] * a, s31[l] += x3[i + l] * b;
        }
    for (; i < n; i++) { // into the first lane
        const real a = row0[i], b = row1[i];
        s00[0] += x0[i] * a, s01[0] += x0[i] * b, s10[0] += x1[i] * a, s11[0] += x1[i] * b;
        s20[0] += x2[i] * a, s21[0] += x2[i] * b, s30[0] += x3[i] * a, s31[0] += x3[i] * b;
    }
    y[0][0] = sum_of_lanes(s00), y[0][1] = sum_of_lanes(s01);
    y[1][0] = sum_of_lanes(s10), y[1][1] = sum_of_lanes(s11);
    y[2][0] = sum_of_lanes(s20), y[2][1] = sum_of_lanes(s21);
    y[3][0] = sum_of_lanes(s30), y[3][1] = sum_of_lanes(s31);
}

/* Those of one vector with four rows. */
static void dot_one_with_four(real *y, const real *x, const real *const rows[4], size_t n)
{
    const real *row0 = rows[0], *row1 = rows[1], *row2 = rows[2], *row3 = rows[3];
    real s0[LANES] = {0}, s1[LANES] = {0}, s2[LANES] = {0}, s3[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma omp simd
        for (size_t l = 0; l < LANES; l++) {
            const real a = x[i + l];
            s0[l] += a * row0[i + l], s1[l] += a * row1[i + l];
            s2[l] += a * row2[i + l], s3[l] += a * row3[i + l];
        }
    for (; i < n; i++) { // into the first lane
        s0[0] += x[i] * row0[i], s1[0] += x[i] * row1[i];
        s2[0] += x[i] * row2[i], s3[0] += x[i] * row3[i];
    }
    y[0] = sum_of_lanes(s0), y[1] = sum_of_lanes(s1);
    y[2] = sum_of_lanes(s2), y[3] = sum_of_lanes(s3);
}

static void gemv_gathered(real *y, size_t stride, const real *x, size_t n, const real *rows,
                          const int32_t *picks, size_t count, size_t width)
{
    const size_t fours = n / 4 * 4, pairs = count / 2 * 2, quads = count / 4 * 4;
    for (size_t i = 0; i < fours; i += 4) {
        const real *const xs[4] = {x + i * width, x + (i + 1) * width, x + (i + 2) * width,
                                   x + (i + 3) * width};
        for (size_t j = 0; j < pairs; j += 2) {
            real *at = y + i * stride + j;
            dot_four_with_two((real *[4]){at, at + stride, at + 2 * stride, at + 3 * stride}, xs,
                              rows + (size_t)picks[j] * width, rows + (size_t)picks[j + 1] * width,
                              width);
        }
        for (size_t k = i; k < i + 4 && pairs < count; k++)
            y[k * stride + pairs] = dot(x + k * width, rows + (size_t)picks[pairs] * width, width);
    }
    for (size_t i = fours; i < n; i++) {
        for (size_t j = 0; j < quads; j += 4) {
            const real *const four[4] = {
                rows + (size_t)picks[j] * width, rows + (size_t)picks[j + 1] * width,
                rows + (size_t)picks[j + 2] * width, rows + (size_t)picks[j + 3] * width};
            dot_one_with_four(y + i * stride + j, x + i * width, four, width);
        }
        for (size_t j = quads; j < count; j++)
            y[i * stride + j] = dot(x + i * width, rows + (size_t)picks[j] * width, width);
    }
}

#endif
