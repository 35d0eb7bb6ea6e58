#include "search/beam.h"
#include "search/beam_case.h"

#include "support/failing_malloc.h"
#include "support/small_model.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <math.h>
#include <string.h>

/* What holds for every hypothesis: no special token but a closing </s>, the length limit, and a
 * probability and attention that are those of forced decoding. */
static void expect_sound(const Hypothesis *hypothesis, const TokenPair *source, double alpha)
{
    size_t length = hypothesis->length, limit = 2 * source->source_length + 10;
    ck_assert_uint_le(length, limit);
    ck_assert_int_ne(hypothesis->tokens[0], TOKEN_EOS);
    for (size_t t = 0; t + 1 < length; t++) ck_assert_int_gt(hypothesis->tokens[t], TOKEN_EOS);
    ck_assert_int_eq(hypothesis->tokens[length - 1] == TOKEN_EOS, hypothesis->ended);
    if (!hypothesis->ended) ck_assert_uint_eq(length, limit);
    TokenPair pair = with_target(source, hypothesis->tokens, length);
    ck_assert_double_eq_tol(hypothesis->log_p, small_model_log_p(&model, &pair, NULL), 1e-4);
    ck_assert(hypothesis->score == hypothesis->log_p / pow((double)length, alpha));
    ck_assert_uint_eq(hypothesis->positions, source->source_length);
    for (size_t t = 0; t < length && hypothesis->alpha; t++) {
        double sum = 0;
        for (size_t j = 0; j < hypothesis->positions; j++)
            sum += (double)hypothesis->alpha[t * hypothesis->positions + j];
        ck_assert_double_eq_tol(sum, 1, 1e-5);
    }
}

TEST(every_hypothesis_is_sound)
{
    for (uint64_t seed = 0; seed < 6; seed++) {
        set_up(12, 1 + (double)seed / 2, seed);
        model.params.output.bias[TOKEN_EOS] = (real)seed - 1;
        double alpha = (double)(seed % 3) / 2;
        Hypotheses results[12];
        search(drawn.pairs, 12,
               (SearchOptions){.beam = 4, .length_normalization = alpha, .with_alpha = seed % 2},
               results);
        for (size_t i = 0; i < 12; i++) {
            ck_assert_uint_ge(results[i].count, 1);
            ck_assert_uint_le(results[i].count, 4);
            for (size_t h = 0; h < results[i].count; h++) {
                expect_sound(&results[i].items[h], &drawn.pairs[i], alpha);
                ck_assert_int_eq(results[i].items[h].alpha != NULL, seed % 2 == 1);
                if (h) ck_assert(results[i].items[h - 1].score >= results[i].items[h].score);
            }
        }
        free_all(results, 12);
        tear_down();
    }
}

static void expect_tokens(const Hypothesis *hypothesis, size_t length, const int32_t *tokens)
{
    ck_assert_uint_eq(hypothesis->length, length);
    ck_assert_mem_eq(hypothesis->tokens, tokens, length * sizeof *tokens);
}

// All weights zero: every token is as likely as any other at every step.
TEST(ties)
{
    set_up(8, 0, 1);
    Hypotheses found;
    search(drawn.pairs, 1, (SearchOptions){.beam = 3}, &found);
    ck_assert_uint_eq(found.count, 3);
    // step 1 gives 4 5 6; of them 4 comes first, and after it </s> 4 5; and so on
    expect_tokens(&found.items[0], 2, (int32_t[]){4, 3});
    expect_tokens(&found.items[1], 3, (int32_t[]){4, 4, 3});
    expect_tokens(&found.items[2], 4, (int32_t[]){4, 4, 4, 3});
    hypotheses_free(&found);
    // with α = 1 all scores are equal, and whoever ended first stays first
    search(drawn.pairs, 1, (SearchOptions){.beam = 3, .length_normalization = 1}, &found);
    expect_tokens(&found.items[0], 2, (int32_t[]){4, 3});
    ck_assert_double_eq_tol(found.items[0].score, -log(8), 1e-6);
    hypotheses_free(&found);
}

TEST(length_normalization_prefers_longer)
{
    set_up(8, 0, 1);
    Hypotheses found;
    // the first word is unlikely among four; afterwards </s> and the words are nearly certain
    model.params.output.bias[TOKEN_EOS] = model.params.output.bias[4] = 3;
    search(drawn.pairs, 1, (SearchOptions){.beam = 6, .length_normalization = 0}, &found);
    expect_tokens(&found.items[0], 2, (int32_t[]){4, 3});
    hypotheses_free(&found);
    search(drawn.pairs, 1, (SearchOptions){.beam = 6, .length_normalization = 4}, &found);
    size_t longest = 0;
    for (size_t h = 0; h < found.count; h++)
        if (found.items[h].length > longest) longest = found.items[h].length;
    ck_assert_uint_gt(longest, 2);
    ck_assert_uint_eq(found.items[0].length, longest);
    hypotheses_free(&found);
}

