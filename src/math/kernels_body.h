/* The kernels themselves, once per instruction set: the including file defines KERNELS and
 * KERNELS_NAME, and the Makefile gives it the flags. `omp simd` lets the compiler keep one partial
 * sum per lane (no OpenMP runtime is involved); without it a sum would have to be added in order.
 * math/kernels.h is the manual. */
#include "base/philox.h"
#include "math/elementary.h"
#include "math/kernels.h"
#include "math/kernels_sums.h"

#include <math.h>

static void add(real *restrict y, const real *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] += x[i];
}

static void add_scaled(real *restrict y, real a, const real *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] += a * x[i];
}

static void add_rows(real *restrict y, const real *restrict rows, size_t count, size_t n,
                     size_t stride)
{
    size_t i = 0;
    // four rows at a time, added in their order: y is loaded and stored less often
    for (; i + 4 <= count; i += 4) {
        const real *a = rows + i * stride, *b = a + stride, *c = b + stride, *d = c + stride;
#pragma omp simd
        for (size_t j = 0; j < n; j++) y[j] = y[j] + a[j] + b[j] + c[j] + d[j];
    }
    for (; i < count; i++) add(y, rows + i * stride, n);
}

static void ema(real *restrict y, real rate, const real *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] += rate * (x[i] - y[i]);
}

static void multiply(real *restrict y, const real *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] *= x[i];
}

#include "math/kernels_picked.h"

/* The largest of x + bias, where bias may be NULL. The lanes are written out, because a compiler
 * may not reorder a maximum in which a NaN could stand; one is passed over. */
static real max_of(const real *x, const real *bias, size_t n)
{
    real lanes[LANES], max = -INFINITY;
    for (size_t l = 0; l < LANES; l++) lanes[l] = -INFINITY;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma omp simd
        for (size_t l = 0; l < LANES; l++) {
            real value = bias ? x[i + l] + bias[i + l] : x[i + l];
            lanes[l] = value > lanes[l] ? value : lanes[l];
        }
    for (; i < n; i++) {
        real value = bias ? x[i] + bias[i] : x[i];
        max = value > max ? value : max;
    }
    for (size_t l = 0; l < LANES; l++) max = lanes[l] > max ? lanes[l] : max;
    return max;
}

static size_t argmax(const real *x, size_t n)
{
    real max = max_of(x, NULL, n);
    for (size_t i = 0; i < n; i++)
        if (x[i] == max) return i;
    return 0;
}

static void bias_tanh(real *restrict y, const real *restrict bias, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] = tanh_of(y[i] + bias[i]);
}

static void tanh_backward(real *dx, const real *dy, const real *restrict y, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) dx[i] = dy[i] * (1 - y[i] * y[i]);
}

#include "math/kernels_layers.h"

static void softmax(real *x, size_t n)
{
    real max = max_of(x, NULL, n);
#pragma omp simd
    for (size_t i = 0; i < n; i++) x[i] = exp_of(x[i] - max);
    real scale = 1 / sum_of(x, n);
#pragma omp simd
    for (size_t i = 0; i < n; i++) x[i] *= scale;
}

static void softmax_backward(real *denergies, const real *dalpha, const real *alpha, size_t n)
{
    real mean = dot(alpha, dalpha, n);
#pragma omp simd
    for (size_t i = 0; i < n; i++) denergies[i] = alpha[i] * (dalpha[i] - mean);
}

static void gemv_transposed(real *restrict out, const real *restrict weights,
                            const real *restrict rows, size_t S, size_t width, size_t stride)
{
    size_t j = 0;
    memset(out, 0, width * sizeof *out);
    // four rows at a time, added in their order: out is loaded and stored less often
    for (; j + 4 <= S; j += 4) {
        const real *a = rows + j * stride, *b = a + stride, *c = b + stride, *d = c + stride;
        const real w0 = weights[j], w1 = weights[j + 1], w2 = weights[j + 2], w3 = weights[j + 3];
#pragma omp simd
        for (size_t i = 0; i < width; i++)
            out[i] = out[i] + w0 * a[i] + w1 * b[i] + w2 * c[i] + w3 * d[i];
    }
    for (; j < S; j++) add_scaled(out, weights[j], rows + j * stride, width);
}

static void gemv(real *restrict out, const real *restrict rows, const real *restrict x, size_t S,
                 size_t width, size_t stride)
{
    for (size_t j = 0; j < S; j++) out[j] = dot(rows + j * stride, x, width);
}

static void ger(real *restrict rows, const real *restrict weights, const real *restrict x, size_t S,
                size_t width, size_t stride)
{
    for (size_t j = 0; j < S; j++) add_scaled(rows + j * stride, weights[j], x, width);
}

/* x += bias over a whole span, and its largest. */
static real add_to_span(real *restrict x, const real *restrict bias)
{
    real lanes[LANES];
    for (size_t l = 0; l < LANES; l++) lanes[l] = -INFINITY;
    for (size_t i = 0; i < KERNELS_SPAN; i += LANES)
#pragma omp simd
        for (size_t l = 0; l < LANES; l++) {
            real value = x[i + l] + bias[i + l];
            x[i + l] = value;
            lanes[l] = value > lanes[l] ? value : lanes[l];
        }
    // arrays of their own, which become narrower registers
    real eight[8], four[4];
#pragma omp simd
    for (size_t l = 0; l < 8; l++) eight[l] = lanes[l + 8] > lanes[l] ? lanes[l + 8] : lanes[l];
#pragma omp simd
    for (size_t l = 0; l < 4; l++) four[l] = eight[l + 4] > eight[l] ? eight[l + 4] : eight[l];
    real low = four[1] > four[0] ? four[1] : four[0];
    real high = four[3] > four[2] ? four[3] : four[2];
    return high > low ? high : low;
}

