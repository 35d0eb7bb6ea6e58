#include "model/corpus_pass.h"

#include "corpus/batch_plan.h"
#include "support/failing_malloc.h"
#include "support/small_model.h"
#include "support/suite.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { PAIRS = 60, BATCH_TOKENS = 30, WORKERS = 3 };

static SmallModel model;
static TokenCorpus corpus;
static Threads *threads;

static void set_up(size_t workers)
{
    static SmallPairs drawn;
    small_model_new(&model, 30, 40, 2, 5);
    small_pairs_draw(&drawn, &model.config, PAIRS, 9, 6);
    for (size_t i = 0; i < PAIRS; i++) {
        const TokenPair *pair = &drawn.pairs[i];
        assert_ok(token_corpus_add(&corpus, pair->source, pair->source_length - 1, pair->target,
                                   pair->target_length - 1, NULL));
    }
    assert_ok(threads_new(&threads, workers, NULL));
}

static void tear_down(void)
{
    threads_free(threads);
    token_corpus_free(&corpus);
    small_model_free(&model);
}

static CorpusPass small_pass(void)
{
    return (CorpusPass){.corpus = &corpus, .params = &model.params, .batch_tokens = BATCH_TOKENS};
}

typedef struct Seen {
    atomic_uint visits[PAIRS];
    double log_p[PAIRS];
    atomic_bool busy[WORKERS]; // by worker
    atomic_bool met_another;   // two visits at once shared a worker
} Seen;

static Status see(void *context, const VisitedBatch *visited, Error *error)
{
    (void)error;
    Seen *seen = context;
    const Ragged *target = &visited->batch->target;
    if (atomic_exchange(&seen->busy[visited->worker], true)) seen->met_another = true;
    for (size_t b = 0; b < target->count; b++) {
        size_t pair = visited->pairs[visited->batch->target_pair[b]];
        seen->visits[pair]++;
        for (size_t t = 0; t < target->lengths[b]; t++)
            seen->log_p[pair] += visited->acts->loss.log_p[target->step_begin[t] + b];
    }
    seen->busy[visited->worker] = false;
    return STATUS_OK;
}

// Each pair once, with the numbers it has alone; the loss is their sum, the same bits each time.
TEST(all_pairs)
{
    set_up(WORKERS);
    CorpusPass pass = small_pass();
    double first = 0, expected = 0;
    for (int round = 0; round < 5; round++) {
        Seen seen = {0};
        pass.visit = see;
        pass.context = &seen;
        double loss;
        assert_ok(corpus_pass_run(&loss, &pass, threads, NULL));
        ck_assert(!seen.met_another);
        expected = 0;
        for (size_t i = 0; i < PAIRS; i++) {
            TokenPair pair = token_corpus_pair(&corpus, i);
            double alone = small_model_log_p(&model, &pair, NULL);
            ck_assert_uint_eq(seen.visits[i], 1);
            ck_assert_double_eq_tol(seen.log_p[i], alone, 1e-4);
            expected -= alone;
        }
        ck_assert_double_eq_tol(loss, expected, 1e-2);
        if (round == 0) first = loss;
        ck_assert_double_eq(loss, first);
    }
    pass.visit = NULL;
    double unvisited;
    assert_ok(corpus_pass_run(&unvisited, &pass, threads, NULL));
    ck_assert_double_eq(unvisited, first);
    tear_down();
}

static Status sum_alpha(void *context, const VisitedBatch *visited, Error *error)
{
    (void)error;
    double *sums = context; // (PAIRS)
    const Ragged *target = &visited->batch->target;
    for (size_t b = 0; b < target->count; b++) {
        Matrix alpha = teacher_forcing_alpha(&visited->acts->decoder, b, 0);
        double *sum = &sums[visited->pairs[visited->batch->target_pair[b]]];
        for (size_t t = 0; t < alpha.rows; t++)
            for (size_t j = 0; j < alpha.columns; j++) *sum += matrix_row(alpha, t)[j];
    }
    return STATUS_OK;
}

TEST(attention_only)
{
    set_up(WORKERS);
    double sums[PAIRS] = {0}, loss = -1;
    CorpusPass pass = small_pass();
    pass.attention_only = true;
    pass.visit = sum_alpha;
    pass.context = sums;
    assert_ok(corpus_pass_run(&loss, &pass, threads, NULL));
    ck_assert_double_eq(loss, 0);
    for (size_t i = 0; i < PAIRS; i++)
        ck_assert_double_eq_tol(sums[i], token_corpus_pair(&corpus, i).target_length, 1e-4);
    tear_down();
}

static Status refuse(void *context, const VisitedBatch *visited, Error *error)
{
    (void)context;
    return error_set(error, STATUS_FORMAT, "pair %u", visited->pairs[0]);
}

TEST(failing_visit)
{
    set_up(WORKERS);
    BatchPlan plan;
    char expected[32];
    Error error = {0};
    CorpusPass pass = small_pass();
    pass.visit = refuse;
    assert_ok(batch_plan_new(&plan, &corpus, BATCH_TOKENS, 0, 0, NULL));
    snprintf(expected, sizeof expected, "pair %u", plan.pairs[0]); // the first batch's
    ck_assert_int_eq(corpus_pass_run(NULL, &pass, threads, &error), STATUS_FORMAT);
    ck_assert_str_eq(error.text, expected);
    batch_plan_free(&plan);
    tear_down();
}

TEST(out_of_memory)
{
    set_up(1); // allocations fail in the thread that asks for it only
    CorpusPass pass = small_pass();
    size_t rounds = 0;
    for (; failing_malloc_next(); rounds++) {
        Error error = {0};
        if (failing_malloc_expect(corpus_pass_run(NULL, &pass, threads, &error)))
            ck_assert_uint_gt(strlen(error.text), 0);
    }
    ck_assert_uint_gt(rounds, 5);
    tear_down();
}
