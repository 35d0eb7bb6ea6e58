// Search among the candidates of a shortlist.
#include "search/beam.h"
#include "search/beam_case.h"

#include "support/failing_malloc.h"
#include "support/small_model.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <math.h>
#include <string.h>

enum { SOURCES = 9, TARGETS = 80, PAIRS = 12, OWN = 5 };

// What each source token may become: five tokens of 4 … 79, drawn once.
static int32_t begin[SOURCES + 1];
static uint16_t ids[SOURCES * OWN];
static const uint16_t always[] = {0, 1, 2, 3, 20, 21};
static Shortlist list = {always, 6, begin, ids, {NULL}};

static void make_list(void)
{
    for (int32_t s = 0; s < SOURCES; s++) {
        begin[s + 1] = OWN * (s + 1);
        for (int32_t i = 0; i < OWN; i++) ids[OWN * s + i] = (uint16_t)(4 + s + i * 15);
    }
}

// A model with a shortlist.
static void set_up_with(const Shortlist *shortlist, double scale, uint64_t seed)
{
    set_up(TARGETS, scale, seed);
    network->free(network);
    assert_ok(inference_new(&network, &model.params, shortlist, NULL, NULL));
}

// Every token is a candidate.
static Shortlist whole_list(uint16_t *every)
{
    static const int32_t none[SOURCES + 1];
    for (uint16_t id = 0; id < TARGETS; id++) every[id] = id;
    return (Shortlist){every, TARGETS, none, ids, {NULL}};
}

static bool is_candidate(const TokenPair *source, int32_t token)
{
    for (size_t i = 0; i < list.always_count; i++)
        if (always[i] == token) return true;
    for (size_t j = 0; j < source->source_length; j++)
        for (int32_t i = begin[source->source[j]]; i < begin[source->source[j] + 1]; i++)
            if (ids[i] == token) return true;
    return false;
}

static SearchOptions options_with(bool shortlist, size_t beam)
{
    return (SearchOptions){.beam = beam,
                           .length_normalization = 1,
                           .with_alpha = true,
                           .scoring = {.shortlist = shortlist}};
}

TEST(says_candidates_alone)
{
    make_list();
    for (uint64_t seed = 1; seed <= 5; seed++) {
        Hypotheses results[PAIRS];
        set_up_with(&list, 4, seed);
        search(drawn.pairs, PAIRS, options_with(true, 4), results);
        for (size_t i = 0; i < PAIRS; i++)
            for (size_t h = 0; h < results[i].count; h++)
                for (size_t t = 0; t < results[i].items[h].length; t++)
                    ck_assert(is_candidate(&drawn.pairs[i], results[i].items[h].tokens[t]));
        free_all(results, PAIRS);
        tear_down();
    }
}

/* log p of a hypothesis from the whole vocabulary's probabilities: each token's share of those of the candidates. */
static double log_p_among_candidates(const TokenPair *source, const Hypothesis *hypothesis)
{
    double sum = 0;
    int32_t tokens[64];
    for (size_t t = 0; t < hypothesis->length; t++) {
        double said = 0, all = 0, log_p[64];
        memcpy(tokens, hypothesis->tokens, t * sizeof *tokens);
        for (int32_t token = 0; token < TARGETS; token++) {
            tokens[t] = token;
            TokenPair pair = with_target(source, tokens, t + 1);
            if (!is_candidate(source, token)) continue;
            (void)small_model_log_p(&model, &pair, log_p);
            all += exp(log_p[t]);
            if (token == hypothesis->tokens[t]) said = log_p[t];
        }
        sum += said - log(all);
    }
    return sum;
}

TEST(probabilities_are_shares_of_the_candidates)
{
    make_list();
    Hypotheses results[3];
    set_up_with(&list, 3, 7);
    search(drawn.pairs, 3, options_with(true, 3), results);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(results[i].count, 3);
        for (size_t h = 0; h < results[i].count; h++) {
            const Hypothesis *hypothesis = &results[i].items[h];
            ck_assert_double_eq_tol(hypothesis->log_p,
                                    log_p_among_candidates(&drawn.pairs[i], hypothesis), 1e-3);
        }
    }
    free_all(results, 3);
}

// That all may be said is no restriction.
TEST(a_list_of_everything)
{
    uint16_t every[TARGETS];
    const Shortlist whole = whole_list(every);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        Hypotheses free_results[PAIRS], results[PAIRS];
        set_up_with(&whole, 4, seed);
        search(drawn.pairs, PAIRS, options_with(false, 4), free_results);
        search(drawn.pairs, PAIRS, options_with(true, 4), results);
        for (size_t i = 0; i < PAIRS; i++)
            ck_assert_double_eq_tol(results[i].items[0].score, free_results[i].items[0].score,
                                    1e-4);
        free_all(results, PAIRS);
        free_all(free_results, PAIRS);
        tear_down();
    }
}

