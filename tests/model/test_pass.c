#include "model/pass.h"

#include "base/memory.h"
#include "support/assert_close.h"
#include "support/failing_malloc.h"
#include "support/gradcheck.h"
#include "support/model_fixture.h"
#include "support/param_checks.h"
#include "support/ragged_checks.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

// What PyTorch's numbers, computed in double, may differ by.
#ifdef REGARD_DOUBLE
static const double RTOL = 1e-9, ATOL = 1e-12;
#else
static const double RTOL = 1e-4, ATOL = 1e-6;
#endif

/* The fixture's masks, which stand in the pairs' order, instead of drawn ones. */
static void read_masks(ModelRun *run, const ModelFixture *model)
{
    const Batch *batch = &run->batch;
    PassActs *acts = &run->acts;
    padded_read(acts->source.embedding_mask, model->file, "mask.source_embedding", BATCH_FIRST,
                &batch->source, batch->source_pair, TIME_MAJOR);
    padded_read(acts->source.annotation_mask, model->file, "mask.annotations", BATCH_FIRST,
                &batch->source, batch->source_pair, SENTENCE_MAJOR);
    padded_read(acts->embedding_mask, model->file, "mask.target_embedding", BATCH_FIRST,
                &batch->target, batch->target_pair, TIME_MAJOR);
    padded_read(acts->readout_mask, model->file, "mask.readout", BATCH_FIRST, &batch->target,
                batch->target_pair, TIME_MAJOR);
}

TEST(by_hand)
{
    /* All parameters are 0 but the output's bias, ln of 1 1 2 3 1, whose sum is 8: whatever is
     * read, p = 1/8 1/8 2/8 3/8 1/8. The target "4 </s>" = "4 3" has the probability 1/8 · 3/8. The
     * bias's gradient, Σ_t p − one-hot(target), is 2p less 1 at 4 and at 3. */
    const ModelConfig config = {.source_vocabulary = 5,
                                .target_vocabulary = 5,
                                .embedding = 2,
                                .hidden = 3,
                                .decoder_hidden = 2,
                                .attention_size = 2,
                                .joint = true,
                                .tied = true,
                                .attention = "additive",
                                .heads = 1};
    const int32_t source[] = {4, 4, 3}, target[] = {4, 3};
    const TokenPair pair = {
        .source = source, .target = target, .source_length = 3, .target_length = 2};
    Seq2SeqParams params;
    Seq2SeqGrads grads;
    assert_ok(seq2seq_params_new(&params, &config, NULL));
    assert_ok(seq2seq_grads_new(&grads, &params, NULL));
    params.output.bias[2] = (real)log(2);
    params.output.bias[3] = (real)log(3);
    ModelRun run;
    model_run_begin(&run, &params, &pair, 1, (ModelRunOptions){.backward = true});
    double loss = pass_forward_backward(&run.acts, &grads, &run.batch, &params, 0, 1);
    ck_assert_double_eq_tol(loss, -log(1.0 / 8 * 3 / 8), 1e-5);
    assert_close(run.acts.loss.log_p, (const double[]){log(1.0 / 8), log(3.0 / 8)}, 2, 1e-6, 0,
                 "log_p");
    assert_close(grads.output.bias, (const double[]){.25, .25, .5, .75 - 1, .25 - 1}, 5, 1e-6, 0,
                 "output.bias");
    model_run_end(&run);
    seq2seq_params_free(&params);
    seq2seq_grads_free(&grads);
}

/* Every tensor's gradient, over the pairs of a fixture from `first` on. */
static void check_gradients(const char *name, size_t first, size_t count, bool masks)
{
    ModelFixture model;
    ModelRun run;
    model_fixture_open(&model, name);
    model_run_begin(&run, &model.params, model.pairs + first, count,
                    (ModelRunOptions){.backward = true, .masks = masks});
    const DropoutKey key = {.seed = 1, .step = 2, .probability = (real)0.3};
    if (masks) pass_draw_masks(&run.acts, &run.batch, &key);
    model_run_gradcheck(&run, &model.params, &model.grads, model.smoothing, 25);
    model_run_end(&run);
    model_fixture_close(&model);
}

TEST(gradients)
{
    for (size_t i = 0; i < MODEL_KINDS; i++) check_gradients(model_fixture_names[i], 0, 3, false);
    check_gradients("model_joint", 1, 1, false);    // B = 1, T = 1
    check_gradients("model_separate", 2, 1, false); // B = 1, S = 1
    check_gradients("model_self_attention", 2, 1,
                    false); // and a sentence that looks at itself alone
}

TEST(gradients_with_dropout)
{
    for (size_t i = 0; i < MODEL_KINDS; i++) check_gradients(model_fixture_names[i], 0, 3, true);
}

