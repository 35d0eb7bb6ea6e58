#include "support/assert_close.h"
#include "support/attention_case.h"

#include <math.h>

TEST(by_hand)
{
    /* A = C = 2 in two heads, each one number wide, so √(A/heads) = 1; W_k = W_v = 1.
     * q = (ln 3, -ln 3), h = (1, 1), (0, 0): the first head sees e = ln 3, 0 and the second the
     * contrary; α = 3/4, 1/4 and 1/4, 3/4, the mean is even.
     * m = (3/4 · 1, 1/4 · 1); W_O = (1 2; 0 4): c = (.75 + .5, 1) */
    AttentionCase subject;
    real mean[2];
    attention_case_begin(
        &subject, &attention_multi_head,
        (AttentionSizes){.attention = 2, .decoder = 1, .annotation = 2, .heads = 2},
        (const uint32_t[]){2}, 1, 1);
    attention_case_set(subject.params.query.weight.matrix.values, (const double[]){log(3), -log(3)},
                       2);
    attention_case_set(subject.params.key.matrix.values, (const double[]){1, 0, 0, 1}, 4);
    attention_case_set(subject.params.value.matrix.values, (const double[]){1, 0, 0, 1}, 4);
    attention_case_set(subject.params.output.matrix.values, (const double[]){1, 2, 0, 4}, 4);
    attention_case_set(subject.q.values, (const double[]){1}, 1);
    attention_case_set(subject.memory.annotations.values, (const double[]){1, 1, 0, 0}, 4);
    attention_case_forward(&subject);
    assert_close(subject.alpha[0], (const double[]){.75, .25, .25, .75}, 4, 1e-6, 0, "alpha");
    attention_mean_of_heads(mean, subject.alpha[0], 2, 2);
    assert_close(mean, (const double[]){.5, .5}, 2, 1e-6, 0, "mean of the heads");
    assert_close(subject.step.mixed.values, (const double[]){.75, .25}, 2, 1e-6, 0, "mixed");
    assert_close(subject.step.context.values, (const double[]){1.25, 1}, 2, 1e-6, 0, "context");
    attention_case_end(&subject);
}

ATTENTION_TESTS(attention_multi_head,
                (AttentionSizes){.attention = 4, .decoder = 3, .annotation = 6, .heads = 2})

TEST(one_head_is_scaled_dot)
{
    // but for W_O, which here is 1
    const AttentionSizes sizes = {.attention = 5, .decoder = 3, .annotation = 4, .heads = 1};
    AttentionCase scaled, multi;
    attention_case_begin(&scaled, &attention_scaled_dot, sizes, (const uint32_t[]){3}, 1, 1);
    attention_case_begin(&multi, &attention_multi_head, sizes, (const uint32_t[]){3}, 1, 1);
    attention_case_draw(&scaled);
    attention_case_draw(&multi);
    for (size_t i = 0; i < 16; i++) multi.params.output.matrix.values[i] = i % 5 == 0;
    attention_case_forward(&scaled);
    attention_case_forward(&multi);
    for (size_t i = 0; i < 4; i++)
        ck_assert(scaled.step.context.values[i] == multi.step.context.values[i]);
    attention_case_end(&scaled);
    attention_case_end(&multi);
}

TEST(many_heads)
{
    // as many heads as there are columns, and one
    attention_check_gradients(&attention_multi_head, (AttentionSizes){4, 3, 4, 4});
    attention_check_gradients(&attention_multi_head, (AttentionSizes){4, 3, 4, 1});
}
