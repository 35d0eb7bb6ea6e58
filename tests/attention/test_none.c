#include "support/assert_close.h"
#include "support/attention_case.h"

TEST(by_hand)
{
    // the mean of (1, 2), (3, 4), (8, 0) is (4, 2), whatever is asked
    AttentionCase subject;
    attention_case_begin(&subject, &attention_none, (AttentionSizes){.decoder = 2, .annotation = 2},
                         (const uint32_t[]){3}, 1, 1);
    attention_case_set(subject.q.values, (const double[]){5, -7}, 2);
    attention_case_set(subject.memory.annotations.values, (const double[]){1, 2, 3, 4, 8, 0}, 6);
    attention_case_forward(&subject);
    assert_close(subject.alpha[0], (const double[]){1. / 3, 1. / 3, 1. / 3}, 3, 1e-6, 0, "alpha");
    assert_close(subject.step.context.values, (const double[]){4, 2}, 2, 1e-6, 0, "context");
    ck_assert_uint_eq(subject.list.count, 0);
    ck_assert(!attention_none.energies);
    attention_case_end(&subject);
}

ATTENTION_TESTS(attention_none,
                (AttentionSizes){.attention = 5, .decoder = 3, .annotation = 4, .heads = 1})
