// Samples against the distribution that they are drawn from.
#include "search/batch_search.h"
#include "search/table_model.h"

#include "support/suite.h"

enum { SAMPLES = 1000, SOURCES = 8 };

static Table *table;
static Hypotheses results[SOURCES];

static SearchOptions sampling(double temperature, uint64_t seed)
{
    return (SearchOptions){.beam = SAMPLES,
                           .batch = 2,
                           .length_normalization = 1,
                           .sampling = {.wanted = true, .temperature = temperature, .seed = seed}};
}

static void run(size_t workers, SearchOptions options, Hypotheses *found)
{
    TokenPair sources[SOURCES];
    Threads *threads;
    BatchSearch search;
    for (uint32_t i = 0; i < SOURCES; i++) {
        sources[i] = source;
        sources[i].number = i;
    }
    assert_ok(threads_new(&threads, workers, NULL));
    assert_ok(batch_search_new(&search, threads, NULL));
    for (size_t i = 0; i < workers; i++) search.models[i] = &table_new(3)->model;
    assert_ok(batch_search_run(&search, sources, SOURCES, &options, found, NULL));
    batch_search_free(&search);
    threads_free(threads);
}

static void free_all(Hypotheses *found)
{
    for (size_t i = 0; i < SOURCES; i++) hypotheses_free(&found[i]);
}

/* Pearson's chi-square of what was drawn after `before`, over the tokens that may follow. */
static double chi_square(int32_t before, double temperature, size_t *drawn)
{
    double counts[WORDS] = {0}, shares[WORDS] = {0}, total = 0, sum = 0;
    int32_t first = before == TOKEN_BOS ? TOKEN_EOS + 1 : TOKEN_EOS;
    *drawn = 0;
    for (size_t i = 0; i < SOURCES; i++)
        for (size_t h = 0; h < results[i].count; h++) {
            const Hypothesis *sample = &results[i].items[h];
            for (size_t t = 0; t < sample->length; t++) {
                if ((t ? sample->tokens[t - 1] : TOKEN_BOS) != before) continue;
                counts[sample->tokens[t]]++;
                ++*drawn;
            }
        }
    for (int32_t token = first; token < WORDS; token++)
        total += shares[token] = exp(table->log_p[before][token] / temperature);
    for (int32_t token = first; token < WORDS; token++) {
        double expected = shares[token] / total * (double)*drawn;
        sum += (counts[token] - expected) * (counts[token] - expected) / expected;
    }
    return sum;
}

// The 99.9 % points of chi-square are 13.8 with 2 degrees of freedom and 16.3 with 3.
TEST(the_distribution)
{
    static const double temperatures[] = {1, 0.5, 2};
    table = table_new(3);
    for (size_t k = 0; k < 3; k++) {
        size_t drawn;
        run(1, sampling(temperatures[k], 7), results);
        ck_assert_double_lt(chi_square(TOKEN_BOS, temperatures[k], &drawn), 13.8);
        ck_assert_uint_eq(drawn, SOURCES * SAMPLES);
        for (int32_t before = TOKEN_EOS + 1; before < WORDS; before++) {
            ck_assert_double_lt(chi_square(before, temperatures[k], &drawn), 16.3);
            ck_assert_uint_gt(drawn, 1000);
        }
        // a distribution at another temperature would be noticed
        if (k) ck_assert_double_gt(chi_square(TOKEN_BOS, 1, &drawn), 13.8);
        free_all(results);
    }
    table->model.free(&table->model);
}

TEST(probabilities_are_the_model_s)
{
    table = table_new(3);
    run(1, sampling(0.5, 1), results);
    for (size_t i = 0; i < SOURCES; i++) {
        ck_assert_uint_eq(results[i].count, SAMPLES);
        for (size_t h = 0; h < SAMPLES; h++) {
            const Hypothesis *sample = &results[i].items[h];
            double log_p = 0;
            for (size_t t = 0; t < sample->length; t++)
                log_p += table->log_p[t ? sample->tokens[t - 1] : TOKEN_BOS][sample->tokens[t]];
            ck_assert_double_eq_tol(sample->log_p, log_p, 1e-5);
            ck_assert_double_eq_tol(sample->score, log_p / (double)sample->length, 1e-5);
        }
    }
    free_all(results);
    table->model.free(&table->model);
}

