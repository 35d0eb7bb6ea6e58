#include "train/schedule.h"

#include "support/suite.h"

TEST(by_hand)
{
    ck_assert_double_eq_tol(schedule_rate(0.002, 400, 1), 0.002 / 400, 1e-15);
    ck_assert_double_eq_tol(schedule_rate(0.002, 400, 100), 0.0005, 1e-15);
    ck_assert_double_eq_tol(schedule_rate(0.002, 400, 400), 0.002, 1e-15);
    ck_assert_double_eq_tol(schedule_rate(0.002, 400, 1600), 0.001, 1e-15);
    ck_assert_double_eq_tol(schedule_rate(0.002, 400, 40000), 0.0002, 1e-15);
}

// It rises to the highest and then falls, without a jump, and never leaves (0, highest].
TEST(shape)
{
    for (uint64_t warmup = 1; warmup < 50; warmup += 7) {
        double before = 0;
        for (uint64_t t = 1; t < 500; t++) {
            double rate = schedule_rate(3, warmup, t);
            ck_assert(rate > 0 && rate <= 3);
            ck_assert(t <= warmup ? rate > before : rate < before);
            before = rate;
        }
    }
}

TEST(without_warm_up)
{
    for (uint64_t t = 1; t < 100; t++) ck_assert_double_eq(schedule_rate(0.5, 0, t), 0.5);
}

TEST(far_ahead)
{
    ck_assert(schedule_rate(1, 400, UINT64_MAX) > 0);
    ck_assert(schedule_rate(1, UINT64_MAX, 1) > 0);
    ck_assert_double_eq(schedule_rate(0, 400, 7), 0);
}

// The guide keeps its weight during warm-up and then falls towards the end weight; no fall, no change.
TEST(guide)
{
    ck_assert_double_eq(schedule_guide(0.5, 0.1, 600, 1), 0.5);
    ck_assert_double_eq(schedule_guide(0.5, 0.1, 600, 600), 0.5);
    ck_assert_double_eq_tol(schedule_guide(0.5, 0.1, 600, 1200), 0.3, 1e-15);
    ck_assert_double_eq_tol(schedule_guide(0.5, 0, 600, 6000), 0.05, 1e-15);
    ck_assert_double_eq_tol(schedule_guide(0.5, 0.1, 0, 4), 0.2, 1e-15);
    for (uint64_t t = 1; t < 2000; t += 13)
        ck_assert_double_eq(schedule_guide(0.3, 0.3, 600, t), 0.3);
}
