/* The functions a translator spends its elementwise time in, written without branches so that
 * a loop over them becomes vector code. Included once per instruction set, through kernels_body.h.
 *
 * In float, exp and tanh are our own: minimax approximations fitted by Lawson's weighted least
 * squares (tests/fixtures/fit_kernels.py prints the coefficients). In double they are libm's, so
 * that gradient checks see the true functions.
 *
 * Bounds, tested against double libm in tests/math/test_elementary.c:
 *
 *     exp      of x ≤ 88, e⁸⁸ beyond: relative error ≤ 1e-7; 0 below −87.33 (no denormals)
 *     exp of what is not above 0   absolute error ≤ 1.5e-7; about 1e-38 below −87
 *     log      of x from 1e-37 to 1e37: absolute error ≤ 2e-7 (1 + |log x|)
 *     exp for bf16   relative error ≤ 1e-5 from −86 to 88, which bound it
 *     1/x      relative error ≤ 2e-7 for 1 ≤ x ≤ 1e36
 *     tanh     relative error ≤ 4e-7; never outside −1 … 1
 *     sigmoid  absolute error ≤ 2.5e-7; never outside 0 … 1
 *
 * NaN gives NaN; −inf, and for the other two +inf, give the limits. */
#pragma once

#include "math/real.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef REGARD_DOUBLE

#define exp_of(x) exp(x)
#define exp_of_negative(x) exp(x)
#define exp_rough(x) exp(x)
#define tanh_of(x) tanh(x)
#define log_of(x) log(x)
#define reciprocal_of(x) (1 / (x))

#else

/* The bounds of what follows. They are not constants of this header, because a compiler that
 * sees their values computes the results at the bounds in advance and selects them by masks,
 * three times the work of a minimum and a maximum. */
typedef struct ElementaryBounds {
    float exp_min, exp_max, exp_negative_min, exp_rough_min, tanh_max, one;
} ElementaryBounds;

extern const ElementaryBounds elementary_bounds;

