#include "support/assert_close.h"
#include "support/attention_case.h"

#include <math.h>

TEST(by_hand)
{
    /* W_q s = (3, 4), whose direction is (.6, .8); W_k = 1. The keys (10, 0), (0, .1), (-3, -4) have
     * the directions (1, 0), (0, 1), (-.6, -.8): cosines .6, .8, -1, whatever their lengths.
     * τ = 5 ln 2: e = 3 ln 2, 4 ln 2, -5 ln 2; α = 8, 16, 1/32 over their sum */
    AttentionCase subject;
    real energies[3];
    attention_case_begin(&subject, &attention_cosine,
                         (AttentionSizes){.attention = 2, .decoder = 1, .annotation = 2},
                         (const uint32_t[]){3}, 1, 1);
    attention_case_set(subject.params.query.weight.matrix.values, (const double[]){3, 4}, 2);
    attention_case_set(subject.params.key.matrix.values, (const double[]){1, 0, 0, 1}, 4);
    attention_case_set(subject.params.temperature, (const double[]){5 * log(2)}, 1);
    attention_case_set(subject.q.values, (const double[]){1}, 1);
    attention_case_set(subject.memory.annotations.values, (const double[]){10, 0, 0, .1, -3, -4},
                       6);
    attention_case_forward(&subject);
    attention_energies(energies, subject.step.query.values, &subject.memory, 0, &subject.params);
    const double expected[] = {3 * log(2), 4 * log(2), -5 * log(2)}, sum = 24 + 1. / 32;
    assert_close(energies, expected, 3, 1e-6, 0, "energies");
    assert_close(subject.alpha[0], (const double[]){8 / sum, 16 / sum, 1. / 32 / sum}, 3, 1e-5, 0,
                 "alpha");
    attention_case_end(&subject);
}

ATTENTION_TESTS(attention_cosine,
                (AttentionSizes){.attention = 5, .decoder = 3, .annotation = 4, .heads = 1})

TEST(vectors_without_a_direction)
{
    // a query of zeros and a key of zeros: even weights, and gradients that are numbers
    AttentionCase subject;
    attention_case_begin(&subject, &attention_cosine,
                         (AttentionSizes){.attention = 2, .decoder = 1, .annotation = 2},
                         (const uint32_t[]){4}, 1, 1);
    attention_case_draw(&subject);
    subject.q.values[0] = 0;
    attention_case_set(subject.memory.annotations.values, (const double[]){0, 0}, 2);
    attention_case_forward(&subject);
    assert_close(subject.alpha[0], (const double[]){.25, .25, .25, .25}, 4, 1e-6, 0, "alpha");
    attention_case_backward(&subject);
    for (size_t i = 0; i < subject.list.block_size; i++)
        ck_assert(isfinite((double)subject.grad_block[i]));
    for (size_t i = 0; i < 8; i++)
        ck_assert(isfinite((double)subject.dmemory.dannotations.values[i]));
    attention_case_end(&subject);
}
