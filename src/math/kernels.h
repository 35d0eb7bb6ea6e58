/* Vectorised elementwise and row-wise mathematics. One source (kernels_body.h) is compiled for
 * plain C, AVX2 and AVX-512; the best that the processor has is chosen at run time, and
 * REGARD_ISA=plain|avx2|avx512 in the environment forces one. Kernels never allocate and cannot
 * fail. Every sum has a fixed order, so the same instruction set gives the same bits; those that
 * search needs have one order in all sets.
 *
 * Arguments: outputs, saved values, inputs, dimensions. A backward kernel adds to its gradients
 * unless its comment says that it sets them. Letters as everywhere: H units of a GRU, A attention
 * units, S source positions, V vocabulary. */
#pragma once

#include "math/real.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One update of Adam or Adadelta; train/optimiser.h has the equations.
typedef struct OptimiserStep {
    real rate; // learning rate / (1 − β1ᵗ)
    real beta1, beta2;
    real correction2; // 1 / (1 − β2ᵗ)
    real epsilon;
    real gradient_scale; // of clipping; 1 if nothing is clipped
} OptimiserStep;

enum { KERNELS_SPAN = 64, KERNELS_BLOCK = 64, KERNELS_PAIRED_ROWS = 16 };

// Numbers kept as they are or, in half the memory, rounded to bf16; both NULL: not kept.
typedef struct Elements {
    real *values;
    uint16_t *bf16;
} Elements;

// The numbers from number `first` on.
static inline Elements elements_at(Elements elements, size_t first)
{
    return (Elements){.values = elements.values ? elements.values + first : NULL,
                      .bf16 = elements.bf16 ? elements.bf16 + first : NULL};
}

typedef struct ExponentialSums {
    real sum;   // of the exponentials
    real total; // of their exponents
} ExponentialSums;

// What log_ratios below this count as: no probability that small matters.
#define RATIO_LEAST ((real)1e-18)

typedef struct RatioSums {
    real of_p; // Σ p l
    real of_q; // Σ q l
} RatioSums;

typedef struct DrawingFactors {
    real ratio;    // of l
    real own[2];   // of p in the new p, of q in the new q
    real other[2]; // of q in the new p, of p in the new q
} DrawingFactors;