// A sentence's hypotheses have the same bits alone and in any batch: its candidates are its own.
TEST(batches_do_not_matter)
{
    make_list();
    static const size_t beams[] = {1, 3, 5, 20}; // with 20, rows of a step go beyond a block of 64
    for (size_t b = 0; b < sizeof beams / sizeof *beams; b++) {
        Hypotheses together[PAIRS];
        set_up_with(&list, 4, 3 + b);
        search(drawn.pairs, PAIRS, options_with(true, beams[b]), together);
        for (size_t i = 0; i < PAIRS; i++) {
            Hypotheses alone;
            search(&drawn.pairs[i], 1, options_with(true, beams[b]), &alone);
            ck_assert_uint_eq(alone.count, together[i].count);
            for (size_t h = 0; h < alone.count; h++) {
                const Hypothesis *x = &alone.items[h], *y = &together[i].items[h];
                ck_assert_double_le(fabs(x->score - y->score),
                                    backend_openblas.rows_exact() ? 0 : 1e-4);
                if (!backend_openblas.rows_exact()) continue;
                ck_assert_uint_eq(x->length, y->length);
                ck_assert_mem_eq(x->tokens, y->tokens, x->length * sizeof *x->tokens);
            }
            hypotheses_free(&alone);
        }
        free_all(together, PAIRS);
        tear_down();
    }
}

// The same model may search with its list, without, and with it again.
TEST(comes_and_goes)
{
    make_list();
    Hypotheses results[4][PAIRS];
    set_up_with(&list, 4, 2);
    for (size_t i = 0; i < 4; i++)
        search(drawn.pairs, PAIRS, options_with(i % 2 == 0, 3), results[i]);
    for (size_t i = 0; i < PAIRS; i++) {
        ck_assert(results[0][i].items[0].score == results[2][i].items[0].score);
        ck_assert(results[1][i].items[0].score == results[3][i].items[0].score);
    }
    for (size_t i = 0; i < 4; i++) free_all(results[i], PAIRS);
}

// A prefix's tokens are candidates of a shortlist that does not have them.
TEST(with_a_prefix)
{
    uint32_t node;
    Prefix prefix = {0};
    Hypotheses found;
    make_list();
    set_up_with(&list, 2, 1);
    assert_ok(prefix_walk(&prefix, (int32_t[]){30}, 1, &node, NULL));
    assert_ok(prefix_keep(&prefix, 31, NULL));
    assert_ok(prefix_allow(&prefix, node, 31, NULL));
    assert_ok(prefix_allow(&prefix, node, 32, NULL)); // may be left out
    prefix_finish(&prefix);
    drawn.pairs[0].number = 0;
    search(drawn.pairs, 1,
           (SearchOptions){.beam = 3, .scoring = {.shortlist = true}, .prefixes = &prefix}, &found);
    for (size_t h = 0; h < found.count; h++) {
        ck_assert_int_eq(found.items[h].tokens[0], 30);
        ck_assert_int_eq(found.items[h].tokens[1], 31);
        ck_assert(isfinite(found.items[h].log_p));
    }
    hypotheses_free(&found);
    prefix_free(&prefix);
}

TEST(with_constraints_out_of_memory)
{
    Constraints constraints = {0};
    make_list();
    set_up_with(&list, 2, 1);
    assert_ok(constraints_add(&constraints, PHRASE_NEW, (int32_t[]){32, 33}, 2, NULL));
    drawn.pairs[0].number = 0;
    const SearchOptions options = {
        .beam = 2, .scoring = {.shortlist = true}, .constraints = &constraints};
    while (failing_malloc_next()) {
        Hypotheses found;
        bool failed =
            failing_malloc_expect(beam_search(network, drawn.pairs, 1, &options, &found, NULL));
        if (failed) ck_assert_ptr_null(found.items);
        hypotheses_free(&found);
        network->free(network); // a new one has to allocate again
        assert_ok(inference_new(&network, &model.params, &list, NULL, NULL));
    }
    constraints_free(&constraints);
}

// So are those of phrases that hypotheses must contain, beside a prefix and without.
TEST(with_constraints)
{
    uint32_t node;
    Prefix prefix = {0};
    Constraints constraints = {0};
    make_list();
    set_up_with(&list, 2, 1);
    assert_ok(prefix_walk(&prefix, (int32_t[]){30}, 1, &node, NULL));
    assert_ok(prefix_keep(&prefix, 31, NULL));
    assert_ok(prefix_allow(&prefix, node, 31, NULL));
    prefix_finish(&prefix);
    assert_ok(constraints_add(&constraints, PHRASE_NEW, (int32_t[]){32, 33}, 2, NULL));
    drawn.pairs[0].number = 0;
    for (size_t beam = 1; beam <= 3; beam += 2)
        for (int prefixed = 0; prefixed < 2; prefixed++) {
            Hypotheses found;
            search(drawn.pairs, 1,
                   (SearchOptions){.beam = beam,
                                   .scoring = {.shortlist = true},
                                   .prefixes = prefixed ? &prefix : NULL,
                                   .constraints = &constraints},
                   &found);
            ck_assert(!found.items[0].incomplete);
            ck_assert(isfinite(found.items[0].log_p));
            if (prefixed) ck_assert_int_eq(found.items[0].tokens[0], 30);
            hypotheses_free(&found);
        }
    constraints_free(&constraints);
    prefix_free(&prefix);
}
