/* The kernels of the loss over a vocabulary, on exponentials that are kept as they are or in bf16: a part
 * of kernels_body.h, which includes it. */
#ifndef REGARD_MATH_KERNELS_LOSS_H
#define REGARD_MATH_KERNELS_LOSS_H

#include "math/elementary.h"
#include "math/kernels.h"
#include "math/kernels_sums.h"

// One exponential of a row, kept in p or in bf16 or not at all.
static inline real exponential(real *restrict p, uint16_t *restrict bf16, real above)
{
    real e = bf16 ? exp_rough(above) : exp_of(above);
    if (bf16)
        *bf16 = bf16_of_positive(e);
    else if (p)
        *p = e;
    return e;
}

static inline ExponentialSums sum_exponentials(real *restrict p, uint16_t *restrict bf16,
                                               const real *restrict x, const real *restrict bias,
                                               real reference, size_t n)
{
    // two registers of floats, since one of 16 bits a number has as many lanes
    real sums[2 * LANES] = {0}, totals[2 * LANES] = {0}, rest = 0, rest_total = 0;
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES)
#pragma omp simd
        for (size_t l = 0; l < 2 * LANES; l++) {
            real above = x[i + l] + bias[i + l] - reference;
            totals[l] += above;
            sums[l] += exponential(p ? p + i + l : NULL, bf16 ? bf16 + i + l : NULL, above);
        }
    for (; i < n; i++) {
        real above = x[i] + bias[i] - reference;
        rest_total += above;
        rest += exponential(p ? p + i : NULL, bf16 ? bf16 + i : NULL, above);
    }
    return (ExponentialSums){sum_of_lanes(sums) + sum_of_lanes(sums + LANES) + rest,
                             sum_of_lanes(totals) + sum_of_lanes(totals + LANES) + rest_total};
}

// Three calls, so that each is compiled for one place to keep them.
static ExponentialSums exponentials(Elements p, const real *x, const real *bias, real reference,
                                    size_t n)
{
    if (p.bf16) return sum_exponentials(NULL, p.bf16, x, bias, reference, n);
    if (p.values) return sum_exponentials(p.values, NULL, x, bias, reference, n);
    return sum_exponentials(NULL, NULL, x, bias, reference, n);
}

static void scale(Elements p, real factor, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (p.bf16)
            p.bf16[i] = bf16_of(real_of_bf16(p.bf16[i]) * factor);
        else if (p.values)
            p.values[i] *= factor;
    }
}

static void add_scaled_rows(real *restrict y, const real *restrict a, Elements p, size_t rows,
                            size_t n)
{
    size_t i = 0;
    for (; p.bf16 && i < rows; i++) {
        const uint16_t *restrict row = p.bf16 + i * n;
#pragma omp simd
        for (size_t j = 0; j < n; j++) y[j] += a[i] * real_of_bf16(row[j]);
    }
    for (; i < rows; i++) add_scaled(y, a[i], p.values + i * n, n);
}

static void log_values(real *y, const real *x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] = log_of(at_least(x[i], (real)1e-37));
}

static inline real element(const real *restrict values, const uint16_t *restrict bf16, size_t i)
{
    return bf16 ? real_of_bf16(bf16[i]) : values[i];
}

static inline void set_element(real *restrict values, uint16_t *restrict bf16, size_t i, real value)
{
    if (bf16)
        bf16[i] = bf16_of(value);
    else
        values[i] = value;
}

static inline RatioSums log_ratios_of(real *restrict l, const real *restrict p,
                                      const uint16_t *restrict p_bf16, const real *restrict q,
                                      const uint16_t *restrict q_bf16, real shift, size_t n)
{
    real of_p[LANES] = {0}, of_q[LANES] = {0}, rest_p = 0, rest_q = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma omp simd
        for (size_t k = 0; k < LANES; k++) {
            real x = element(p, p_bf16, i + k), y = element(q, q_bf16, i + k);
            real ratio = log_of(at_least(x, RATIO_LEAST) / at_least(y, RATIO_LEAST)) + shift;
            l[i + k] = ratio;
            of_p[k] += x * ratio;
            of_q[k] += y * ratio;
        }
    for (; i < n; i++) {
        real x = element(p, p_bf16, i), y = element(q, q_bf16, i);
        l[i] = log_of(at_least(x, RATIO_LEAST) / at_least(y, RATIO_LEAST)) + shift;
        rest_p += x * l[i];
        rest_q += y * l[i];
    }
    return (RatioSums){sum_of_lanes(of_p) + rest_p, sum_of_lanes(of_q) + rest_q};
}

static RatioSums log_ratios(real *l, Elements p, Elements q, real shift, size_t n)
{
    if (p.bf16) return log_ratios_of(l, NULL, p.bf16, NULL, q.bf16, shift, n);
    return log_ratios_of(l, p.values, NULL, q.values, NULL, shift, n);
}

static inline void draw_together_of(real *restrict p, uint16_t *restrict p_bf16, real *restrict q,
                                    uint16_t *restrict q_bf16, const real *restrict l,
                                    DrawingFactors f, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        real x = element(p, p_bf16, i), y = element(q, q_bf16, i), ratio = f.ratio * l[i];
        set_element(p, p_bf16, i, x * (f.own[0] + ratio) - f.other[0] * y);
        set_element(q, q_bf16, i, y * (f.own[1] - ratio) - f.other[1] * x);
    }
}

static void draw_together(Elements p, Elements q, const real *l, const DrawingFactors *factors,
                          size_t n)
{
    if (p.bf16)
        draw_together_of(NULL, p.bf16, NULL, q.bf16, l, *factors, n);
    else
        draw_together_of(p.values, NULL, q.values, NULL, l, *factors, n);
}

#endif