/* Loss and gradients of one fixture against PyTorch's. */
static void check_fixture(const char *name, bool masks)
{
    ModelFixture model;
    ModelRun run;
    model_fixture_open(&model, name);
    model_run_begin(&run, &model.params, model.pairs, model.count,
                    (ModelRunOptions){.backward = true, .masks = masks});
    if (masks) read_masks(&run, &model);
    real scale = 1 / (real)model.tokens;
    real loss = (real)pass_forward_backward(&run.acts, &model.grads, &run.batch, &model.params,
                                            model.smoothing, scale) *
                scale;
    assert_close(&loss, fixture_reals(model.file, "loss", NULL), 1, RTOL, ATOL, name);
    param_block_assert(model.grads.block, model.grads.list, model.file, "grad.", RTOL, ATOL);
    model_run_end(&run);
    model_fixture_close(&model);
}

TEST(equals_pytorch)
{
    for (size_t i = 0; i < MODEL_KINDS; i++) check_fixture(model_fixture_names[i], false);
}

TEST(equals_pytorch_with_dropout)
{
    check_fixture("model_dropout", true);
}

/* log_p, which is time-major, summed by sentence in the pairs' order. */
static void sum_by_pair(real *sums, const ModelRun *run)
{
    const Ragged *target = &run->batch.target;
    for (size_t b = 0; b < target->count; b++) {
        real *sum = &sums[run->batch.target_pair[b]];
        *sum = 0;
        for (size_t t = 0; t < target->lengths[b]; t++)
            *sum += run->acts.loss.log_p[target->step_begin[t] + b];
    }
}

/* Forward alone against the fixture: log-probabilities, their sums, and where it looked. */
static void check_forward(const char *name, size_t row_multiple)
{
    ModelFixture model;
    ModelRun run;
    model_fixture_open(&model, name);
    model_run_begin(&run, &model.params, model.pairs, model.count,
                    (ModelRunOptions){.row_multiple = row_multiple});
    real loss = (real)pass_forward(&run.acts, &run.batch, &model.params, model.smoothing);
    double expected = *fixture_reals(model.file, "loss", NULL) * (double)model.tokens;
    assert_close(&loss, &expected, 1, RTOL, ATOL, "loss");
    real sums[MAX_MODEL_FIXTURE_PAIRS];
    sum_by_pair(sums, &run);
    assert_close(sums, fixture_reals(model.file, "log_probability", NULL), model.count, RTOL, ATOL,
                 "log_probability");
    const double *alpha = fixture_reals(model.file, "alpha", NULL); // (T, B, S)
    size_t S = fixture_dimension(model.file, "alpha", 2);
    for (size_t b = 0; b < model.count; b++) {
        size_t pair = run.batch.target_pair[b];
        Matrix weights = teacher_forcing_alpha(&run.acts.decoder, b, 0);
        ck_assert_uint_eq(weights.rows, model.pairs[pair].target_length);
        ck_assert_uint_eq(weights.columns, model.pairs[pair].source_length);
        for (size_t t = 0; t < weights.rows; t++)
            assert_close(matrix_row(weights, t), alpha + (t * model.count + pair) * S,
                         weights.columns, RTOL, ATOL, "alpha");
    }
    model_run_end(&run);
    model_fixture_close(&model);
}

TEST(forward_equals_pytorch)
{
    for (size_t i = 0; i < MODEL_KINDS; i++) check_forward(model_fixture_names[i], 1);
}

TEST(forward_with_rounded_products)
{
    for (size_t i = 0; i < MODEL_KINDS; i++) check_forward(model_fixture_names[i], 24);
}

/* Adds the gradients of some of a fixture's pairs, with masks drawn for their numbers; returns the
 * loss. */
static double add_shard(ModelFixture *model, const TokenPair *pairs, size_t count)
{
    ModelRun run;
    model_run_begin(&run, &model->params, pairs, count,
                    (ModelRunOptions){.backward = true, .masks = true});
    const DropoutKey key = {.seed = 7, .step = 3, .probability = (real)0.4};
    pass_draw_masks(&run.acts, &run.batch, &key);
    double loss = pass_forward_backward(&run.acts, &model->grads, &run.batch, &model->params,
                                        model->smoothing, 1);
    model_run_end(&run);
    return loss;
}

TEST(shards_sum_to_the_batch)
{
    ModelFixture model;
    model_fixture_open(&model, "model_joint");
    double whole_loss = add_shard(&model, model.pairs, 3);
    real *whole = param_block_new(model.grads.list);
    memcpy(whole, model.grads.block, model.grads.list->block_size * sizeof *whole);
    model_fixture_clear_grads(&model);
    const TokenPair outer[] = {model.pairs[2], model.pairs[0]};
    double loss = add_shard(&model, outer, 2) + add_shard(&model, &model.pairs[1], 1);
    ck_assert_double_eq_tol(loss, whole_loss, RTOL * whole_loss);
    param_block_assert_scaled(model.grads.block, model.grads.list, whole, 1, RTOL, 10 * ATOL);
    memory_free(whole);
    model_fixture_close(&model);
}

static void pass(void *context)
{
    ModelFixture *model = context;
    add_shard(model, model->pairs, 3);
}

