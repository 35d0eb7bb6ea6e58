/* exp, tanh and sigmoid against libm's in double, over floats of every size. */
#include "math/elementary.h"

#include "math/kernels.h"
#include "support/suite.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Worst {
    double error;
    double at;
} Worst;

static void note(Worst *worst, double error, double at)
{
    if (error <= worst->error) return;
    worst->error = error;
    worst->at = at;
}

static void expect_at_most(Worst worst, double bound, const char *name)
{
    ck_assert_msg(worst.error <= bound, "%s: error %.3g at %.9g, bound %g", name, worst.error,
                  worst.at, bound);
}

static double relative(double actual, double expected)
{
    return expected == 0 ? actual != 0 : fabs(actual / expected - 1);
}

/* Every 1999th float from 0 to the largest finite one, denormals among them: a million. */
static bool next_float(float *x)
{
    uint32_t bits;
    memcpy(&bits, x, sizeof bits);
    bits += 1999;
    memcpy(x, &bits, sizeof bits);
    return isfinite(*x);
}

TEST(known_values)
{
    ck_assert(exp_of(0) == 1 && exp_of((real)-0.0) == 1);
    ck_assert(tanh_of(0) == 0 && !signbit(tanh_of(0)));
    ck_assert(tanh_of((real)-0.0) == 0 && signbit(tanh_of((real)-0.0)));
    ck_assert(sigmoid_of(0) == (real)0.5);
    ck_assert(exp_of((real)-INFINITY) == 0);
    ck_assert(tanh_of((real)-INFINITY) == -1 && tanh_of((real)INFINITY) == 1);
    ck_assert(sigmoid_of((real)-INFINITY) == 0 && sigmoid_of((real)INFINITY) == 1);
    ck_assert(isnan(exp_of((real)NAN)) && isnan(exp_of(-(real)NAN)));
    ck_assert(isnan(tanh_of((real)NAN)) && isnan(sigmoid_of((real)NAN)));
}

// Check writes a mark to a file at every assertion: a million of them are counted instead.
TEST(exp)
{
    Worst worst = {0};
    size_t wrong = 0;
    float x = 0;
    while (next_float(&x)) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double at = sign * (double)x, actual = (double)exp_of((real)at);
            if (at >= -87.33 && at <= 88) note(&worst, relative(actual, exp(at)), at);
            // outside is float's limit; double goes on further
            if (sizeof(real) == sizeof(float) && at < -87.331) wrong += actual != 0;
        }
    }
    expect_at_most(worst, 1e-7, "exp");
    ck_assert_uint_eq(wrong, 0);
}

TEST(exp_of_negative)
{
    Worst worst = {0};
    size_t wrong = 0;
    float x = 0;
    while (next_float(&x)) {
        double at = -(double)x, actual = (double)exp_of_negative((real)at);
        note(&worst, fabs(actual - exp(at)), at);
        wrong += !(actual >= 0 && (at >= -87 || actual < 2e-38));
    }
    expect_at_most(worst, 1.5e-7, "exp of what is not above 0");
    ck_assert_uint_eq(wrong, 0);
    ck_assert(exp_of_negative(0) == 1 && exp_of_negative((real)-0.0) == 1);
    ck_assert((double)exp_of_negative((real)-INFINITY) < 2e-38);
    ck_assert(isnan(exp_of_negative((real)NAN)) && isnan(exp_of_negative(-(real)NAN)));
}

TEST(exp_for_bf16)
{
    Worst worst = {0};
    size_t wrong = 0;
    float x = 0;
    while (next_float(&x)) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double at = sign * (double)x, actual = (double)exp_rough((real)at);
            if (at >= -86 && at <= 88) note(&worst, relative(actual, exp(at)), at);
            if (at < -86 && !(actual >= 0 && actual < 1e-37)) wrong++;
            // beyond is float's limit; double goes on further
            if (sizeof(real) == sizeof(float) && at > 88 && !isfinite(actual)) wrong++;
        }
    }
    expect_at_most(worst, 1e-5, "exp for bf16");
    ck_assert_uint_eq(wrong, 0);
    ck_assert(isnan(exp_rough((real)NAN)) && isnan(exp_rough(-(real)NAN)));
    ck_assert((double)exp_rough((real)-INFINITY) < 1e-37);
}

