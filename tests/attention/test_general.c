#include "attention/dot_case.h"

#include <math.h>

TEST(by_hand)
{
    /* D = C = 2, and W is learned all the same: W (0, 1) = (ln 3, 0);
     * e = (ln 3, 0)·(1, 5), ·(0, 2) = ln 3, 0; α = 3/4, 1/4; c = 3/4 (1, 5) + 1/4 (0, 2) */
    AttentionCase subject;
    attention_case_begin(&subject, &attention_general,
                         (AttentionSizes){.decoder = 2, .annotation = 2}, (const uint32_t[]){2}, 1,
                         1);
    attention_case_set(subject.params.query.weight.matrix.values, (const double[]){7, log(3), 9, 0},
                       4);
    attention_case_set(subject.q.values, (const double[]){0, 1}, 2);
    check_context(&subject);
}

ATTENTION_TESTS(attention_general,
                (AttentionSizes){.attention = 5, .decoder = 3, .annotation = 4, .heads = 1})

TEST(is_dot_where_that_is_projected)
{
    // the same tensors, the same bits
    const AttentionSizes sizes = {.attention = 5, .decoder = 3, .annotation = 4, .heads = 1};
    AttentionCase dot, general;
    attention_case_begin(&dot, &attention_dot, sizes, (const uint32_t[]){3}, 1, 1);
    attention_case_begin(&general, &attention_general, sizes, (const uint32_t[]){3}, 1, 1);
    attention_case_draw(&dot);
    attention_case_draw(&general);
    attention_case_forward(&dot);
    attention_case_forward(&general);
    for (size_t i = 0; i < 4; i++)
        ck_assert(dot.step.context.values[i] == general.step.context.values[i]);
    attention_case_end(&dot);
    attention_case_end(&general);
}
