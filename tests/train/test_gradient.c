#include "train/gradient.h"

#include "support/failing_malloc.h"
#include "support/param_checks.h"
#include "support/small_model.h"
#include "support/suite.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static SmallModel model;
static SmallPairs drawn;

static void set_up(size_t count)
{
    small_model_new(&model, 15, 20, 2, 1);
    small_pairs_draw(&drawn, &model.config, count, 9, 2);
}

static GradientRequest request_of(real dropout)
{
    return (GradientRequest){.pairs = drawn.pairs,
                             .count = drawn.count,
                             .label_smoothing = (real)0.1,
                             .dropout = {7, 3, dropout}};
}

/* The batch's gradient, summed over the shards, by so many threads; freed by memory_free. */
static real *gradient(size_t count, const GradientRequest *request, GradientResult *result)
{
    Threads *threads = NULL;
    GradientTeam *team = NULL;
    size_t size = model.params.list.block_size;
    assert_ok(threads_new(&threads, count, NULL));
    assert_ok(gradient_team_new(&team, threads, NULL, &model.params, NULL));
    real *sum = param_block_new(&model.params.list);
    for (int run = 0; run < 2; run++) { // what an earlier batch left must not matter
        assert_ok(gradient_team_run(team, request, result, NULL));
        memset(sum, 0, size * sizeof *sum);
        for (size_t shard = 0; shard < count; shard++)
            for (size_t i = 0; i < size; i++) sum[i] += gradient_team_blocks(team)[shard][i];
    }
    gradient_team_free(team);
    threads_free(threads);
    return sum;
}

// The same by one pass over the whole batch, divided by its target tokens.
static real *gradient_of_one_pass(const GradientRequest *request, GradientResult *result)
{
    Seq2SeqGrads grads;
    Arena arenas[2] = {{0}, {0}};
    Batch batch;
    PassActs acts;
    bool masks = request->dropout.probability > 0;
    *result = (GradientResult){0};
    for (size_t i = 0; i < request->count; i++)
        result->target_tokens += request->pairs[i].target_length;
    assert_ok(seq2seq_grads_new(&grads, &model.params, NULL));
    assert_ok(
        batch_fill(&batch, &arenas[0], request->pairs, request->count, (BatchForm){true, 1}, NULL));
    assert_ok(pass_begin(&acts, &arenas[1], &batch, &model.params,
                         (PassNeeds){.backward = true, .masks = masks}, NULL));
    if (masks) pass_draw_masks(&acts, &batch, &request->dropout);
    result->loss =
        pass_forward_backward(&acts, &grads, &batch, &model.params, request->label_smoothing,
                              (real)(1 / result->target_tokens));
    arena_free(&arenas[0]);
    arena_free(&arenas[1]);
    real *block = grads.block;
    grads.block = NULL; // now the caller's
    seq2seq_grads_free(&grads);
    return block;
}

TEST(threads_give_the_same_gradient)
{
    double tolerance = sizeof(real) == sizeof(double) ? 1e-12 : 2e-5;
    for (int dropout = 0; dropout < 2; dropout++) {
        set_up(40);
        GradientRequest request = request_of(dropout ? (real)0.3 : 0);
        GradientResult expected, result;
        real *whole = gradient_of_one_pass(&request, &expected);
        for (size_t threads = 1; threads <= 4; threads++) {
            real *sum = gradient(threads, &request, &result);
            param_block_assert_scaled(sum, &model.params.list, whole, 1, 1e-4, tolerance);
            ck_assert_double_eq(result.target_tokens, expected.target_tokens);
            ck_assert_double_eq_tol(result.loss, expected.loss, 1e-3); // the masks are the same
            memory_free(sum);
        }
        memory_free(whole);
        small_model_free(&model);
    }
}

/* The first, third, fifth … pair gets a link from its first target token to its last source token, and the weight counts. */
static void guide(GradientRequest *request, SubwordLink *links)
{
    for (size_t i = 0; i < drawn.count; i += 2) {
        links[i] = (SubwordLink){(uint16_t)(drawn.pairs[i].source_length - 1), 0, 1};
        drawn.pairs[i].links = &links[i];
        drawn.pairs[i].link_count = 1;
    }
    request->guide_weight = (real)0.5;
}

