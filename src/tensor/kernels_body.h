/* The kernels themselves, once per instruction set: the including file defines KERNELS and
 * KERNELS_NAME, and the Makefile gives it the flags. `omp simd` lets the compiler keep one partial
 * sum per lane (no OpenMP runtime is involved); without it a sum would have to be added in order.
 * tensor/kernels.h is the manual. */
#include "tensor/elementary.h"
#include "tensor/kernels.h"

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

static void follow(real *restrict y, real rate, const real *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] += rate * (x[i] - y[i]);
}

static void multiply(real *restrict y, const real *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] *= x[i];
}

static real dot(const real *x, const real *y, size_t n)
{
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

#include "tensor/kernels_picked.h"

static double sum_squares(const real *x, size_t n)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += (double)x[i] * (double)x[i];
    return sum;
}

/* The lanes are written out, because a compiler may not reorder a maximum in which a NaN could
 * stand; one is passed over. */
enum { LANES = 16 };

static real largest(const real *x, size_t n)
{
    real lanes[LANES], most = -INFINITY;
    for (size_t l = 0; l < LANES; l++) lanes[l] = -INFINITY;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma omp simd
        for (size_t l = 0; l < LANES; l++) lanes[l] = x[i + l] > lanes[l] ? x[i + l] : lanes[l];
    for (; i < n; i++) most = x[i] > most ? x[i] : most;
    for (size_t l = 0; l < LANES; l++) most = lanes[l] > most ? lanes[l] : most;
    return most;
}

static size_t highest(const real *x, size_t n)
{
    real most = largest(x, n);
    for (size_t i = 0; i < n; i++)
        if (x[i] == most) return i;
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

static void gru_forward(real *restrict h, real *restrict gates, real *restrict hn,
                        const real *restrict hidden, const real *restrict bias_hh,
                        const real *restrict h_before, size_t H)
{
#pragma omp simd
    for (size_t i = 0; i < H; i++) {
        real r = sigmoid_of(gates[i] + hidden[i] + bias_hh[i]);
        real z = sigmoid_of(gates[H + i] + hidden[H + i] + bias_hh[H + i]);
        real through = hidden[2 * H + i] + bias_hh[2 * H + i];
        real n = tanh_of(gates[2 * H + i] + r * through);
        gates[i] = r;
        gates[H + i] = z;
        gates[2 * H + i] = n;
        hn[i] = through;
        h[i] = n + z * (h_before[i] - n); // (1 − z) n + z h
    }
}

static void gru_backward(real *dgates, real *restrict dhidden, real *dh_before, const real *dh,
                         const real *gates, const real *restrict hn, const real *restrict h_before,
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
        dhidden[2 * H + i] = dn * r;
    }
}

static void additive_forward(real *restrict energies, const real *restrict q,
                             const real *restrict keys, const real *restrict v, size_t S, size_t A)
{
    for (size_t j = 0; j < S; j++) {
        const real *k_j = keys + j * A; // (A)
        real energy = 0;
#pragma omp simd reduction(+ : energy)
        for (size_t a = 0; a < A; a++) energy += v[a] * tanh_of(q[a] + k_j[a]);
        energies[j] = energy;
    }
}

static void exp_twice(real *y, const real *x, size_t n)
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
        real sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t a = 0; a < A; a++) sum += v[a] * reciprocal_of(1 + q[a] * k_j[a]);
        energies[j] = -2 * sum;
    }
}

static void additive_backward(real *restrict dq, real *restrict dkeys, real *restrict dv,
                              const real *restrict denergies, const real *restrict q,
                              const real *restrict keys, const real *restrict v, size_t S, size_t A)
{
    for (size_t j = 0; j < S; j++) {
        const real *k_j = keys + j * A; // (A)
        real *dk_j = dkeys + j * A;     // (A)
        real de = denergies[j];
#pragma omp simd
        for (size_t a = 0; a < A; a++) {
            real t = tanh_of(q[a] + k_j[a]);
            real d = de * v[a] * (1 - t * t);
            dv[a] += de * t;
            dq[a] += d;
            dk_j[a] += d;
        }
    }
}

static void softmax(real *x, size_t n)
{
    real most = largest(x, n), sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) {
        x[i] = exp_of(x[i] - most);
        sum += x[i];
    }
    real scale = 1 / sum;
#pragma omp simd
    for (size_t i = 0; i < n; i++) x[i] *= scale;
}

static void softmax_backward(real *denergies, const real *dalpha, const real *alpha, size_t n)
{
    real mean = dot(alpha, dalpha, n);
#pragma omp simd
    for (size_t i = 0; i < n; i++) denergies[i] = alpha[i] * (dalpha[i] - mean);
}

