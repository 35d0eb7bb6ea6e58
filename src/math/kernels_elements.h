/* The kernels whose numbers may be kept in 16 or 8 bits: those of the loss over a vocabulary, on
 * exponentials that are Elements, and those that convert. A part of kernels_body.h, which includes
 * it once per instruction set and has the sums. */
#ifndef KERNELS
#error "math/kernels_body.h includes this"
#endif

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

static void to_bf16(uint16_t *restrict out, const real *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) out[i] = bf16_of(x[i]);
}

static void to_bf16_blocks(uint16_t *restrict out, size_t apart, const real *restrict x, size_t n)
{
    for (size_t first = 0; first < n; first += KERNELS_BLOCK, out += apart)
#pragma omp simd
        for (size_t i = 0; i < KERNELS_BLOCK; i++) out[i] = bf16_of(x[first + i]);
}

// Two numbers as a little-endian word, the first in its lower half.
static inline uint32_t pair_of(real first, real second)
{
    return (uint32_t)bf16_of(first) | (uint32_t)bf16_of(second) << 16;
}

static void bf16_pairs(uint32_t *restrict out, const uint16_t *restrict low,
                       const uint16_t *restrict high, size_t n)
{
    if (high) {
#pragma omp simd
        for (size_t i = 0; i < n; i++) out[i] = (uint32_t)low[i] | (uint32_t)high[i] << 16;
    } else {
#pragma omp simd
        for (size_t i = 0; i < n; i++) out[i] = low[i];
    }
}

// A square of 16 × 16 words is transposed in four steps: for d = 8, 4, 2, 1 each two blocks of d ×
// d words beside the diagonal of a block of 2d × 2d change places (Eklundh 1972).
typedef uint32_t Words __attribute__((vector_size(64)));
#define LANE_LOW(l, d) ((l) & (d) ? (l) - (d) + 16 : (l))
#define LANE_HIGH(l, d) ((l) & (d) ? (l) + 16 : (l) + (d))
#define OF_LANES(of, d)                                                                            \
    of(0, d), of(1, d), of(2, d), of(3, d), of(4, d), of(5, d), of(6, d), of(7, d), of(8, d),      \
        of(9, d), of(10, d), of(11, d), of(12, d), of(13, d), of(14, d), of(15, d)
#define EXCHANGE(square, d)                                                                        \
    for (size_t i_ = 0; i_ < LANES; i_++)                                                          \
        if (!(i_ & (d))) {                                                                         \
            Words a_ = (square)[i_], b_ = (square)[i_ + (d)];                                      \
            (square)[i_] = __builtin_shufflevector(a_, b_, OF_LANES(LANE_LOW, d));                 \
            (square)[i_ + (d)] = __builtin_shufflevector(a_, b_, OF_LANES(LANE_HIGH, d));          \
        }

// Sixteen pairs of each of sixteen rows.
static inline void square_of_pairs(uint32_t *restrict out, size_t width, const real *restrict x,
                                   size_t stride)
{
    Words square[LANES];
    for (size_t row = 0; row < LANES; row++) {
        uint32_t words[LANES];
#pragma omp simd
        for (size_t l = 0; l < LANES; l++)
            words[l] = pair_of(x[row * stride + 2 * l], x[row * stride + 2 * l + 1]);
        memcpy(&square[row], words, sizeof words);
    }
    EXCHANGE(square, 8)
    EXCHANGE(square, 4)
    EXCHANGE(square, 2)
    EXCHANGE(square, 1)
    for (size_t pair = 0; pair < LANES; pair++)
        memcpy(out + pair * width, &square[pair], sizeof square[pair]);
}

static void to_bf16_column_pairs(uint32_t *restrict out, size_t width, const real *restrict x,
                                 size_t stride, size_t rows, size_t n)
{
    size_t i = 0; // pairs
    for (; rows == LANES && 2 * (i + LANES) <= n; i += LANES)
        square_of_pairs(out + i * width, width, x + 2 * i, stride);
    for (; 2 * i < n; i++)
        for (size_t row = 0; row < rows; row++) {
            const real *pair = x + row * stride + 2 * i;
            out[i * width + row] = pair_of(pair[0], 2 * i + 1 < n ? pair[1] : 0);
        }
}
