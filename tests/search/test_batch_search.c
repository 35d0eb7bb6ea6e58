#include "search/batch_search.h"

#include "model/inference.h"

#include "support/failing_malloc.h"
#include "support/small_model.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

enum { SOURCES = 60 };

static const SearchOptions options = {
    .beam = 3, .batch = 8, .length_normalization = 1, .with_alpha = true};
static SmallModel model;
static SmallPairs drawn;

static void set_up(void)
{
    small_model_new(&model, 15, 25, 3, 1);
    small_pairs_draw(&drawn, &model.config, SOURCES, 12, 2);
}

static void free_all(Hypotheses *results, size_t count)
{
    for (size_t i = 0; i < count; i++) hypotheses_free(&results[i]);
}

// Each source alone.
static void search_alone(Hypotheses *results)
{
    SearchModel *alone = NULL;
    assert_ok(inference_new(&alone, &model.params, NULL, NULL, NULL));
    for (size_t i = 0; i < SOURCES; i++)
        assert_ok(beam_search(alone, &drawn.pairs[i], 1, &options, &results[i], NULL));
    alone->free(alone);
}

static void expect_same(const Hypotheses *a, const Hypotheses *b, bool exact)
{
    ck_assert_uint_eq(a->count, b->count);
    for (size_t h = 0; h < a->count; h++) {
        const Hypothesis *x = &a->items[h], *y = &b->items[h];
        ck_assert_double_le(fabs(x->score - y->score), exact ? 0 : 1e-4);
        if (!exact) continue;
        ck_assert_uint_eq(x->length, y->length);
        ck_assert_mem_eq(x->tokens, y->tokens, x->length * sizeof *x->tokens);
        ck_assert_mem_eq(x->alpha, y->alpha, x->length * x->positions * sizeof *x->alpha);
    }
}

static void begin(BatchSearch *search, Threads *threads)
{
    assert_ok(inference_batch_search(search, threads, &model.params, NULL, NULL, NULL));
}

// Of the model as it has been set up.
static void check_threads_and_batches(void)
{
    static const size_t batches[] = {1, 2, 7, 24, SOURCES, 1000};
    Hypotheses expected[SOURCES], results[SOURCES];
    search_alone(expected);
    for (size_t count = 1; count <= 3; count++) {
        Threads *threads = NULL;
        BatchSearch search;
        assert_ok(threads_new(&threads, count, NULL));
        begin(&search, threads);
        for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
            SearchOptions with_batch = options;
            with_batch.batch = batches[b];
            assert_ok(batch_search_run(&search, drawn.pairs, SOURCES, &with_batch, results, NULL));
            for (size_t i = 0; i < SOURCES; i++)
                expect_same(&expected[i], &results[i],
                            packed_weights_promise(model.params.packed, false).exact);
            free_all(results, SOURCES);
        }
        batch_search_free(&search);
        threads_free(threads);
    }
    free_all(expected, SOURCES);
    small_model_free(&model);
}

TEST(nor_with_packed_weights, .seconds = 60, .times = COMPUTE_TYPES)
{
    const ModelConfig config = {.source_vocabulary = 15,
                                .target_vocabulary = 333,
                                .embedding = 64,
                                .hidden = 72,
                                .decoder_hidden = 80,
                                .attention_size = 65,
                                .attention = "additive",
                                .tied = true,
                                .heads = 1};
    const Backend *backend = backend_of((ComputeType)_i, true);
    if (!backend || !backend->pack) return;
    small_model_make(&model, &config, 3, 1);
    small_pairs_draw(&drawn, &model.config, SOURCES, 8, 2);
    assert_ok(seq2seq_params_pack(&model.params, backend, PACKED_DECODING, NULL));
    packed_weights_fill(model.params.packed, model.params.places, 0, 1);
    check_threads_and_batches();
}

TESTS_EACH(set_up, NULL)

TEST(threads_and_batches_do_not_matter)
{
    check_threads_and_batches();
}

// The same call twice gives the same bits on every machine, if batches are the same.
TEST(same_bits_twice)
{
    Threads *threads = NULL;
    BatchSearch search;
    Hypotheses first[SOURCES], second[SOURCES];
    assert_ok(threads_new(&threads, 2, NULL));
    begin(&search, threads);
    assert_ok(batch_search_run(&search, drawn.pairs, SOURCES, &options, first, NULL));
    assert_ok(batch_search_run(&search, drawn.pairs, SOURCES, &options, second, NULL));
    for (size_t i = 0; i < SOURCES; i++) expect_same(&first[i], &second[i], true);
    free_all(first, SOURCES);
    free_all(second, SOURCES);
    batch_search_free(&search);
    threads_free(threads);
    small_model_free(&model);
}

TEST(nothing_to_do)
{
    Threads *threads = NULL;
    BatchSearch search, empty = {0};
    Hypotheses none;
    assert_ok(threads_new(&threads, 2, NULL));
    begin(&search, threads);
    assert_ok(batch_search_run(&search, drawn.pairs, 0, &options, &none, NULL));
    batch_search_free(&search);
    batch_search_free(&empty);
    threads_free(threads);
    small_model_free(&model);
}

// Only the thread that armed it fails (support/failing_malloc.h): the caller, who works as well.
TEST(out_of_memory)
{
    for (size_t count = 1; count <= 2; count++) {
        bool failed = true;
        for (size_t n = 1; failed && n < 4000; n += 1 + n / 4) {
            Threads *threads = NULL;
            BatchSearch search;
            Hypotheses results[SOURCES];
            Error error = {0};
            assert_ok(threads_new(&threads, count, NULL));
            failing_malloc_at(n);
            Status status =
                inference_batch_search(&search, threads, &model.params, NULL, NULL, &error);
            if (status)
                memset(results, 0, sizeof results);
            else
                status = batch_search_run(&search, drawn.pairs, SOURCES, &options, results, &error);
            failed = failing_malloc_expect(status);
            if (failed) assert_contains(error.text, "out of memory");
            for (size_t i = 0; i < SOURCES; i++) ck_assert_int_eq(results[i].count == 0, failed);
            free_all(results, SOURCES);
            batch_search_free(&search);
            threads_free(threads);
        }
        ck_assert(!failed);
    }
    small_model_free(&model);
}
