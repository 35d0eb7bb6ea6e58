// Beam search over models that are no network: a table of probabilities, and an ensemble of tables (search/search_model.h).
#include "search/batch_search.h"
#include "search/search_model.h"
#include "search/table_model.h"

#include "support/suite.h"

// Tries every sentence: the best log p of those that begin so, and the tokens of the best.
typedef struct Best {
    double log_p;
    int32_t tokens[LONGEST];
    size_t length;
} Best;

static void try_all(Best *best, const double log_p[WORDS][WORDS], int32_t *tokens, size_t length,
                    double so_far)
{
    int32_t before = length ? tokens[length - 1] : TOKEN_BOS;
    for (int32_t token = length ? TOKEN_EOS : TOKEN_EOS + 1; token < WORDS; token++) {
        double here = so_far + log_p[before][token];
        if (here <= best->log_p) continue; // nothing becomes likelier by going on
        tokens[length] = token;
        if (token != TOKEN_EOS && length + 1 < LONGEST) {
            try_all(best, log_p, tokens, length + 1, here);
            continue;
        }
        best->log_p = here;
        best->length = length + 1;
        memcpy(best->tokens, tokens, best->length * sizeof *tokens);
    }
}

static void expect_best(SearchModel *model, const double log_p[WORDS][WORDS])
{
    const SearchOptions options = {.beam = MAX_BEAM, .with_alpha = true};
    Best best = {.log_p = -INFINITY};
    int32_t tokens[LONGEST];
    Hypotheses found;
    try_all(&best, log_p, tokens, 0, 0);
    assert_ok(beam_search(model, &source, 1, &options, &found, NULL));
    const Hypothesis *first = &found.items[0];
    ck_assert_double_eq_tol(first->log_p, best.log_p, 1e-5);
    ck_assert_uint_eq(first->length, best.length);
    ck_assert_mem_eq(first->tokens, best.tokens, best.length * sizeof *best.tokens);
    ck_assert_uint_eq(first->positions, 1);
    for (size_t t = 0; t < first->length; t++)
        ck_assert(first->alpha[t] == (float)(t ? first->tokens[t - 1] : TOKEN_BOS));
    hypotheses_free(&found);
}

TEST(a_table_against_every_sentence)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Table *table = table_new(seed);
        expect_best(&table->model, (const double(*)[WORDS])table->log_p);
        ck_assert_uint_gt(table->gathered, 0);
        table->model.free(&table->model);
    }
}

// The mean of the tables' probabilities, and of their attention, which is equal.
TEST(an_ensemble_of_tables)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double mean[WORDS][WORDS] = {{0}};
        SearchModel *ensemble, *members[3];
        for (size_t i = 0; i < 3; i++) {
            Table *table = table_new(seed + 100 * i);
            members[i] = &table->model;
            for (size_t before = 0; before < WORDS; before++)
                for (size_t token = 0; token < WORDS; token++)
                    mean[before][token] += exp(table->log_p[before][token]) / 3;
        }
        for (size_t before = 0; before < WORDS; before++)
            for (size_t token = 0; token < WORDS; token++)
                mean[before][token] = log(mean[before][token]);
        assert_ok(ensemble_new(&ensemble, members, 3, WORDS, NULL));
        expect_best(ensemble, (const double(*)[WORDS])mean);
        ensemble->free(ensemble);
    }
}

TEST(batches_of_a_table)
{
    enum { SOURCES = 40 };
    const SearchOptions options = {.beam = 3, .batch = 4, .length_normalization = 1};
    TokenPair sources[SOURCES];
    Hypotheses results[SOURCES], expected;
    Threads *threads;
    BatchSearch search;
    for (size_t i = 0; i < SOURCES; i++) sources[i] = source;
    assert_ok(threads_new(&threads, 2, NULL));
    assert_ok(batch_search_new(&search, threads, NULL));
    for (size_t i = 0; i < 2; i++) search.models[i] = &table_new(5)->model;
    assert_ok(beam_search(search.models[0], &source, 1, &options, &expected, NULL));
    assert_ok(batch_search_run(&search, sources, SOURCES, &options, results, NULL));
    for (size_t i = 0; i < SOURCES; i++) {
        ck_assert_uint_eq(results[i].count, expected.count);
        ck_assert(results[i].items[0].score == expected.items[0].score);
        hypotheses_free(&results[i]);
    }
    hypotheses_free(&expected);
    batch_search_free(&search);
    threads_free(threads);
}
