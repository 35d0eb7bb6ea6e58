#include "model/inference.h"

#include "support/assert_close.h"
#include "support/failing_malloc.h"
#include "support/model_fixture.h"
#include "support/ragged_checks.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <math.h>
#include <string.h>

#ifdef REGARD_DOUBLE
static const double RTOL = 1e-9, ATOL = 1e-12;
#else
static const double RTOL = 1e-4, ATOL = 1e-6;
#endif

static SearchModel *begin(const Seq2SeqParams *params)
{
    SearchModel *inference;
    assert_ok(inference_new(&inference, params, NULL, NULL, NULL));
    return inference;
}

static void encode(SearchModel *inference, const TokenPair *pairs, size_t count, size_t max_rows)
{
    assert_ok(inference->encode(inference, pairs, count, max_rows, (Scoring){0}, NULL));
}

// log p(token) of a row after a step
static real log_probability(SearchModel *inference, size_t row, int32_t token)
{
    TokenScores scores = inference->scores(inference, row);
    return scores.logits[token] - scores.log_z;
}

TEST(by_hand)
{
    /* All parameters are 0 but the output's bias, ln of 1 1 2 3 1, whose sum is 8: p = 1/8 1/8 2/8
     * 3/8 1/8 at every step, and every word is looked at alike. */
    const ModelConfig config = {5, 5, 2, 3, 2, 2, true, true, "additive", 1, false, false, false};
    Seq2SeqParams params;
    assert_ok(seq2seq_params_new(&params, &config, NULL));
    params.output.bias[2] = (real)log(2);
    params.output.bias[3] = (real)log(3);
    SearchModel *inference = begin(&params);
    const TokenPair pair = {.source = (const int32_t[]){4, 4, 3}, .source_length = 3};
    encode(inference, &pair, 1, 1);
    const double expected[] = {0.125, 0.125, 0.25, 0.375, 0.125};
    for (int step = 0; step < 2; step++) {
        inference->step(inference, (const int32_t[]){step ? 4 : TOKEN_BOS});
        ck_assert_uint_eq(inference->scores(inference, 0).count, 5);
        for (int32_t token = 0; token < 5; token++)
            ck_assert_double_eq_tol(exp((double)log_probability(inference, 0, token)),
                                    expected[token], 1e-6);
        const real *alpha = inference->attention(inference, 0, 0);
        assert_close(alpha, (const double[]){1.0 / 3, 1.0 / 3, 1.0 / 3}, 3, 1e-6, 0, "alpha");
        inference->gather(inference, (const uint32_t[]){0}, 1);
    }
    inference->free(inference);
    seq2seq_params_free(&params);
}

enum { COPIES = 2 }; // hypotheses of each source, which must fare alike

/* One forced step: row i says its pair's token t. Adds to sums (rows' pairs) and checks alpha. */
static void force_step(SearchModel *inference, const ModelFixture *model, const TokenPair *pairs,
                       size_t rows, const uint32_t *pair_of, size_t t, real *sums)
{
    int32_t tokens[COPIES * MAX_MODEL_FIXTURE_PAIRS];
    for (size_t i = 0; i < rows; i++) tokens[i] = t ? pairs[pair_of[i]].target[t - 1] : TOKEN_BOS;
    inference->step(inference, tokens);
    const double *alpha = fixture_reals(model->file, "alpha", NULL); // (T, B, S)
    size_t S = fixture_dimension(model->file, "alpha", 2);
    for (size_t i = 0; i < rows; i++) {
        const TokenPair *pair = &pairs[pair_of[i]];
        const real *weights = inference->attention(inference, i, 0);
        assert_close(weights, alpha + (t * model->count + pair->number) * S, pair->source_length,
                     RTOL, ATOL, "alpha");
        sums[i] += log_probability(inference, i, pair->target[t]);
    }
}

/* Forced decoding of a fixture's pairs, given in another order than by length: the first step with
 * one row for each, then COPIES of every one that goes on, the last pair's first. */
static void check_fixture(const char *name)
{
    ModelFixture model;
    model_fixture_open(&model, name);
    const TokenPair pairs[] = {model.pairs[1], model.pairs[2], model.pairs[0]};
    const double *expected = fixture_reals(model.file, "log_probability", NULL);
    SearchModel *inference = begin(&model.params);
    encode(inference, pairs, 3, COPIES * 3);
    uint32_t pair_of[COPIES * 3] = {0, 1, 2}, from[COPIES * 3], next[COPIES * 3];
    real sums[COPIES * 3] = {0}, next_sums[COPIES * 3];
    for (size_t t = 0, rows = 3; rows > 0; t++) {
        force_step(inference, &model, pairs, rows, pair_of, t, sums);
        size_t going_on = 0;
        for (size_t i = rows; i-- > 0;) {
            const TokenPair *pair = &pairs[pair_of[i]];
            if (t + 1 == pair->target_length)
                assert_close(&sums[i], &expected[pair->number], 1, RTOL, ATOL, "log p");
            for (size_t copy = 0; copy < (t ? 1 : COPIES) && t + 1 < pair->target_length; copy++) {
                from[going_on] = (uint32_t)i;
                next[going_on] = pair_of[i];
                next_sums[going_on++] = sums[i];
            }
        }
        inference->gather(inference, from, going_on);
        rows = going_on;
        memcpy(pair_of, next, sizeof pair_of);
        memcpy(sums, next_sums, sizeof sums);
    }
    inference->free(inference);
    model_fixture_close(&model);
}