static void weighted_rows(real *restrict out, const real *restrict weights,
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

static void rows_dot(real *restrict out, const real *restrict rows, const real *restrict x,
                     size_t S, size_t width, size_t stride)
{
    for (size_t j = 0; j < S; j++) out[j] = dot(rows + j * stride, x, width);
}

static void rows_add(real *restrict rows, const real *restrict weights, const real *restrict x,
                     size_t S, size_t width, size_t stride)
{
    for (size_t j = 0; j < S; j++) add_scaled(rows + j * stride, weights[j], x, width);
}

static real layer_norm_forward(real *restrict y, real *restrict x, const real *restrict weight,
                               const real *restrict bias, real epsilon, size_t n)
{
    real sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += x[i];
    // the variance of what is left, in a second pass: a large mean loses no digits
    const real mean = sum / (real)n;
#pragma omp simd reduction(+ : squares)
    for (size_t i = 0; i < n; i++) {
        x[i] -= mean;
        squares += x[i] * x[i];
    }
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
    real sum = 0, projection = 0; // of dx̂ = dy ⊙ w, on 1 and on x̂
#pragma omp simd reduction(+ : sum, projection)
    for (size_t i = 0; i < n; i++) {
        real d = dy[i] * weight[i];
        dweight[i] += dy[i] * normalised[i];
        dbias[i] += dy[i];
        sum += d;
        projection += d * normalised[i];
    }
    // neither a shift nor a stretch of x changes x̂: what of dx̂ points there is taken away
    const real mean = sum / (real)n, along = projection / (real)n;
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        dx[i] = scale * (dy[i] * weight[i] - mean - normalised[i] * along);
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
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++)
            lanes[l] = lanes[l + half] > lanes[l] ? lanes[l + half] : lanes[l];
    return lanes[0];
}

static real log_sum_exp(real *restrict x, real *restrict maxima, const real *restrict bias,
                        size_t n)
{
    size_t spans = n / KERNELS_SPAN, whole = spans * KERNELS_SPAN;
    for (size_t i = 0; i < spans; i++)
        maxima[i] = add_to_span(x + i * KERNELS_SPAN, bias + i * KERNELS_SPAN);
    if (whole < n) {
        add(x + whole, bias + whole, n - whole);
        maxima[spans++] = largest(x + whole, n - whole);
    }
    real most = largest(maxima, spans), sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += exp_of_negative(x[i] - most);
    return most + (real)log((double)sum);
}

static real cross_entropy(real *restrict logits, const real *restrict bias, size_t target,
                          real smoothing, real scale, real *log_p, size_t V)
{
    add(logits, bias, V);
    // everything below is relative to the largest logit, so that large ones lose no digits
    real most = largest(logits, V), sum = 0, total = 0;
    real target_logit = logits[target] - most;
#pragma omp simd reduction(+ : sum, total)
    for (size_t k = 0; k < V; k++) {
        real logit = logits[k] - most;
        total += logit;
        logits[k] = exp_of(logit);
        sum += logits[k];
    }
    real log_sum = (real)log((double)sum);
    *log_p = target_logit - log_sum;
    // −Σ_k q_k log p_k = −(1−ε) log p_target − ε (mean logit − log Σ exp); without ε a logit of −∞
    // is only a probability of 0
    real loss = -(1 - smoothing) * *log_p;
    if (smoothing > 0) loss -= smoothing * (total / (real)V - log_sum);
    // d loss / d logit_k = p_k − q_k
    real p_scale = scale / sum, each = scale * smoothing / (real)V;
#pragma omp simd
    for (size_t k = 0; k < V; k++) logits[k] = logits[k] * p_scale - each;
    logits[target] -= scale * (1 - smoothing);
    return loss;
}

static void to_bf16(uint16_t *restrict out, const real *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        float value = (float)x[i];
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        // bf16 is the upper half of a float: half a unit of its last place is added, ties to even
        uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
        out[i] = (uint16_t)((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc0u : rounded);
    }
}

static void from_bf16(real *restrict out, const uint16_t *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = (uint32_t)x[i] << 16;
        float value;
        memcpy(&value, &bits, sizeof value);
        out[i] = value;
    }
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

extern const Kernels KERNELS;
const Kernels KERNELS = {
    .name = KERNELS_NAME,
    .add = add,
    .add_scaled = add_scaled,
    .follow = follow,
    .multiply = multiply,
    .dot = dot,
    .sum_squares = sum_squares,
    .highest = highest,
    .bias_tanh = bias_tanh,
    .tanh_backward = tanh_backward,
    .gru_forward = gru_forward,
    .gru_backward = gru_backward,
    .additive_forward = additive_forward,
    .exp_twice = exp_twice,
    .additive_products = additive_products,
    .additive_backward = additive_backward,
    .softmax = softmax,
    .softmax_backward = softmax_backward,
    .weighted_rows = weighted_rows,
    .rows_dot = rows_dot,
    .picked_rows_dot = picked_rows_dot,
    .rows_add = rows_add,
    .layer_norm_forward = layer_norm_forward,
    .layer_norm_backward = layer_norm_backward,
    .log_sum_exp = log_sum_exp,
    .cross_entropy = cross_entropy,
    .to_bf16 = to_bf16,
    .from_bf16 = from_bf16,
    .from_int8 = from_int8,
    .adam = adam,
};