TEST(gradients_accumulate)
{
    ModelFixture model;
    model_fixture_open(&model, "model_joint");
    param_block_assert_accumulates(model.grads.block, model.grads.list, pass, &model, RTOL,
                                   10 * ATOL);
    model_fixture_close(&model);
}

enum { MANY = 130, LONGEST = 12 };

/* Pairs of 1 … LONGEST tokens each, several hundred target tokens in all: more than the output
 * layer takes at once. */
static void make_many(TokenPair *pairs, int32_t (*tokens)[LONGEST])
{
    for (uint32_t i = 0; i < MANY; i++) {
        for (size_t t = 0; t < LONGEST; t++) tokens[i][t] = (int32_t)((i * 7 + t * 5) % 9 + 3);
        pairs[i] = (TokenPair){.source = tokens[i],
                               .target = tokens[(i + 1) % MANY],
                               .source_length = i * 5 % LONGEST + 1,
                               .target_length = i * 7 % LONGEST + 1,
                               .number = i};
    }
}

static void check_many_tokens(const char *name)
{
    ModelFixture model;
    model_fixture_open(&model, name);
    TokenPair pairs[MANY];
    int32_t tokens[MANY][LONGEST];
    make_many(pairs, tokens);
    ModelRun rounded, exact;
    model_run_begin(&rounded, &model.params, pairs, MANY, (ModelRunOptions){.row_multiple = 24});
    model_run_begin(&exact, &model.params, pairs, MANY, (ModelRunOptions){.backward = true});
    size_t N = exact.batch.target.tokens;
    ck_assert_uint_gt(N, LOSS_CHUNK);
    double loss = pass_forward(&rounded.acts, &rounded.batch, &model.params, model.smoothing);
    double same = pass_forward_backward(&exact.acts, &model.grads, &exact.batch, &model.params,
                                        model.smoothing, 1);
    ck_assert_double_eq_tol(loss, same, RTOL * loss);
    for (size_t i = 0; i < N; i++) {
        double expected = (double)exact.acts.loss.log_p[i];
        assert_close(&rounded.acts.loss.log_p[i], &expected, 1, RTOL, ATOL, "log_p");
    }
    // the score of a pair does not depend on its batch
    real among[MANY], alone;
    sum_by_pair(among, &rounded);
    for (size_t i = 0; i < MANY; i += 7) {
        ModelRun run;
        model_run_begin(&run, &model.params, &pairs[i], 1, (ModelRunOptions){.row_multiple = 24});
        pass_forward(&run.acts, &run.batch, &model.params, model.smoothing);
        sum_by_pair(&alone, &run);
        assert_rows_exact(&alone, &among[i], 1, "log-probability");
        model_run_end(&run);
    }
    model_run_end(&rounded);
    model_run_end(&exact);
    model_fixture_close(&model);
}

TEST(many_tokens)
{
    for (size_t i = MODEL_UNTIED; i < MODEL_KINDS; i++) check_many_tokens(model_fixture_names[i]);
}

TEST(memory_is_used_again)
{
    ModelFixture model;
    ModelRun run;
    model_fixture_open(&model, "model_joint");
    model_run_begin(&run, &model.params, model.pairs, 3, (ModelRunOptions){.backward = true});
    pass_forward_backward(&run.acts, &model.grads, &run.batch, &model.params, model.smoothing, 1);
    // a smaller batch in the same memory, which holds the larger one's numbers
    const char *memory = run.arena.memory;
    assert_ok(
        batch_fill(&run.batch, &run.batch_arena, &model.pairs[1], 1, (BatchForm){true, 1}, NULL));
    assert_ok(pass_begin(&run.acts, &run.arena, &run.batch, &model.params,
                         (PassNeeds){.backward = true}, NULL));
    ck_assert_ptr_eq(run.arena.memory, memory);
    pass_forward(&run.acts, &run.batch, &model.params, model.smoothing);
    real sum;
    sum_by_pair(&sum, &run);
    assert_close(&sum, fixture_reals(model.file, "log_probability", NULL) + 1, 1, RTOL, ATOL,
                 "log_probability");
    model_run_end(&run);
    model_fixture_close(&model);
}

TEST(out_of_memory)
{
    ModelFixture model;
    model_fixture_open(&model, "model_joint");
    Batch batch;
    PassActs acts;
    Arena batch_arena = {0}, arena = {0};
    Error error = {0};
    failing_malloc_at(1);
    ck_assert(failing_malloc_expect(
        batch_fill(&batch, &batch_arena, model.pairs, 3, (BatchForm){true, 1}, &error)));
    assert_contains(error.text, "out of memory");
    assert_ok(batch_fill(&batch, &batch_arena, model.pairs, 3, (BatchForm){true, 1}, NULL));
    failing_malloc_at(1);
    ck_assert(failing_malloc_expect(pass_begin(
        &acts, &arena, &batch, &model.params, (PassNeeds){.backward = true, .masks = true}, NULL)));
    arena_free(&arena);
    arena_free(&batch_arena);
    model_fixture_close(&model);
}