TEST(forced_equals_pytorch)
{
    for (size_t i = 0; i < MODEL_KINDS; i++) check_fixture(model_fixture_names[i]);
}

enum { MANY = 30, LONGEST = 7 };

/* One step of MANY sources together, and of each alone. */
static void expect_the_same_bits(ModelConfig config)
{
    int32_t tokens[MANY][LONGEST], first[MANY];
    TokenPair pairs[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        first[i] = TOKEN_BOS;
        for (uint32_t t = 0; t < LONGEST; t++) tokens[i][t] = (int32_t)((i * 7 + t * 5) % 9 + 3);
        pairs[i] = (TokenPair){.source = tokens[i], .source_length = i * 5 % LONGEST + 1};
    }
    Seq2SeqParams params;
    assert_ok(seq2seq_params_new(&params, &config, NULL));
    seq2seq_initialise(&params, 1);
    SearchModel *many = begin(&params);
    SearchModel *one = begin(&params); // again and again in the same memory
    encode(many, pairs, MANY, MANY);
    many->step(many, first);
    for (size_t i = 0; i < MANY; i++) {
        encode(one, &pairs[i], 1, 1);
        one->step(one, first);
        TokenScores alone = one->scores(one, 0), among = many->scores(many, i);
        assert_rows_exact(alone.logits, among.logits, config.target_vocabulary, "logits");
        assert_rows_exact(&alone.log_z, &among.log_z, 1, "log_z");
    }
    many->free(many);
    one->free(one);
    seq2seq_params_free(&params);
}

static ModelConfig config_of(size_t E, size_t H, size_t D, size_t A)
{
    return (ModelConfig){.source_vocabulary = 300,
                         .target_vocabulary = 300,
                         .embedding = E,
                         .hidden = H,
                         .decoder_hidden = D,
                         .attention_size = A,
                         .joint = true,
                         .tied = true,
                         .attention = "additive",
                         .heads = 1};
}

TEST(a_sentence_does_not_see_its_batch)
{
    expect_the_same_bits(config_of(64, 64, 64, 64));
    // narrow products take another way through BLAS
    expect_the_same_bits(config_of(40, 40, 40, 24));
    expect_the_same_bits(config_of(50, 33, 8, 3));
}

TEST(a_sentence_does_not_see_its_batch_in_the_default_model)
{
    ModelConfig config = config_of(64, 64, 64, 64), odd = config_of(50, 33, 8, 3);
    config.conditional_gru = odd.conditional_gru = true;
    expect_the_same_bits(config);
    expect_the_same_bits(odd);
    config.embedding_in_annotations = odd.embedding_in_annotations = true;
    expect_the_same_bits(config);
    expect_the_same_bits(odd);
}

TEST(a_sentence_does_not_see_its_batch_in_self_attention)
{
    const struct {
        size_t hidden, heads;
    } kinds[] = {{64, 4}, {33, 3}, {6, 1}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ModelConfig config = config_of(64, kinds[i].hidden, 64, 64);
        config.self_attention = true;
        config.heads = kinds[i].heads;
        expect_the_same_bits(config);
    }
}

TEST(all_rows_may_end)
{
    ModelFixture model;
    model_fixture_open(&model, "model_joint");
    SearchModel *inference = begin(&model.params);
    encode(inference, model.pairs, 3, 3);
    inference->step(inference, (const int32_t[]){TOKEN_BOS, TOKEN_BOS, TOKEN_BOS});
    inference->gather(inference, NULL, 0);
    encode(inference, model.pairs, 2, 2); // and another batch begin
    inference->free(inference);
    model_fixture_close(&model);
}

TEST(out_of_memory)
{
    ModelFixture model;
    model_fixture_open(&model, "model_joint");
    size_t rounds = 0;
    for (; failing_malloc_next(); rounds++) {
        SearchModel *inference = NULL;
        Error error = {0};
        Status status = inference_new(&inference, &model.params, NULL, NULL, &error);
        if (!status)
            status = inference->encode(inference, model.pairs, 3, 15, (Scoring){0}, &error);
        bool failed = failing_malloc_expect(status);
        if (failed) assert_contains(error.text, "out of memory");
        if (inference) inference->free(inference);
    }
    ck_assert_uint_gt(rounds, 2); // itself, the batch and the rows
    model_fixture_close(&model);
}
