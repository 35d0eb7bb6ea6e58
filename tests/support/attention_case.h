/* One scorer alone, one step of it: what the tests of every scorer share. A test program has its
 * cases by hand, and between them
 *
 *     ATTENTION_TESTS(attention_dot, (AttentionSizes){.attention = 5, …})
 *
 * Any failure fails the test. */
#pragma once

#include "attention/attention.h"
#include "support/suite.h"

enum { MAX_ATTENTION_ROWS = 64, MAX_ATTENTION_SENTENCES = 4 };

// Row i looks at sentence i unless told otherwise.
typedef struct AttentionCase {
    const AttentionScorer *scorer;
    AttentionSizes sizes;
    AttentionWidths widths;
    ParamList list;
    real *block, *grad_block;
    AttentionParams params;
    AttentionGrads dparams;
    Arena ragged_arena, arena;
    Ragged ragged; // of the sources
    AttentionMemory memory;
    AttentionMemoryGrads dmemory;
    AttentionStep step;
    Matrix q, dq; // (B, D) s_{t-1} and its gradient
    uint32_t sentence[MAX_ATTENTION_SENTENCES];
    real *alpha[MAX_ATTENTION_SENTENCES];         // (heads, S)
    real *dalpha[MAX_ATTENTION_SENTENCES];        // (heads, S) zeros until they are set
    const real *dalphas[MAX_ATTENTION_SENTENCES]; // the same as the step wants them
    Matrix dcontext; // (B, C): the loss is Σ context · dcontext + Σ alpha · dalpha
} AttentionCase;

/* `lengths` (count) of the sentences, falling; products over rows rounded to `row_multiple`.
 * Ended by attention_case_end. */
void attention_case_begin(AttentionCase *subject, const AttentionScorer *scorer,
                          AttentionSizes sizes, const uint32_t *lengths, size_t count,
                          size_t row_multiple);

void attention_case_end(AttentionCase *subject);

void attention_case_forward(AttentionCase *subject);

/* All of backward for this one step; dq and the memory's gradients start at 0, the parameters' go
 * on. */
void attention_case_backward(AttentionCase *subject);

// Numbers without a pattern for everything that goes in.
void attention_case_draw(AttentionCase *subject);

void attention_case_set(real *to, const double *from, size_t count);

// All gradients by central differences: one position, one sentence, ragged, one for all rows.
void attention_check_gradients(const AttentionScorer *scorer, AttentionSizes sizes);

/* tests/fixtures/attention_NAME.safetensors, with products rounded up or not: forward, all
 * gradients, and that these accumulate. */
void attention_check_fixture(const AttentionScorer *scorer, size_t heads);

// Every head's weights are a distribution, from an even one to one-hot.
void attention_check_sums(const AttentionScorer *scorer, AttentionSizes sizes);

// A sentence alone gives what it gives in a batch.
void attention_check_batch(const AttentionScorer *scorer, AttentionSizes sizes);

#define ATTENTION_TESTS(scorer, ...)                                                               \
    TEST(gradients)                                                                                \
    {                                                                                              \
        attention_check_gradients(&scorer, __VA_ARGS__);                                           \
    }                                                                                              \
    TEST(equals_pytorch)                                                                           \
    {                                                                                              \
        attention_check_fixture(&scorer, (__VA_ARGS__).heads);                                     \
    }                                                                                              \
    TEST(weights_sum_to_one)                                                                       \
    {                                                                                              \
        attention_check_sums(&scorer, __VA_ARGS__);                                                \
    }                                                                                              \
    TEST(a_sentence_does_not_see_its_batch)                                                        \
    {                                                                                              \
        attention_check_batch(&scorer, __VA_ARGS__);                                               \
    }                                                                                              \
    TEST(is_found_by_name)                                                                         \
    {                                                                                              \
        ck_assert_ptr_eq(attention_scorer_named(scorer.name), &scorer);                            \
    }
