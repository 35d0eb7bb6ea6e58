#include "bench/speed/spread.h"
#include "support/suite.h"

TEST(medians)
{
    const double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2};
    ck_assert_double_eq(spread_of(odd, 3).median, 3);
    ck_assert_double_eq(spread_of(even, 4).median, 2.5);
    ck_assert_double_eq(spread_of(even, 4).least, 1);
    ck_assert_double_eq(spread_of(odd, 3).most, 5);
    ck_assert_double_eq(spread_of(odd, 1).median, 5);
}

TEST(ratios_are_of_the_same_round)
{
    const double a[] = {10, 30, 20}, b[] = {1, 10, 4};
    Spread ratio = spread_of_ratios(a, b, 3);
    ck_assert_double_eq(ratio.median, 5);
    ck_assert_double_eq(ratio.least, 3);
    ck_assert_double_eq(ratio.most, 10);
}

TEST(texts)
{
    char text[SPREAD_TEXT_SIZE];
    const double values[] = {1.26, 0.5, 2};
    Spread spread = spread_of(values, 3);
    ck_assert_str_eq(spread_text(text, spread, 1), "1.3 (0.5–2.0)");
    json_t *json = spread_json(spread);
    ck_assert_double_eq(json_number_value(json_object_get(json, "median")), 1.26);
    json_decref(json);
}