TEST(log)
{
    Worst worst = {0};
    float x = 0;
    while (next_float(&x)) {
        double at = (double)x, expected = log(at);
        if (at >= 1e-37 && at <= 1e37)
            note(&worst, fabs((double)log_of((real)x) - expected) / (2e-7 * (1 + fabs(expected))),
                 at);
    }
    expect_at_most(worst, 1, "log, as a part of its bound");
    ck_assert(log_of(1) == 0);
}

TEST(bf16_of_what_is_not_below_0)
{
    float x = 0;
    size_t wrong = 0;
    while (next_float(&x)) {
        double rounded = (double)real_of_bf16(bf16_of_positive((real)x));
        if ((double)x > 1e-37 && (double)x < 3e38)
            wrong += !(fabs(rounded - (double)x) <= (double)x / 256);
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert(isnan(real_of_bf16(bf16_of_positive((real)NAN))));
    ck_assert(isinf(real_of_bf16(bf16_of_positive((real)INFINITY))));
}

TEST(reciprocal)
{
    Worst worst = {0};
    float x = 0;
    while (next_float(&x))
        if (x >= 1 && (double)x <= 1e36)
            note(&worst, relative((double)reciprocal_of((real)x), 1 / (double)x), (double)x);
    expect_at_most(worst, 2e-7, "1/x");
    ck_assert(isnan(reciprocal_of((real)NAN)));
}

TEST(tanh)
{
    Worst worst = {0};
    size_t outside = 0, not_odd = 0;
    float x = 0;
    while (next_float(&x)) {
        real actual = tanh_of((real)x);
        note(&worst, relative((double)actual, tanh((double)x)), (double)x);
        outside += !(actual <= 1);
        not_odd += tanh_of((real)-x) != -actual;
    }
    expect_at_most(worst, 4e-7, "tanh");
    ck_assert_uint_eq(outside, 0);
    ck_assert_uint_eq(not_odd, 0);
}

TEST(sigmoid)
{
    Worst worst = {0};
    size_t outside = 0;
    float x = 0;
    while (next_float(&x)) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double at = sign * (double)x, actual = (double)sigmoid_of((real)at);
            note(&worst, fabs(actual - 1 / (1 + exp(-at))), at);
            outside += !(actual >= 0 && actual <= 1);
        }
    }
    expect_at_most(worst, 2.5e-7, "sigmoid");
    ck_assert_uint_eq(outside, 0);
}

/* What each instruction set's compiler makes of the same source: tanh and exp once more, reached
 * through the kernels. */
enum { BLOCK = 1024 };

static void sweep_kernels(const Kernels *k)
{
    static const real zeros[BLOCK];
    Worst worst_tanh = {0}, worst_exp = {0};
    for (int block = 0; block < 400; block++) {
        real x[BLOCK], exps[BLOCK], tanhs[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            x[i] = (real)(float)(-87.3 * (block * (BLOCK - 1) + i) / (400.0 * BLOCK)); // 0 … −87.3
            exps[i] = x[i];
            tanhs[i] = x[i] / 8;
        }
        // softmax(x, 0) = exp(x) · s with s the same for all
        exps[0] = 0;
        k->softmax(exps, BLOCK);
        for (int i = 1; i < BLOCK; i++)
            if ((double)exps[i] > FLT_MIN)
                note(&worst_exp, relative((double)exps[i] / (double)exps[0], exp((double)x[i])),
                     (double)x[i]);
        k->bias_tanh(tanhs, zeros, BLOCK);
        for (int i = 0; i < BLOCK; i++)
            note(&worst_tanh, relative((double)tanhs[i], tanh((double)(x[i] / 8))),
                 (double)(x[i] / 8));
    }
    // scaling rounds once more, on both sides of the quotient
    expect_at_most(worst_exp, 1e-7 + 2 * 6e-8, k->name);
    expect_at_most(worst_tanh, 4e-7, k->name);
}

TEST(every_instruction_set)
{
    static const char *const names[] = {"plain", "avx2", "avx512"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (kernels_named(names[i])) sweep_kernels(kernels_named(names[i]));
}
