// Beam search against a naive writing-down of its rules, and against trying every sentence.
#include "search/beam.h"
#include "search/beam_case.h"

#include "support/small_model.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <math.h>
#include <string.h>

/* The same search written down naively: prefixes are whole strings, and every number comes from
 * forced decoding of a whole prefix. */
enum { MAX_PREFIX = 32, MAX_NAIVE = 512 };

typedef struct Naive {
    int32_t tokens[MAX_PREFIX];
    size_t length;
    double log_p, score;
} Naive;

typedef struct NaiveBeam {
    Naive live[MAX_NAIVE], ended[MAX_NAIVE], next[MAX_NAIVE];
    size_t live_count, ended_count, next_count;
} NaiveBeam;

// Puts an item behind all that are at least as good, and drops what is then beyond `most`.
static void keep_best(Naive *list, size_t *count, size_t most, const Naive *item, bool by_score)
{
    size_t place = *count;
    while (place > 0 &&
           (by_score ? item->score > list[place - 1].score : item->log_p > list[place - 1].log_p))
        place--;
    if (place == most) return;
    if (*count < most) ++*count;
    memmove(&list[place + 1], &list[place], (*count - 1 - place) * sizeof *list);
    list[place] = *item;
}

static void naive_step(NaiveBeam *beam, const TokenPair *source, size_t places)
{
    beam->next_count = 0;
    for (size_t i = 0; i < beam->live_count; i++)
        for (size_t token = 3; token < model.config.target_vocabulary; token++) {
            Naive longer = beam->live[i];
            if (longer.length == 0 && token == TOKEN_EOS) continue;
            longer.tokens[longer.length++] = (int32_t)token;
            TokenPair pair = with_target(source, longer.tokens, longer.length);
            longer.log_p = small_model_log_p(&model, &pair, NULL);
            keep_best(beam->next, &beam->next_count, places, &longer, false);
        }
}

static void naive_search(NaiveBeam *beam, const TokenPair *source, size_t places, double alpha)
{
    size_t limit = 2 * source->source_length + 10;
    beam->live_count = 1;
    beam->live[0] = (Naive){.length = 0};
    beam->ended_count = 0;
    for (size_t length = 1; beam->live_count > 0; length++) {
        naive_step(beam, source, places);
        beam->live_count = 0;
        for (size_t i = 0; i < beam->next_count; i++) {
            Naive *item = &beam->next[i];
            if (item->tokens[length - 1] != TOKEN_EOS && length < limit) {
                beam->live[beam->live_count++] = *item;
                continue;
            }
            item->score = item->log_p / pow((double)length, alpha);
            keep_best(beam->ended, &beam->ended_count, MAX_NAIVE, item, true);
            places--;
        }
    }
}

static void expect_naive(const Hypotheses *found, const NaiveBeam *expected)
{
    ck_assert_uint_eq(found->count, expected->ended_count);
    for (size_t h = 0; h < found->count; h++) {
        const Hypothesis *a = &found->items[h];
        const Naive *b = &expected->ended[h];
        ck_assert_uint_eq(a->length, b->length);
        ck_assert_mem_eq(a->tokens, b->tokens, a->length * sizeof *a->tokens);
        ck_assert_double_eq_tol(a->log_p, b->log_p, 1e-4);
    }
}

TEST(is_the_search_that_was_promised)
{
    static NaiveBeam naive;
    static const double alphas[] = {0, 0.6, 1, 2};
    for (uint64_t seed = 0; seed < 8; seed++) {
        set_up(8, 2, seed);
        model.params.output.bias[TOKEN_EOS] = (real)(seed % 4) - 1;
        size_t beam = seed % 5 + 1;
        Hypotheses results[2];
        search(drawn.pairs, 2,
               (SearchOptions){.beam = beam, .length_normalization = alphas[seed % 4]}, results);
        for (size_t i = 0; i < 2; i++) {
            naive_search(&naive, &drawn.pairs[i], beam, alphas[seed % 4]);
            expect_naive(&results[i], &naive);
        }
        free_all(results, 2);
        tear_down();
    }
}

