/* The kernels of the GRU, of additive attention and of layer normalisation: a part of
 * kernels_body.h, which includes it once per instruction set. */
#ifndef KERNELS
#error "math/kernels_body.h includes this"
#endif

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
        real lanes[LANES] = {0}, rest = 0;
        size_t a = 0;
        for (; a + LANES <= A; a += LANES)
#pragma omp simd
            for (size_t l = 0; l < LANES; l++)
                lanes[l] += v[a + l] * tanh_of(q[a + l] + k_j[a + l]);
        for (; a < A; a++) rest += v[a] * tanh_of(q[a] + k_j[a]);
        energies[j] = sum_of_lanes(lanes) + rest;
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
        real lanes[LANES] = {0}, rest = 0;
        size_t a = 0;
        for (; a + LANES <= A; a += LANES)
#pragma omp simd
            for (size_t l = 0; l < LANES; l++)
                lanes[l] += v[a + l] * reciprocal_of(1 + q[a + l] * k_j[a + l]);
        for (; a < A; a++) rest += v[a] * reciprocal_of(1 + q[a] * k_j[a]);
        energies[j] = -2 * (sum_of_lanes(lanes) + rest);
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