TEST(guide_whatever_the_shards)
{
    static SubwordLink links[MAX_SMALL_PAIRS];
    double tolerance = sizeof(real) == sizeof(double) ? 1e-12 : 2e-5;
    set_up(40);
    GradientRequest request = request_of(0);
    GradientResult expected, result, unguided;
    memory_free(gradient(1, &request, &unguided));
    ck_assert(unguided.guide_loss == 0);
    guide(&request, links);
    real *whole = gradient(1, &request, &expected);
    ck_assert(expected.loss == unguided.loss);
    ck_assert(expected.guide_loss > 0);
    for (size_t threads = 2; threads <= 4; threads++) {
        real *sum = gradient(threads, &request, &result);
        param_block_assert_scaled(sum, &model.params.list, whole, 1, 1e-4, tolerance);
        ck_assert_double_eq_tol(result.guide_loss, expected.guide_loss, 1e-3);
        memory_free(sum);
    }
    memory_free(whole);
    small_model_free(&model);
}

/* R-Drop without dropout sees every pair twice alike: the gradient of once, and no divergence. With dropout the
 * two differ, and nothing depends on the shards. */
TEST(r_drop)
{
    double tolerance = sizeof(real) == sizeof(double) ? 1e-12 : 2e-5;
    set_up(40);
    for (int dropout = 0; dropout < 2; dropout++) {
        GradientRequest request = request_of(dropout ? (real)0.3 : 0);
        GradientResult once, expected, result;
        real *whole = gradient(1, &request, &once);
        ck_assert(once.divergence == 0);
        request.r_drop = 3;
        if (dropout) memory_free(whole);
        if (dropout) whole = gradient(1, &request, &expected);
        for (size_t threads = 1; threads <= 3; threads++) {
            real *sum = gradient(threads, &request, &result);
            param_block_assert_scaled(sum, &model.params.list, whole, 1, 1e-4, tolerance);
            ck_assert_double_eq(result.target_tokens, once.target_tokens);
            if (dropout)
                ck_assert_double_eq_tol(result.divergence, expected.divergence, 1e-3);
            else
                ck_assert_double_eq_tol(result.loss, once.loss, 1e-3);
            ck_assert(dropout ? result.divergence > 1 : fabs(result.divergence) < 1e-3);
            memory_free(sum);
        }
        memory_free(whole);
    }
    small_model_free(&model);
}

TEST(same_bits_twice)
{
    set_up(40);
    GradientRequest request = request_of((real)0.3);
    for (size_t threads = 1; threads <= 3; threads++) {
        GradientResult results[2];
        real *first = gradient(threads, &request, &results[0]);
        real *second = gradient(threads, &request, &results[1]);
        ck_assert_mem_eq(first, second, model.params.list.block_size * sizeof *first);
        ck_assert(results[0].loss == results[1].loss);
        memory_free(first);
        memory_free(second);
    }
    small_model_free(&model);
}

TEST(masks_change_with_the_step)
{
    set_up(10);
    GradientRequest request = request_of((real)0.3);
    GradientResult results[3];
    memory_free(gradient(2, &request, &results[0]));
    request.dropout.step++;
    memory_free(gradient(2, &request, &results[1]));
    request.dropout.step--;
    request.dropout.seed++;
    memory_free(gradient(2, &request, &results[2]));
    ck_assert(results[0].loss != results[1].loss);
    ck_assert(results[0].loss != results[2].loss);
    small_model_free(&model);
}

TEST(fewer_pairs_than_threads)
{
    for (size_t count = 1; count < 4; count++) {
        set_up(count);
        GradientRequest request = request_of(0);
        GradientResult expected, result;
        real *whole = gradient_of_one_pass(&request, &expected),
             *sum = gradient(5, &request, &result);
        param_block_assert_scaled(sum, &model.params.list, whole, 1, 1e-4, 2e-5);
        ck_assert_double_eq_tol(result.loss, expected.loss, 1e-3);
        memory_free(sum);
        memory_free(whole);
        small_model_free(&model);
    }
}

TEST(not_finite_is_seen)
{
    set_up(20);
    GradientRequest request = request_of(0);
    GradientResult result;
    model.params.output.bias[7] = (real)NAN;
    memory_free(gradient(3, &request, &result));
    ck_assert(isnan(result.loss));
    small_model_free(&model);
}

// Only the thread that armed it fails (support/failing_malloc.h): the caller, who works as well.
TEST(out_of_memory)
{
    set_up(20);
    GradientRequest request = request_of((real)0.1);
    Threads *threads = NULL;
    assert_ok(threads_new(&threads, 2, NULL));
    while (failing_malloc_next()) {
        GradientTeam *team = NULL;
        GradientResult result;
        Error error = {0};
        Status status = gradient_team_new(&team, threads, NULL, &model.params, &error);
        if (!status) status = gradient_team_run(team, &request, &result, &error);
        bool failed = failing_malloc_expect(status);
        if (failed) assert_contains(error.text, "out of memory");
        if (team) assert_ok(gradient_team_run(team, &request, &result, NULL));
        gradient_team_free(team);
    }
    threads_free(threads);
    small_model_free(&model);
}
