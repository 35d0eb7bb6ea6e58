// What is asked of attention: weights that are given or forbidden, of every scorer.
#include "support/attention_case.h"

#include <math.h>
#include <string.h>

static const AttentionSizes sizes = {.attention = 6, .decoder = 6, .annotation = 6, .heads = 2};
static const uint32_t lengths[] = {5, 4, 2};
enum { SENTENCES = 3, STEP = 3 };

static AttentionCase subject;

static void begin(const char *scorer)
{
    attention_case_begin(&subject, attention_scorer_named(scorer), sizes, lengths, SENTENCES, 1);
    attention_case_draw(&subject);
    subject.step.number = STEP;
}

// The context is what the weights make of the values.
static void expect_context(void)
{
    size_t heads = subject.widths.heads, C = sizes.annotation;
    Matrix values = subject.memory.values, context = subject.step.context;
    real mixed[6], expected[6];
    Matrix mixed_row = {mixed, 1, C, C}, expected_row = {expected, 1, C, C};
    for (size_t i = 0; i < SENTENCES; i++) {
        memset(mixed, 0, sizeof mixed);
        for (size_t c = 0; c < C; c++)
            for (size_t j = 0; j < lengths[i]; j++)
                mixed[c] += subject.alpha[i][c / (C / heads) * lengths[i] + j] *
                            matrix_row(values, subject.memory.begin[i] + j)[c];
        attention_context_forward(expected_row, mixed_row, &subject.params);
        for (size_t c = 0; c < C; c++)
            ck_assert_double_eq_tol((double)matrix_row(context, i)[c], (double)expected[c], 1e-5);
    }
}

/* Sentence 0 is as it was, 1 has forbidden subwords, and 2 a weight that is given; in all heads. */
static void expect_asked(real before[SENTENCES][10])
{
    for (size_t head = 0; head < subject.widths.heads; head++) {
        const real *first = before[1] + head * 4, *alpha = subject.alpha[1] + head * 4;
        double left = (double)(first[0] + first[3]);
        ck_assert(alpha[1] == 0 && alpha[2] == 0);
        ck_assert_double_eq_tol((double)alpha[0], (double)first[0] / left, 1e-5);
        ck_assert_double_eq_tol((double)alpha[3], (double)first[3] / left, 1e-5);
        ck_assert(subject.alpha[2][head * 2] == (real)0.3);
        ck_assert_double_eq_tol((double)subject.alpha[2][head * 2 + 1], 0.7, 1e-6);
    }
    ck_assert_mem_eq(subject.alpha[0], before[0], subject.widths.heads * 5 * sizeof(real));
}

TEST(in_every_scorer_and_head)
{
    static const WhatIf forbidden = {.forbidden = {1, 2}, .forbidden_count = 2};
    static const WhatIf given = {.weights = {{STEP, 0, 0.3}}, .weight_count = 1};
    static const WhatIf *const what_if[SENTENCES] = {NULL, &forbidden, &given};
    for (size_t k = 0; attention_scorer_names[k]; k++) {
        real before[SENTENCES][10];
        begin(attention_scorer_names[k]);
        attention_case_forward(&subject);
        for (size_t i = 0; i < SENTENCES; i++)
            memcpy(before[i], subject.alpha[i],
                   subject.widths.heads * lengths[i] * sizeof **before);
        subject.step.what_if = what_if;
        attention_case_forward(&subject);
        expect_asked(before);
        expect_context();
        attention_case_end(&subject);
    }
}

// A weight is given for its step alone, and nothing asked for gives the same bits.
TEST(of_another_step)
{
    static const WhatIf given = {.weights = {{STEP + 1, 0, 1}}, .weight_count = 1}, nothing = {0};
    static const WhatIf *const none[SENTENCES] = {NULL};
    for (size_t k = 0; attention_scorer_names[k]; k++) {
        real before[10];
        begin(attention_scorer_names[k]);
        size_t bytes = subject.widths.heads * 5 * sizeof *before;
        attention_case_forward(&subject);
        memcpy(before, subject.alpha[0], bytes);
        subject.step.what_if = none;
        attention_case_forward(&subject);
        ck_assert_mem_eq(subject.alpha[0], before, bytes);
        const WhatIf *const asked[SENTENCES] = {&given, &nothing, &given};
        subject.step.what_if = asked;
        attention_case_forward(&subject);
        for (size_t j = 0; j < 5 * subject.widths.heads; j++)
            ck_assert_double_eq_tol((double)subject.alpha[0][j], (double)before[j], 1e-6);
        attention_case_end(&subject);
    }
}

// Where all of the weight was on what is forbidden, the others share it; and all may be given.
TEST(nothing_is_left)
{
    begin("dot");
    matrix_clear(subject.memory.annotations);
    matrix_row(subject.memory.annotations, 1)[0] = 1000;
    subject.q.values[0] = 1000;
    WhatIf asked = {.forbidden = {1}, .forbidden_count = 1};
    const WhatIf *const what_if[SENTENCES] = {&asked};
    attention_case_forward(&subject);
    ck_assert(subject.alpha[0][1] == 1);
    subject.step.what_if = what_if;
    attention_case_forward(&subject);
    for (size_t j = 0; j < 5; j++) ck_assert(subject.alpha[0][j] == (j == 1 ? 0 : (real)0.25));
    asked = (WhatIf){.weight_count = 5};
    for (uint32_t j = 0; j < 5; j++) asked.weights[j] = (WhatIfWeight){STEP, j, j / 10.0};
    attention_case_forward(&subject);
    for (size_t j = 0; j < 5; j++) ck_assert(subject.alpha[0][j] == (real)((double)j / 10));
    attention_case_end(&subject);
}
