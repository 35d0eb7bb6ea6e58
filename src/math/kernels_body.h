/* The kernels themselves, once per instruction set: the including file defines KERNELS and
 * KERNELS_NAME, and the Makefile gives it the flags. `omp simd` lets the compiler keep one partial
 * sum per lane (no OpenMP runtime is involved); without it a sum would have to be added in order.
 * math/kernels.h is the manual. */
#include "base/philox.h"
#include "math/elementary.h"
#include "math/kernels.h"

#include <math.h>

enum { LANES = 16 };

/* A compiler may not reorder a sum of floats, and where `omp simd` lets it keep one per lane it adds
 * those one after the other at the end, which takes longer than a row. So in sums the lanes are
 * written out and added in pairs. */
static inline real sum_of_lanes(const real lanes[LANES])
{
    real eight[8], four[4]; // arrays of their own, which become narrower registers
#pragma omp simd
    for (size_t l = 0; l < 8; l++) eight[l] = lanes[l] + lanes[l + 8];
#pragma omp simd
    for (size_t l = 0; l < 4; l++) four[l] = eight[l] + eight[l + 4];
    return (four[0] + four[2]) + (four[1] + four[3]);
}

// Declares `sum`, that of a term in i over i = 0 … n − 1.
#define DECLARE_SUM(sum, i, n, term)                                                               \
    real lanes_##sum[LANES] = {0}, sum = 0;                                                        \
    size_t at_##sum = 0;                                                                           \
    for (; at_##sum + LANES <= (n); at_##sum += LANES)                                             \
        _Pragma("omp simd") for (size_t l_ = 0; l_ < LANES; l_++)                                  \
        {                                                                                          \
            const size_t i = at_##sum + l_;                                                        \
            lanes_##sum[l_] += (term);                                                             \
        }                                                                                          \
    for (size_t i = at_##sum; i < (n); i++) sum += (term);                                         \
    sum = sum_of_lanes(lanes_##sum) + sum;

static real dot(const real *x, const real *y, size_t n)
{
    DECLARE_SUM(sum, i, n, x[i] * y[i])
    return sum;
}

static real sum_of(const real *x, size_t n)
{
    DECLARE_SUM(sum, i, n, x[i])
    return sum;
}

static double sum_squares(const real *x, size_t n)
{
    double lanes[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma omp simd
        for (size_t l = 0; l < LANES; l++) lanes[l] += (double)x[i + l] * (double)x[i + l];
    for (; i < n; i++) sum += (double)x[i] * (double)x[i];
    for (size_t l = 0; l < LANES; l++) sum += lanes[l];
    return sum;
}

static bool all_finite(const real *x, size_t n)
{
    real sum = 0; // of zeros; an infinity or a NaN times 0 is NaN
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += x[i] * 0;
    return sum == 0;
}

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

static void log_values(real *y, const real *x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] = log_of(at_least(x[i], (real)1e-37));
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

static void gru_forward(real *restrict h, real *restrict gates, real *restrict hn,
                        const real *restrict hidden, const real *restrict bias_ih,
                        const real *restrict bias_hh, const real *restrict h_before, size_t H)
{
#pragma omp simd
    for (size_t i = 0; i < H; i++) {
        real r = sigmoid_of(gates[i] + bias_ih[i] + hidden[i] + bias_hh[i]);
        real z = sigmoid_of(gates[H + i] + bias_ih[H + i] + hidden[H + i] + bias_hh[H + i]);
        real through = hidden[2 * H + i] + bias_hh[2 * H + i];
        real n = tanh_of(gates[2 * H + i] + bias_ih[2 * H + i] + r * through);
        gates[i] = r;
        gates[H + i] = z;
        gates[2 * H + i] = n;
        hn[i] = through;
        h[i] = n + z * (h_before[i] - n); // (1 − z) n + z h
    }
}

static void gru_backward(real *dgates, real *restrict dhidden, real *dh_before, const real *dh,
                         const real *gates, real *restrict hn, const real *restrict h_before,
                         size_t H)
{
#pragma omp simd
    for (size_t i = 0; i < H; i++) {
        real r = gates[i], z = gates[H + i], n = gates[2 * H + i], d = dh[i];
        // h' = (1 − z) n + z h;  n = tanh(x_n + r · hn);  each gate's derivative by its own value
        real dn = d * (1 - z) * (1 - n * n);
        real dz = d * (h_before[i] - n) * z * (1 - z);
        real dr = dn * hn[i] * r * (1 - r);
        dh_before[i] = d * z;
        dgates[i] = dhidden[i] = dr;
        dgates[H + i] = dhidden[H + i] = dz;
        dgates[2 * H + i] = dn;
        dhidden[2 * H + i] = hn[i] = dn * r;
    }
}

static void additive_forward(real *restrict energies, const real *restrict q,
                             const real *restrict keys, const real *restrict v, size_t S, size_t A)
{
    for (size_t j = 0; j < S; j++) {
        const real *k_j = keys + j * A; // (A)
        DECLARE_SUM(energy, a, A, v[a] * tanh_of(q[a] + k_j[a]))
        energies[j] = energy;
    }
}

static void exp2x(real *y, const real *x, size_t n)
{
    const real most = 20; // e^40 · e^40 is far from overflowing
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        real bounded = x[i] < -most ? -most : x[i];
        y[i] = exp_of(2 * (bounded > most ? most : bounded));
    }
}

static void additive_products(real *restrict energies, const real *restrict q,
                              const real *restrict keys, const real *restrict v, size_t S, size_t A)
{
    for (size_t j = 0; j < S; j++) {
        const real *k_j = keys + j * A; // (A)
        DECLARE_SUM(sum, a, A, v[a] * reciprocal_of(1 + q[a] * k_j[a]))
        energies[j] = -2 * sum;
    }
}

static void additive_backward(real *restrict dq, real *restrict dk_j, real *restrict dv,
                              real denergy, const real *restrict q, const real *restrict k_j,
                              const real *restrict v, size_t A)
{
#pragma omp simd
    for (size_t a = 0; a < A; a++) {
        real t = tanh_of(q[a] + k_j[a]);
        real d = denergy * v[a] * (1 - t * t);
        dv[a] += denergy * t;
        dq[a] += d;
        dk_j[a] += d;
    }
}

static real layer_norm_forward(real *restrict y, real *restrict x, const real *restrict weight,
                               const real *restrict bias, real epsilon, size_t n)
{
    // the variance of what is left, in a second pass: a large mean loses no digits
    const real mean = sum_of(x, n) / (real)n;
#pragma omp simd
    for (size_t i = 0; i < n; i++) x[i] -= mean;
    const real squares = dot(x, x, n);
    const real scale = (real)(1 / sqrt((double)(squares / (real)n + epsilon)));
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        x[i] *= scale;
        y[i] = x[i] * weight[i] + bias[i];
    }
    return scale;
}

static void layer_norm_backward(real *dx, real *restrict dweight, real *restrict dbias,
                                const real *dy, const real *restrict normalised,
                                const real *restrict weight, real scale, size_t n)
{
    // of dx̂ = dy ⊙ w, on 1 and on x̂
    DECLARE_SUM(sum, i, n, dy[i] * weight[i])
    DECLARE_SUM(projection, i, n, dy[i] * weight[i] * normalised[i])
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        dweight[i] += dy[i] * normalised[i];
        dbias[i] += dy[i];
    }
    // neither a shift nor a stretch of x changes x̂: what of dx̂ points there is taken away
    const real mean = sum / (real)n, along = projection / (real)n;
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        dx[i] = scale * (dy[i] * weight[i] - mean - normalised[i] * along);
}

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
    const real max = max_of(maxima, NULL, spans);
    DECLARE_SUM(sum, i, n, exp_of_negative(x[i] - max))
    return max + (real)log((double)sum);
}

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

static real square_root(real x)
{
#ifdef REGARD_DOUBLE
    return sqrt(x);
#else
    return sqrtf(x);
#endif
}

static void adam(real *restrict values, real *restrict first, real *restrict second,
                 const real *restrict gradients, const OptimiserStep *step, size_t n)
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
        values[i] -= rate * m / (square_root(v * correction2) + epsilon);
    }
}

static void adadelta(real *restrict values, real *restrict first, real *restrict second,
                     const real *restrict gradients, const OptimiserStep *step, size_t n)
{
    const real rate = step->rate, decay = step->beta2, epsilon = step->epsilon;
    const real gradient_scale = step->gradient_scale;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        real g = gradients[i] * gradient_scale;
        real v = decay * second[i] + (1 - decay) * g * g;
        real change = square_root(first[i] + epsilon) / square_root(v + epsilon) * g;
        first[i] = decay * first[i] + (1 - decay) * change * change;
        second[i] = v;
        values[i] -= rate * change;
    }
}

#include "math/kernels_elements.h"

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
    .bf16_pairs = bf16_pairs,
    .to_bf16_column_pairs = to_bf16_column_pairs,
    .adam = adam,
    .adadelta = adadelta,
};