static bool same(const Hypothesis *a, const Hypothesis *b)
{
    return a->length == b->length && a->log_p == b->log_p &&
           !memcmp(a->tokens, b->tokens, a->length * sizeof *a->tokens);
}

TEST(batch_threads_and_number_of_samples_do_not_matter)
{
    static const size_t batches[] = {1, 3, 4, 64}, workers[] = {1, 2, 3, 1};
    Hypotheses others[SOURCES];
    SearchOptions options = sampling(1, 5);
    options.beam = 40;
    run(1, options, results);
    for (size_t k = 0; k < 4; k++) {
        options.batch = batches[k];
        options.beam = k == 3 ? 15 : 40;
        run(workers[k], options, others);
        for (size_t i = 0; i < SOURCES; i++)
            for (size_t h = 0; h < options.beam; h++)
                ck_assert(same(&results[i].items[h], &others[i].items[h]));
        free_all(others);
    }
    free_all(results);
}

static size_t count_same(const Hypotheses *a, const Hypotheses *b)
{
    size_t count = 0;
    for (size_t h = 0; h < a->count; h++) count += same(&a->items[h], &b->items[h]);
    return count;
}

// Other seeds and other sentences give other samples; `first` goes on counting sentences.
TEST(seeds_and_sentences_differ)
{
    Hypotheses others[SOURCES];
    run(1, sampling(1, 5), results);
    run(1, sampling(1, 6), others);
    ck_assert_uint_lt(count_same(&results[0], &others[0]), SAMPLES / 2);
    ck_assert_uint_lt(count_same(&results[0], &results[1]), SAMPLES / 2);
    free_all(others);
    SearchOptions later = sampling(1, 5);
    later.sampling.first = 3;
    run(1, later, others);
    for (size_t i = 3; i < SOURCES; i++)
        ck_assert_uint_eq(count_same(&results[i], &others[i - 3]), SAMPLES);
    free_all(others);
    free_all(results);
}

TEST(logits_that_are_not_numbers)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    const SearchOptions options = sampling(1, 1);
    for (size_t k = 0; k < 3; k++) {
        Table *damaged = table_new(1);
        for (size_t token = 0; token < WORDS; token++) damaged->log_p[4][token] = bad[k];
        assert_ok(beam_search(&damaged->model, &source, 1, &options, results, NULL));
        ck_assert_uint_eq(results[0].count, SAMPLES);
        for (size_t h = 0; h < SAMPLES; h++) ck_assert_uint_ge(results[0].items[h].length, 1);
        hypotheses_free(&results[0]);
        damaged->model.free(&damaged->model);
    }
}

static bool wanted_at(void *context)
{
    return --*(int *)context < 0;
}

TEST(cancelled)
{
    for (int steps = 0; steps < 4; steps++) {
        int left = steps;
        const Cancel cancel = {wanted_at, &left};
        SearchOptions options = {.beam = 3, .cancel = &cancel};
        Error error = {0};
        Table *one = table_new(1);
        ck_assert_int_eq(beam_search(&one->model, &source, 1, &options, results, &error),
                         STATUS_INTERRUPTED);
        ck_assert_str_eq(error.text, "cancelled on request");
        ck_assert_uint_eq(results[0].count, 0);
        ck_assert_uint_eq(one->gathered, (size_t)steps);
        options.cancel = NULL; // the model can be used again
        assert_ok(beam_search(&one->model, &source, 1, &options, results, &error));
        hypotheses_free(&results[0]);
        one->model.free(&one->model);
    }
}