static real log_sum_exp(real *restrict x, real *restrict maxima, const real *restrict bias,
                        size_t n)
{
    size_t spans = n / KERNELS_SPAN, whole = spans * KERNELS_SPAN;
    for (size_t i = 0; i < spans; i++)
        maxima[i] = add_to_span(x + i * KERNELS_SPAN, bias + i * KERNELS_SPAN);
    if (whole < n) {
        add(x + whole, bias + whole, n - whole);
        maxima[spans++] = max_of(x + whole, NULL, n - whole);
    }
    real max = max_of(maxima, NULL, spans), lanes[LANES] = {0}, rest = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma omp simd
        for (size_t l = 0; l < LANES; l++) lanes[l] += exp_of_negative(x[i + l] - max);
    for (; i < n; i++) rest += exp_of_negative(x[i] - max);
    return max + (real)log((double)(sum_of_lanes(lanes) + rest));
}

#include "math/kernels_loss.h"

static void dropout_mask(real *mask, const uint32_t counter[4], uint64_t key, uint32_t threshold,
                         real kept, size_t n)
{
    enum { PER_BLOCK = 8, GROUP = PER_BLOCK * LANES };
    for (size_t first = 0; first < n; first += GROUP) {
        uint32_t words[4][LANES];
        uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
        uint32_t begin = counter[0] + (uint32_t)(first / PER_BLOCK << 2);
        for (uint32_t l = 0; l < LANES; l++) {
            words[0][l] = begin + (l << 2);
            for (size_t w = 1; w < 4; w++) words[w][l] = counter[w];
        }
        for (int round = 0; round < PHILOX_ROUNDS; round++) {
#pragma omp simd
            for (size_t l = 0; l < LANES; l++)
                philox_round(&words[0][l], &words[1][l], &words[2][l], &words[3][l], k0, k1);
            philox_next_key(&k0, &k1);
        }
        real group[GROUP];
        for (size_t w = 0; w < 4; w++)
#pragma omp simd
            for (size_t l = 0; l < LANES; l++) {
                group[2 * w * LANES + l] = (words[w][l] & 0xffff) < threshold ? 0 : kept;
                group[(2 * w + 1) * LANES + l] = words[w][l] >> 16 < threshold ? 0 : kept;
            }
        memcpy(mask + first, group, (n - first < GROUP ? n - first : GROUP) * sizeof *mask);
    }
}

static void from_bf16(real *restrict out, const uint16_t *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) out[i] = real_of_bf16(x[i]);
}

static void from_int8(real *restrict out, const int8_t *restrict x, real scale, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) out[i] = scale * (real)x[i];
}

static void adam(real *restrict values, real *restrict first, real *restrict second,
                 const real *restrict gradients, const AdamStep *step, size_t n)
{
    const real rate = step->rate, beta1 = step->beta1, beta2 = step->beta2;
    const real correction2 = step->correction2, epsilon = step->epsilon;
    const real gradient_scale = step->gradient_scale;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        real g = gradients[i] * gradient_scale;
        real m = beta1 * first[i] + (1 - beta1) * g;
        real v = beta2 * second[i] + (1 - beta2) * g * g;
        first[i] = m;
        second[i] = v;
#ifdef REGARD_DOUBLE
        values[i] -= rate * m / (sqrt(v * correction2) + epsilon);
#else
        values[i] -= rate * m / (sqrtf(v * correction2) + epsilon);
#endif
    }
}

#include "math/kernels_bf16.h"

extern const Kernels KERNELS;
const Kernels KERNELS = {
    .name = KERNELS_NAME,
    .add = add,
    .add_scaled = add_scaled,
    .add_rows = add_rows,
    .ema = ema,
    .multiply = multiply,
    .dot = dot,
    .sum_squares = sum_squares,
    .all_finite = all_finite,
    .argmax = argmax,
    .bias_tanh = bias_tanh,
    .tanh_backward = tanh_backward,
    .gru_forward = gru_forward,
    .gru_backward = gru_backward,
    .additive_forward = additive_forward,
    .exp2x = exp2x,
    .additive_products = additive_products,
    .additive_backward = additive_backward,
    .softmax = softmax,
    .softmax_backward = softmax_backward,
    .gemv_transposed = gemv_transposed,
    .gemv = gemv,
    .gemv_gathered = gemv_gathered,
    .ger = ger,
    .layer_norm_forward = layer_norm_forward,
    .layer_norm_backward = layer_norm_backward,
    .log_sum_exp = log_sum_exp,
    .log = log_values,
    .max = max_of,
    .exponentials = exponentials,
    .scale = scale,
    .add_scaled_rows = add_scaled_rows,
    .log_ratios = log_ratios,
    .draw_together = draw_together,
    .dropout_mask = dropout_mask,
    .to_bf16 = to_bf16,
    .from_bf16 = from_bf16,
    .from_int8 = from_int8,
    .to_bf16_blocks = to_bf16_blocks,
    .to_bf16_pairs = to_bf16_pairs,
    .bf16_pairs = bf16_pairs,
    .to_bf16_column_pairs = to_bf16_column_pairs,
    .adam = adam,
};