typedef struct Kernels {
    const char *name; // "plain", "avx2", "avx512"

    // y += x, both (n)
    void (*add)(real *y, const real *x, size_t n);
    // y += a·x, both (n)
    void (*add_scaled)(real *y, real a, const real *x, size_t n);
    // y (n) += Σ_i rows_i, of `count` rows that are `stride` ≥ n apart
    void (*add_rows)(real *y, const real *rows, size_t count, size_t n, size_t stride);
    // y += rate · (x − y), both (n): an exponential moving average
    void (*ema)(real *y, real rate, const real *x, size_t n);
    // y *= x, both (n)
    void (*multiply)(real *y, const real *x, size_t n);
    // Σ x·y
    real (*dot)(const real *x, const real *y, size_t n);
    // Σ x², summed in double: not finite if any value is not
    double (*sum_squares)(const real *x, size_t n);
    // Whether all values are finite.
    bool (*all_finite)(const real *x, size_t n);
    // The index of the largest value, the first on a tie. n ≥ 1; NaNs are ignored.
    size_t (*argmax)(const real *x, size_t n);

    // y = tanh(y + bias), both (n)
    void (*bias_tanh)(real *y, const real *bias, size_t n);
    // dx = dy · (1 − y²), set, (n); dx may be dy
    void (*tanh_backward)(real *dx, const real *dy, const real *y, size_t n);

    /* One sentence's step of a GRU (layers/gru.h). gates (3H) holds W_i x and becomes r, z,
     * n; hidden (3H) is W_h h + without its bias; hn (H) is set to W_hn h + b_hn, saved for
     * backward; h (H) is the new state. */
    void (*gru_forward)(real *h, real *gates, real *hn, const real *hidden, const real *bias_ih,
                        const real *bias_hh, const real *h_before, size_t H);
    /* Its backward: dgates (3H) = d(W_i x + b_i), dhidden (3H) = d(W_h h + b_h), both set; hn (H)
     * becomes the last third of dhidden, the others being those of dgates; dh_before (H) is set to
     * the part of its gradient that does not go through W_h. dh_before may be dh; dgates may be
     * gates. */
    void (*gru_backward)(real *dgates, real *dhidden, real *dh_before, const real *dh,
                         const real *gates, real *hn, const real *h_before, size_t H);

    // energies (S): e_j = Σ_a v_a tanh(q_a + k_ja), with q (A), keys (S, A), v (A)
    void (*additive_forward)(real *energies, const real *q, const real *keys, const real *v,
                             size_t S, size_t A);
    /* The same energies less Σ v, which all have in common and a softmax does not see, for
     * search, which meets each key many times: tanh(q + k) = 1 − 2 / (1 + e^2q e^2k), so no
     * function remains to be computed. exp2x makes q (A) and keys (S, A): y = e^2x, with x
     * clamped to ±20, both (n); y may be x. */
    void (*exp2x)(real *y, const real *x, size_t n);
    void (*additive_products)(real *energies, const real *q, const real *keys, const real *v,
                              size_t S, size_t A);
    /* Backward of additive_forward for one position: dq, dk_j and dv (A) are added to. The tanh
     * is recomputed rather than stored. */
    void (*additive_backward)(real *dq, real *dk_j, real *dv, real denergy, const real *q,
                              const real *k_j, const real *v, size_t A);

    // x becomes softmax(x), (n); n ≥ 1
    void (*softmax)(real *x, size_t n);
    // denergies_j = α_j (dα_j − Σ_i α_i dα_i), set, (n); denergies may be dalpha
    void (*softmax_backward)(real *denergies, const real *dalpha, const real *alpha, size_t n);
    // rows (S, width) are `stride` ≥ width apart in the next two and in ger
    // out (width) = Σ_j weights_j · rows_j, set
    void (*gemv_transposed)(real *out, const real *weights, const real *rows, size_t S,
                            size_t width, size_t stride);
    // out_j = row_j · x, set; x (width)
    void (*gemv)(real *out, const real *rows, const real *x, size_t S, size_t width, size_t stride);
    /* A product with some of a matrix's rows: y (n, count), y_ij = x_i · rows_k with k =
     * picks_j, set; x (n, width), rows dense, rows of y `stride` apart. */
    void (*gemv_gathered)(real *y, size_t stride, const real *x, size_t n, const real *rows,
                          const int32_t *picks, size_t count, size_t width);
    // row_j += weights_j · x; x (width)
    void (*ger)(real *rows, const real *weights, const real *x, size_t S, size_t width,
                size_t stride);

    /* One row of layer normalisation (layers/layer_norm.h): x (n) becomes (x − μ) / √(σ² + ε), y
     * (n) is set to that · weight + bias, and 1 / √(σ² + ε) is returned; n ≥ 1. */
    real (*layer_norm_forward)(real *y, real *x, const real *weight, const real *bias, real epsilon,
                               size_t n);
    /* Its backward from dy (n), what x became and what was returned: dx (n) is set and may be dy;
     * dweight (n) and dbias (n) are added to. */
    void (*layer_norm_backward)(real *dx, real *dweight, real *dbias, const real *dy,
                                const real *normalised, const real *weight, real scale, size_t n);

    /* x += bias, both (n); returns log Σ exp x. Sets maxima (⌈n / KERNELS_SPAN⌉) to the largest
     * of each KERNELS_SPAN, NaNs ignored, so that a top-k scan skips most spans. */
    real (*log_sum_exp)(real *x, real *maxima, const real *bias, size_t n);
    // y = log x, (n), where what is below 1e-37 counts as that; y may be x
    void (*log)(real *y, const real *x, size_t n);
    // The largest of x + bias, (n), where bias may be NULL; −∞ if there is none. NaNs are ignored.
    real (*max)(const real *x, const real *bias, size_t n);
    /* exp(x + bias − reference), (n), into p. Differences above 88 count as 88. */
    ExponentialSums (*exponentials)(Elements p, const real *x, const real *bias, real reference,
                                    size_t n);
    // p *= factor, (n)
    void (*scale)(Elements p, real factor, size_t n);
    // y (n) += Σ_i a_i p_i over the rows of p (rows, n), which are kept
    void (*add_scaled_rows)(real *y, const real *a, Elements p, size_t rows, size_t n);
    /* l = log (p / q) + shift, (n), where what is below RATIO_LEAST counts as that; p and q are
     * kept in the same way. */
    RatioSums (*log_ratios)(real *l, Elements p, Elements q, real shift, size_t n);
    // p and q, both (n), become p (own_0 + ratio l) − other_0 q and q (own_1 − ratio l) − other_1 p
    void (*draw_together)(Elements p, Elements q, const real *l, const DrawingFactors *factors,
                          size_t n);

    /* One row of a dropout mask (n): 0 where sixteen random bits are below `threshold`, else
     * `kept`. The bits are Philox's (base/philox.h) for this key and counters whose first word
     * is 4b + counter[0], b = 0, 1, …; a block of four words decides eight elements 16 apart, so
     * that 16 blocks fill 16 lanes. */
    void (*dropout_mask)(real *mask, const uint32_t counter[4], uint64_t key, uint32_t threshold,
                         real kept, size_t n);

    // out = x rounded to the nearest bf16, a tie to even; NaN stays NaN, (n)
    void (*to_bf16)(uint16_t *out, const real *x, size_t n);
    /* The same of a row in blocks of KERNELS_BLOCK numbers, of which n is a multiple; the blocks
     * of out are `apart` from each other. */
    void (*to_bf16_blocks)(uint16_t *out, size_t apart, const real *x, size_t n);
    // out = x, which is exact, (n)
    void (*from_bf16)(real *out, const uint16_t *x, size_t n);
    // out = scale · x, (n)
    void (*from_int8)(real *out, const int8_t *x, real scale, size_t n);
    // out (n) pairs of numbers in bf16: each of low beside that of high, or beside 0 if high is NULL
    void (*bf16_pairs)(uint32_t *out, const uint16_t *low, const uint16_t *high, size_t n);
    /* For each of at most KERNELS_PAIRED_ROWS rows of x (rows, n), `stride` apart: its numbers two
     * by two as pairs. A row's pairs are `width` apart, the rows' pairs adjacent. */
    void (*to_bf16_column_pairs)(uint32_t *out, size_t width, const real *x, size_t stride,
                                 size_t rows, size_t n);

    // Adam, or Adadelta, over (n) values (train/optimiser.h)
    void (*adam)(real *values, real *first, real *second, const real *gradients,
                 const OptimiserStep *step, size_t n);
    void (*adadelta)(real *values, real *first, real *second, const real *gradients,
                     const OptimiserStep *step, size_t n);
} Kernels;

// The kernels of this processor, or those REGARD_ISA names (an unknown or unsupported name is
// ignored).
const Kernels *kernels(void);

// The set of that name, or NULL if this processor or build lacks it; for the tests.
const Kernels *kernels_named(const char *name);
