#include "attention/dot_case.h"

#include <math.h>

TEST(by_hand)
{
    /* D = C = 2, so q is compared as it is: e = (ln 3, 0)·(1, 5), ·(0, 2) = ln 3, 0;
     * α = 3/4, 1/4; c = 3/4 (1, 5) + 1/4 (0, 2) = (.75, 4.25) */
    AttentionCase subject;
    attention_case_begin(&subject, &attention_dot, (AttentionSizes){.decoder = 2, .annotation = 2},
                         (const uint32_t[]){2}, 1, 1);
    ck_assert_uint_eq(subject.list.count, 0);
    attention_case_set(subject.q.values, (const double[]){log(3), 0}, 2);
    check_context(&subject);
}

TEST(projected_by_hand)
{
    // D = 1 and C = 2: W = (ln 3, 0)ᵀ makes the query above of s = 1
    AttentionCase subject;
    attention_case_begin(&subject, &attention_dot, (AttentionSizes){.decoder = 1, .annotation = 2},
                         (const uint32_t[]){2}, 1, 1);
    ck_assert_uint_eq(subject.list.count, 1);
    ck_assert_str_eq(subject.list.tensors[0].name, "attention.query.weight");
    attention_case_set(subject.params.query.weight.matrix.values, (const double[]){log(3), 0}, 2);
    attention_case_set(subject.q.values, (const double[]){1}, 1);
    check_context(&subject);
}

ATTENTION_TESTS(attention_dot,
                (AttentionSizes){.attention = 5, .decoder = 3, .annotation = 4, .heads = 1})

TEST(unprojected)
{
    const AttentionSizes sizes = {.attention = 5, .decoder = 4, .annotation = 4, .heads = 1};
    attention_check_gradients(&attention_dot, sizes);
    attention_check_batch(&attention_dot, sizes);
}