static inline float float_from_bits(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int32_t bits_of_float(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* exp(x) = 2ⁿ · exp(r) for x ≤ 88, far above what softmax needs (beyond, e⁸⁸), with n = round(x
 * / ln 2) and |r| ≤ ln 2 / 2; exp(r) by a polynomial of degree 6. ln 2 is split so that n · (its
 * upper part) is exact. */
static inline float exp_of(float x)
{
    const float rounder = 0x1.8p23f; // adding it leaves a float's integer part in its lowest bits
    float bounded = x < elementary_bounds.exp_min ? elementary_bounds.exp_min : x;
    bounded = bounded > elementary_bounds.exp_max ? elementary_bounds.exp_max : bounded;
    float shifted = bounded * 1.44269504f + rounder;
    float n = shifted - rounder;
    float r = bounded - n * 0.693359375f;
    r = r + n * 2.12194440e-4f;
    float p = r * 0.00138145988f + 0.00836871658f;
    p = p * r + 0.041668389f;
    p = p * r + 0.166665211f;
    p = p * r + 0.49999994f;
    p = p * r * r + r + 1.0f;
    // unsigned, so that the bits of a NaN wrap instead of overflowing; −126 ≤ n ≤ 127
    uint32_t exponent = (uint32_t)bits_of_float(shifted) - 0x4B400000u + 127;
    float result = p * float_from_bits((int32_t)(exponent << 23));
    return x < elementary_bounds.exp_min ? 0.0f : result;
}

/* exp(x) for x ≤ 0, as in a softmax, in two thirds of the time: nothing overflows, n needs one
 * exponent field, and degree 5 and an undivided ln 2 are exact enough for what is added to
 * exp(0). */
static inline float exp_of_negative(float x)
{
    const float rounder = 0x1.8p23f;
    float least = elementary_bounds.exp_negative_min;
    float bounded = x < least ? least : x; // a NaN stays
    float shifted = bounded * 1.44269504f + rounder;
    float r = bounded - (shifted - rounder) * 0.693147182f;
    float p = r * 0.00831252057f + 0.0418901555f;
    p = p * r + 0.166671142f;
    p = p * r + 0.499992311f;
    p = p * r * r + r + 1.0f;
    uint32_t field = (uint32_t)bits_of_float(shifted) - 0x4B400000u + 127u;
    return p * float_from_bits((int32_t)(field << 23));
}

/* exp(x) for what is rounded to bf16 and summed: 2ⁿ 2ʳ with |r| ≤ ½, degree 4. What is below −86 or
 * above 88 counts as that. */
static inline float exp_rough(float x)
{
    const float rounder = 0x1.8p23f;
    const ElementaryBounds *bounds = &elementary_bounds;
    float bounded = x < bounds->exp_rough_min ? bounds->exp_rough_min : x; // a NaN stays
    bounded = bounded > bounds->exp_max ? bounds->exp_max : bounded;
    float shifted = bounded * 1.44269504f + rounder;
    float r = bounded * 1.44269504f - (shifted - rounder);
    float p = r * 0.00957010128f + 0.0559178591f;
    p = p * r + 0.240247443f;
    p = p * r + 0.693121791f;
    p = p * r + 0.99999928f;
    // n is in the lowest bits of `shifted`; those of a NaN are 0, so that p stays NaN
    return float_from_bits(
        (int32_t)((uint32_t)bits_of_float(p) + ((uint32_t)bits_of_float(shifted) << 23)));
}

/* 1/x for 1 ≤ x ≤ 1e36. A division takes as long as a dozen other operations; the exponent field
 * negated gives 1/x to within 6 %, e = 1 − x·r its error, and r (1 + e + e²) leaves e³, r (1 + e³)
 * e⁶. */
static inline float reciprocal_of(float x)
{
    float r = float_from_bits((int32_t)(0x7EF31000u - (uint32_t)bits_of_float(x)));
    float e = 1.0f - x * r;
    r = r + r * (e * e + e);
    e = 1.0f - x * r;
    return r + r * e;
}

/* tanh(x) = x · P(x²) / Q(x²), of degrees 4 and 4, fitted on |x| ≤ 9, where float rounds tanh to
 * ±1. There rounding may overstep ±1, which would make σ negative: hence the last two lines. At 9.5
 * the quotient lies above 1 by more than rounding can take away, so that infinity gives 1. */
static inline float tanh_of(float x)
{
    const ElementaryBounds *bounds = &elementary_bounds;
    float bounded = x < -bounds->tanh_max ? -bounds->tanh_max : x; // a NaN stays
    bounded = bounded > bounds->tanh_max ? bounds->tanh_max : bounded;
    float u = bounded * bounded;
    float p = u * 1.33546294e-08f + 2.0609059e-05f;
    p = p * u + 0.00349558657f;
    p = p * u + 0.133810237f;
    p = p * u + 1.0f;
    float q = u * 7.7765452e-07f + 0.000328563241f;
    q = q * u + 0.0258769765f;
    q = q * u + 0.467143387f;
    q = q * u + 1.0f;
    float t = bounded * p / q;
    t = t < -bounds->one ? -bounds->one : t;
    return t > bounds->one ? bounds->one : t;
}

/* log(x) of normal x > 0: x = 2ⁿ m with √½ ≤ m < √2, and log m = 2 artanh f with
 * f = (m − 1) / (m + 1), whose series f + f³/3 + … is cut off after f⁹/9, with |f| ≤ 0.172. */
static inline float log_of(float x)
{
    const int32_t half_root = 0x3F3504F3; // the bits of √½
    int32_t above = bits_of_float(x) - half_root;
    float m = float_from_bits((above & 0x7FFFFF) + half_root);
    float f = (m - 1.0f) / (m + 1.0f), g = f * f;
    float p = g * (2.0f / 9) + 2.0f / 7;
    p = p * g + 2.0f / 5;
    p = p * g + 2.0f / 3;
    p = p * g * f + 2.0f * f;
    return p + (float)(above >> 23) * 0.693147182f;
}

#endif

static inline real at_least(real x, real least)
{
    return x < least ? least : x; // a NaN stays
}

// The nearest bf16, the upper half of a float, a tie to even; NaN stays NaN.
static inline uint16_t bf16_of(real x)
{
    float value = (float)x;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16; // half a unit of its last place
    return (uint16_t)((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc0u : rounded);
}

// The same for a number ≥ 0 in half the time: a tie goes up.
static inline uint16_t bf16_of_positive(real x)
{
    float value = (float)x;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x8000u) >> 16);
}

static inline real real_of_bf16(uint16_t value)
{
    uint32_t bits = (uint32_t)value << 16;
    float result;
    memcpy(&result, &bits, sizeof result);
    return (real)result;
}

// σ(x) = ½ + ½ tanh(x/2)
static inline real sigmoid_of(real x)
{
    return (real)0.5 * tanh_of((real)0.5 * x) + (real)0.5;
}