TEST(special_tokens_and_the_empty_sentence_are_never_said)
{
    set_up(8, 1, 1);
    real *bias = model.params.output.bias;
    bias[TOKEN_PAD] = bias[TOKEN_UNK] = bias[TOKEN_BOS] = 50;
    bias[TOKEN_EOS] = 40;
    Hypotheses results[12];
    search(drawn.pairs, 12,
           (SearchOptions){.beam = 3, .length_normalization = 1, .with_alpha = true}, results);
    for (size_t i = 0; i < 12; i++) {
        expect_sound(&results[i].items[0], &drawn.pairs[i], 1);
        ck_assert_uint_eq(results[i].items[0].length, 2);
    }
    free_all(results, 12);
}

TEST(longest_output)
{
    set_up(8, 1, 1);
    model.params.output.bias[TOKEN_EOS] = -1000;
    Hypotheses results[12];
    search(drawn.pairs, 12,
           (SearchOptions){.beam = 3, .length_normalization = 1, .with_alpha = true}, results);
    for (size_t i = 0; i < 12; i++) {
        ck_assert_uint_eq(results[i].count, 3);
        for (size_t h = 0; h < 3; h++) {
            ck_assert(!results[i].items[h].ended);
            expect_sound(&results[i].items[h], &drawn.pairs[i], 1);
        }
    }
    free_all(results, 12);
}

// More places than there are tokens to say.
TEST(few_tokens)
{
    set_up(4, 1, 1); // the specials alone
    Hypotheses found;
    search(drawn.pairs, 1,
           (SearchOptions){.beam = 5, .length_normalization = 1, .with_alpha = true}, &found);
    ck_assert_uint_eq(found.count, 1);
    expect_tokens(&found.items[0], 1, (int32_t[]){TOKEN_EOS});
    ck_assert(found.items[0].ended);
    hypotheses_free(&found);
}

TEST(logits_that_are_not_numbers)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t kind = 0; kind < 3; kind++)
        for (size_t from = 0; from < 8; from++) {
            set_up(8, 1, 1);
            for (size_t v = from; v < 8; v++) model.params.output.bias[v] = (real)bad[kind];
            Hypotheses results[12];
            search(drawn.pairs, 12,
                   (SearchOptions){.beam = 3, .length_normalization = 1, .with_alpha = true},
                   results);
            for (size_t i = 0; i < 12; i++) {
                ck_assert_uint_ge(results[i].count, 1);
                ck_assert_uint_ge(results[i].items[0].length, 1);
                ck_assert_uint_le(results[i].items[0].length,
                                  2 * drawn.pairs[i].source_length + 10);
            }
            free_all(results, 12);
            tear_down();
        }
}

static void expect_same(const Hypotheses *a, const Hypotheses *b)
{
    bool exact = backend_openblas.rows_exact();
    ck_assert_uint_eq(a->count, b->count);
    for (size_t h = 0; h < a->count; h++) {
        const Hypothesis *x = &a->items[h], *y = &b->items[h];
        ck_assert_double_le(fabs(x->score - y->score), exact ? 0 : 1e-4);
        if (!exact) continue;
        expect_tokens(x, y->length, y->tokens);
        ck_assert(x->log_p == y->log_p);
        ck_assert_mem_eq(x->alpha, y->alpha, x->length * x->positions * sizeof *x->alpha);
    }
}

TEST(the_batch_does_not_matter)
{
    set_up(40, 3, 5);
    const SearchOptions options = {.beam = 5, .length_normalization = 1, .with_alpha = true};
    Hypotheses together[12], alone;
    search(drawn.pairs, 12, options, together);
    for (size_t i = 0; i < 12; i++) {
        search(&drawn.pairs[i], 1, options, &alone);
        expect_same(&together[i], &alone);
        hypotheses_free(&alone);
    }
    free_all(together, 12);
}

TEST(out_of_memory)
{
    set_up(8, 1, 1);
    const SearchOptions options = {.beam = 3, .length_normalization = 1, .with_alpha = true};
    while (failing_malloc_next()) {
        Hypotheses results[4];
        Error error = {0};
        bool failed =
            failing_malloc_expect(beam_search(network, drawn.pairs, 4, &options, results, &error));
        for (size_t i = 0; i < 4; i++) {
            ck_assert_int_eq(results[i].count == 0, failed);
            if (failed) ck_assert_ptr_null(results[i].items);
        }
        free_all(results, 4);
        network->free(network); // a new one has to allocate again
        assert_ok(inference_new(&network, &model.params, NULL, NULL, NULL));
    }
}