// So many tokens that whole spans of them are passed over; </s> is likely, so that few are tried.
TEST(many_tokens)
{
    static NaiveBeam naive;
    for (size_t beam = 1; beam <= 4; beam += 3) {
        set_up(SEARCH_SPAN * 5 + 7, 3, beam);
        model.params.output.bias[TOKEN_EOS] = 4;
        Hypotheses found;
        search(drawn.pairs, 1, (SearchOptions){.beam = beam, .length_normalization = 1}, &found);
        naive_search(&naive, &drawn.pairs[0], beam, 1);
        expect_naive(&found, &naive);
        hypotheses_free(&found);
        tear_down();
    }
}

TEST(greedy_says_the_likeliest_token)
{
    set_up(30, 3, 7);
    Hypotheses results[12];
    search(drawn.pairs, 12, (SearchOptions){.beam = 1, .length_normalization = 1}, results);
    for (size_t i = 0; i < 12; i++) {
        ck_assert_uint_eq(results[i].count, 1);
        const Hypothesis *found = &results[i].items[0];
        for (size_t t = 0; t < found->length; t++) {
            int32_t tokens[MAX_PREFIX], best = -1;
            double best_log_p = -INFINITY;
            memcpy(tokens, found->tokens, t * sizeof *tokens);
            for (int32_t token = t ? TOKEN_EOS : TOKEN_EOS + 1; token < 30; token++) {
                double log_p[MAX_PREFIX];
                tokens[t] = token;
                TokenPair pair = with_target(&drawn.pairs[i], tokens, t + 1);
                small_model_log_p(&model, &pair, log_p);
                if (log_p[t] > best_log_p) best = token;
                if (log_p[t] > best_log_p) best_log_p = log_p[t];
            }
            ck_assert_int_eq(found->tokens[t], best);
        }
    }
    free_all(results, 12);
}

// With one word to say there are as many sentences as lengths, and a wide beam finds every one.
TEST(wide_beam_finds_every_sentence)
{
    set_up(5, 2, 3);
    Hypotheses found;
    for (size_t i = 0; i < 4; i++) {
        size_t limit = 2 * drawn.pairs[i].source_length + 10, seen = 0;
        search(&drawn.pairs[i], 1, (SearchOptions){.beam = 2 * limit}, &found);
        ck_assert_uint_eq(found.count, limit); // lengths 2 … limit, and `limit` words cut off
        for (size_t h = 0; h < found.count; h++) {
            size_t words = found.items[h].length - found.items[h].ended;
            ck_assert_uint_eq(seen >> words & 1, 0);
            seen |= (size_t)1 << words;
        }
        hypotheses_free(&found);
    }
}

/* The best log p of all sentences of two words that have at most `longest` tokens, by trying all. */
static double best_of_all(const TokenPair *source, size_t longest)
{
    double best = -INFINITY;
    for (size_t length = 2; length <= longest; length++)
        for (size_t bits = 0; bits < (size_t)1 << (length - 1); bits++) {
            int32_t tokens[MAX_PREFIX];
            for (size_t t = 0; t + 1 < length; t++) tokens[t] = (int32_t)(4 + (bits >> t & 1));
            tokens[length - 1] = TOKEN_EOS;
            TokenPair pair = with_target(source, tokens, length);
            best = fmax(best, small_model_log_p(&model, &pair, NULL));
        }
    return best;
}

TEST(wide_beam_finds_the_best)
{
    Hypotheses found;
    for (uint64_t seed = 0; seed < 4; seed++) {
        set_up(6, 3, seed);
        model.params.output.bias[TOKEN_EOS] = 1;
        // 600 places: nothing of up to 7 tokens is ever dropped
        search(&drawn.pairs[seed], 1, (SearchOptions){.beam = 600}, &found);
        const Hypothesis *best = &found.items[0];
        double by_trying = best_of_all(&drawn.pairs[seed], 7);
        ck_assert_double_ge(best->log_p, by_trying - 1e-4);
        if (best->length <= 7) ck_assert_double_eq_tol(best->log_p, by_trying, 1e-4);
        hypotheses_free(&found);
        tear_down();
    }
}
