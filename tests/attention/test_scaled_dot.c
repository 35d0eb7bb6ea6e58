#include "support/assert_close.h"
#include "support/attention_case.h"

#include <math.h>

TEST(by_hand)
{
    /* A = 4, so √A = 2. W_q s = (2 ln 3, 0, 0, 0); W_k takes h's first number to the first place:
     * e = 2 ln 3 · 1 / 2, 2 ln 3 · 0 / 2 = ln 3, 0; α = 3/4, 1/4.
     * W_v turns h around: c = 3/4 (5, 1) + 1/4 (2, 0) = (4.25, .75) */
    AttentionCase subject;
    attention_case_begin(&subject, &attention_scaled_dot,
                         (AttentionSizes){.attention = 4, .decoder = 1, .annotation = 2},
                         (const uint32_t[]){2}, 1, 1);
    subject.params.query.weight.matrix.values[0] = (real)(2 * log(3));
    subject.params.key.matrix.values[0] = 1;
    attention_case_set(subject.params.value.matrix.values, (const double[]){0, 1, 1, 0}, 4);
    attention_case_set(subject.q.values, (const double[]){1}, 1);
    attention_case_set(subject.memory.annotations.values, (const double[]){1, 5, 0, 2}, 4);
    attention_case_forward(&subject);
    assert_close(subject.alpha[0], (const double[]){.75, .25}, 2, 1e-6, 0, "alpha");
    assert_close(subject.step.context.values, (const double[]){4.25, .75}, 2, 1e-6, 0, "context");
    attention_case_end(&subject);
}

ATTENTION_TESTS(attention_scaled_dot,
                (AttentionSizes){.attention = 5, .decoder = 3, .annotation = 4, .heads = 1})
