#include "base/philox.h"
#include "base/random.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

// Random123 (D. E. Shaw Research), tests/kat_vectors, the three "philox4x32 10" lines: counter,
// key, result.
TEST(philox_known_answers)
{
    static const struct {
        uint32_t counter[4];
        uint64_t key; // the low word is the file's first
        uint32_t result[4];
    } ANSWERS[] = {
        {{0, 0, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         0xffffffffffffffff,
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         0x299f31d0a4093822,
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof ANSWERS / sizeof ANSWERS[0]; i++) {
        uint32_t out[4];
        philox(out, ANSWERS[i].counter, ANSWERS[i].key);
        ck_assert_mem_eq(out, ANSWERS[i].result, sizeof out);
    }
}

TEST(sequence_is_the_blocks_in_order)
{
    Random random = random_from(5, 0x100000007);
    for (uint32_t block = 0; block < 3; block++) {
        uint32_t expected[4];
        philox(expected, (uint32_t[]){block, 0, 7, 1 | 0x80000000u}, 5);
        for (int i = 0; i < 4; i++) ck_assert_uint_eq(random_u32(&random), expected[i]);
    }
}

// Three stored numbers are the whole generator, wherever in a block it stands: a resumed run draws
// the same.
TEST(three_numbers_restore_it)
{
    for (unsigned drawn = 0; drawn < 10; drawn++) {
        Random random = random_from(1, 2);
        for (unsigned i = 0; i < drawn; i++) random_u32(&random);
        Random restored = random_from(random.seed, random.stream);
        restored.position = random.position;
        for (int i = 0; i < 10; i++) ck_assert_uint_eq(random_u32(&restored), random_u32(&random));
    }
}

TEST(streams_and_seeds_differ)
{
    Random a = random_from(1, 0), b = random_from(2, 0), c = random_from(1, 1);
    Random d = random_from(1, (uint64_t)1 << 32), e = random_from((uint64_t)1 << 32 | 1, 0);
    uint32_t words[] = {random_u32(&a), random_u32(&b), random_u32(&c), random_u32(&d),
                        random_u32(&e)};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++) ck_assert_uint_ne(words[i], words[j]);
}

/* Pearson's chi-square of 16 × 4096 draws over `bound` values must lie within 5 standard deviations
 * of its mean, which is bound - 1 with variance 2 (bound - 1). The seed is fixed, so this passes
 * always or never. */
TEST(below_is_uniform)
{
    static const uint32_t BOUNDS[] = {2, 3, 7, 10, 64, 1000};
    enum { DRAWS = 65536 };
    for (size_t k = 0; k < sizeof BOUNDS / sizeof BOUNDS[0]; k++) {
        uint32_t bound = BOUNDS[k];
        unsigned seen[1000] = {0};
        Random random = random_from(17, bound);
        for (int i = 0; i < DRAWS; i++) {
            uint64_t draw = random_below(&random, bound);
            ck_assert_uint_lt(draw, bound);
            seen[draw]++;
        }
        double expected = (double)DRAWS / bound, square = 0, freedom = bound - 1;
        for (uint32_t i = 0; i < bound; i++)
            square += (seen[i] - expected) * (seen[i] - expected) / expected;
        ck_assert_msg(fabs(square - freedom) < 5 * sqrt(2 * freedom), "bound %u: %g", bound,
                      square);
    }
}

TEST(below_at_its_bounds)
{
    static const uint64_t BOUNDS[] = {1, (uint64_t)1 << 63, ((uint64_t)1 << 63) + 1, UINT64_MAX};
    for (size_t k = 0; k < sizeof BOUNDS / sizeof BOUNDS[0]; k++) {
        Random random = random_from(3, k);
        uint64_t largest = 0;
        for (int i = 0; i < 200; i++) {
            uint64_t draw = random_below(&random, BOUNDS[k]);
            ck_assert(draw < BOUNDS[k]);
            if (draw > largest) largest = draw;
        }
        ck_assert(largest >= BOUNDS[k] / 2); // the upper half is reached
    }
}

// Mean and variance within 5 standard errors; every uniform draw in [0, 1); every normal draw
// finite.
TEST(moments)
{
    enum { DRAWS = 100000 };
    Random random = random_from(11, 0);
    double sum = 0, squares = 0, normal_sum = 0, normal_squares = 0;
    for (int i = 0; i < DRAWS; i++) {
        double u = random_uniform(&random), n = random_normal(&random);
        ck_assert(u >= 0 && u < 1 && isfinite(n));
        sum += u;
        squares += u * u;
        normal_sum += n;
        normal_squares += n * n;
    }
    double error = 5 / sqrt(DRAWS);
    ck_assert_double_eq_tol(sum / DRAWS, 0.5, error * sqrt(1.0 / 12));
    ck_assert_double_eq_tol(squares / DRAWS, 1.0 / 3, error * sqrt(4.0 / 45));
    ck_assert_double_eq_tol(normal_sum / DRAWS, 0, error);
    ck_assert_double_eq_tol(normal_squares / DRAWS, 1, error * sqrt(2));
}

TEST(shuffle_is_a_permutation)
{
    uint32_t items[1000];
    unsigned char seen[1000] = {0};
    for (uint32_t i = 0; i < 1000; i++) items[i] = i;
    Random random = random_from(1, 1);
    random_shuffle(&random, items, 1000);
    unsigned in_place = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        ck_assert_int_eq(seen[items[i]]++, 0);
        in_place += items[i] == i;
    }
    ck_assert_uint_lt(in_place, 10); // 1 is expected
    random_shuffle(&random, items, 0);
    random_shuffle(&random, NULL, 0);
    uint32_t one = 7;
    random_shuffle(&random, &one, 1);
    ck_assert_uint_eq(one, 7);
}

// All 24 orders of four items come equally often (chi-square with 23 degrees of freedom).
TEST(shuffle_is_fair)
{
    enum { ROUNDS = 24000 };
    unsigned seen[256] = {0}, orders = 0;
    Random random = random_from(1, 3);
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t items[4] = {0, 1, 2, 3};
        random_shuffle(&random, items, 4);
        seen[items[0] << 6 | items[1] << 4 | items[2] << 2 | items[3]]++;
    }
    double square = 0, expected = ROUNDS / 24.0;
    for (int i = 0; i < 256; i++) {
        if (!seen[i]) continue;
        orders++;
        square += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    ck_assert_uint_eq(orders, 24);
    ck_assert_double_lt(square, 23 + 5 * sqrt(46));
}
