/* What the tests of the kernels share: every instruction set, sizes that are not multiples of a
 * register, numbers, and the comparison with plain loops in double. */
#pragma once

#include "base/memory.h"
#include "math/kernels.h"
#include "support/assert_close.h"
#include "support/draw.h"
#include "support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const INSTRUCTION_SETS[] = {"plain", "avx2", "avx512"};
static const size_t SIZES[] = {0, 1, 3, 16, 17, 100, 1000};

// A test that runs check(kernels, n) for every instruction set that is here and every size.
#define EVERYWHERE(name, check)                                                                    \
    TEST(name)                                                                                     \
    {                                                                                              \
        for (size_t i_ = 0; i_ < sizeof INSTRUCTION_SETS / sizeof *INSTRUCTION_SETS; i_++)         \
            for (size_t j_ = 0; j_ < sizeof SIZES / sizeof *SIZES; j_++)                           \
                if (kernels_named(INSTRUCTION_SETS[i_]))                                           \
                    check(kernels_named(INSTRUCTION_SETS[i_]), SIZES[j_]);                         \
    }

// `count` normal numbers of standard deviation `scale`, in memory of exactly that size.
static inline real *numbers(size_t count, double scale, uint64_t seed)
{
    real *values = memory_new(count, sizeof *values);
    ck_assert_ptr_nonnull(values);
    draw_reals(values, count, scale, seed);
    return values;
}

static inline double *doubles(size_t count)
{
    double *values = memory_new(count, sizeof *values);
    ck_assert_ptr_nonnull(values);
    return values;
}

// Frees everything named.
#define release(...)                                                                               \
    do {                                                                                           \
        void *all_[] = {__VA_ARGS__};                                                              \
        for (size_t i_ = 0; i_ < sizeof all_ / sizeof *all_; i_++) memory_free(all_[i_]);          \
    } while (0)

/* Close to within rounding of numbers about as large as `size`, which for a sum is the sum of its
 * terms' sizes. */
static inline void expect(const real *actual, const double *expected, size_t count, double size,
                          const Kernels *k, const char *name)
{
    const double epsilon = sizeof(real) == sizeof(float) ? 5e-7 : 1e-14;
    char label[80];
    snprintf(label, sizeof label, "%s, %s, n = %zu", name, k->name, count);
    assert_close(actual, expected, count, 4 * epsilon, size * epsilon, label);
}
