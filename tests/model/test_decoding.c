#include "model/inference.h"

#include "support/failing_malloc.h"
#include "support/small_model.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <math.h>
#include <string.h>

enum { SOURCES = 30, STEPS = 4, WORDS = 20 };

static SmallModel model;
static SmallPairs drawn;

static void set_up(double scale)
{
    small_model_new(&model, 15, WORDS, scale, 1);
    small_pairs_draw(&drawn, &model.config, SOURCES, 9, 2);
}

// The same with self-attention of five heads, each two wide.
static void set_up_self_attention(double scale)
{
    set_up(scale);
    ModelConfig config = model.config;
    config.self_attention = true;
    config.heads = 5;
    small_model_free(&model);
    small_model_make(&model, &config, scale, 1);
}

// The same with what `regard train` makes unless told otherwise.
static void set_up_default(double scale)
{
    set_up(scale);
    ModelConfig config = model.config;
    config.conditional_gru = true;
    config.embedding_in_annotations = true;
    small_model_free(&model);
    small_model_make(&model, &config, scale, 1);
}

static SearchModel *new_inference(void)
{
    SearchModel *inference = NULL;
    assert_ok(inference_new(&inference, &model.params, NULL, NULL, NULL));
    return inference;
}

static void encode(SearchModel *inference, const TokenPair *sources, size_t count, size_t max_rows)
{
    assert_ok(inference->encode(inference, sources, count, max_rows, (Scoring){0}, NULL));
}

// A token that row `row` is made to say at a step: any, but a function of the source.
static int32_t token_of(size_t source, size_t step)
{
    return (int32_t)(4 + (7 * source + 3 * step) % (WORDS - 4));
}

// Goes on with all rows as they are.
static void keep_rows(SearchModel *inference, size_t rows)
{
    uint32_t from[SOURCES];
    for (uint32_t i = 0; i < SOURCES; i++) from[i] = i;
    inference->gather(inference, from, rows);
}

// The bits of every logit, log_z and weight, source by source, at a last step of all those said.
typedef struct Said {
    real logits[SOURCES][WORDS], log_zs[SOURCES], alpha[SOURCES][16];
    size_t positions[SOURCES];
} Said;

static void read_row(Said *said, SearchModel *inference, size_t row, size_t source)
{
    TokenScores scores = inference->scores(inference, row);
    said->log_zs[source] = scores.log_z;
    memcpy(said->logits[source], scores.logits, sizeof said->logits[source]);
    const real *alpha = inference->attention(inference, row, 0);
    said->positions[source] = drawn.pairs[source].source_length;
    memcpy(said->alpha[source], alpha, said->positions[source] * sizeof *alpha);
}

// Sources first … first + count − 1 in one batch.
static void say(Said *said, SearchModel *inference, size_t first, size_t count)
{
    int32_t tokens[SOURCES];
    encode(inference, drawn.pairs + first, count, count);
    for (size_t step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < count; i++) tokens[i] = step ? token_of(first + i, step) : TOKEN_BOS;
        inference->step(inference, tokens);
        if (step + 1 < STEPS) keep_rows(inference, count);
    }
    for (size_t i = 0; i < count; i++) read_row(said, inference, i, first + i);
}

static void expect_same(const Said *a, const Said *b, bool bits)
{
    for (size_t i = 0; i < SOURCES; i++) {
        real tolerance = bits ? 0 : (real)1e-5;
        ck_assert(fabs((double)(a->log_zs[i] - b->log_zs[i])) <= (double)tolerance);
        for (size_t v = 0; v < WORDS; v++)
            ck_assert_msg(fabs((double)(a->logits[i][v] - b->logits[i][v])) <= (double)tolerance,
                          "source %zu, logit %zu: %.9g and %.9g", i, v, (double)a->logits[i][v],
                          (double)b->logits[i][v]);
        for (size_t j = 0; j < a->positions[i]; j++)
            ck_assert(fabs((double)(a->alpha[i][j] - b->alpha[i][j])) <= (double)tolerance);
    }
}

// Search's steps must tell what training's pass tells about the same tokens.
static void check_teacher_forcing(void)
{
    SearchModel *inference = new_inference();
    encode(inference, drawn.pairs, SOURCES, SOURCES);
    double sums[SOURCES] = {0};
    for (size_t step = 0; step < STEPS; step++) {
        int32_t tokens[SOURCES];
        for (size_t i = 0; i < SOURCES; i++) tokens[i] = step ? token_of(i, step - 1) : TOKEN_BOS;
        inference->step(inference, tokens);
        for (size_t i = 0; i < SOURCES; i++) {
            TokenScores scores = inference->scores(inference, i);
            ck_assert_uint_eq(scores.count, WORDS);
            sums[i] += (double)scores.logits[token_of(i, step)] - (double)scores.log_z;
        }
        keep_rows(inference, SOURCES);
    }
    for (size_t i = 0; i < SOURCES; i++) {
        int32_t target[STEPS];
        for (size_t step = 0; step < STEPS; step++) target[step] = token_of(i, step);
        TokenPair pair = drawn.pairs[i];
        pair.target = target;
        pair.target_length = STEPS;
        ck_assert_double_eq_tol(sums[i], small_model_log_p(&model, &pair, NULL), 2e-5);
    }
    inference->free(inference);
    small_model_free(&model);
}

TEST(agrees_with_teacher_forcing)
{
    set_up(2);
    check_teacher_forcing();
    set_up_self_attention(2);
    check_teacher_forcing();
    set_up_default(2);
    check_teacher_forcing();
}

TEST(attention_is_a_distribution)
{
    set_up(3);
    SearchModel *inference = new_inference();
    Said said;
    say(&said, inference, 0, SOURCES);
    for (size_t i = 0; i < SOURCES; i++) {
        double sum = 0;
        for (size_t j = 0; j < said.positions[i]; j++) {
            ck_assert(said.alpha[i][j] >= 0);
            sum += (double)said.alpha[i][j];
        }
        ck_assert_double_eq_tol(sum, 1, 1e-5);
        double mass = 0;
        for (size_t v = 0; v < WORDS; v++)
            mass += exp((double)(said.logits[i][v] - said.log_zs[i]));
        ck_assert_double_eq_tol(mass, 1, 1e-5);
    }
    inference->free(inference);
    small_model_free(&model);
}

// A sentence's numbers do not depend on what else is in the batch.
static void check_batches(void)
{
    SearchModel *inference = new_inference();
    Said together, apart;
    say(&together, inference, 0, SOURCES);
    for (size_t i = 0; i < SOURCES; i++) say(&apart, inference, i, 1);
    expect_same(&together, &apart, backend_openblas.rows_exact());
    for (size_t i = 0; i < SOURCES; i += 10) say(&apart, inference, i, 10);
    expect_same(&together, &apart, backend_openblas.rows_exact());
    inference->free(inference);
    small_model_free(&model);
}

TEST(the_batch_does_not_matter)
{
    set_up(2);
    check_batches();
    set_up_self_attention(2);
    check_batches();
    set_up_default(2);
    check_batches();
}

// What was decoded before leaves no trace, even if it was NaN.
TEST(is_as_new_after_every_batch)
{
    set_up(2);
    SearchModel *inference = new_inference(), *fresh = new_inference();
    Said expected, after;
    say(&expected, fresh, 0, SOURCES);
    real bias = model.params.output.bias[5], *weight = model.params.bridge.weight.matrix.values;
    real first = *weight;
    model.params.output.bias[5] = *weight = (real)NAN;
    say(&after, inference, 3, 20);
    model.params.output.bias[5] = bias;
    *weight = first;
    say(&after, inference, 0, SOURCES);
    expect_same(&expected, &after, true);
    inference->free(inference);
    fresh->free(fresh);
    small_model_free(&model);
}

// Rows are copied, moved and dropped with their sentences.
TEST(gather)
{
    set_up(2);
    SearchModel *inference = new_inference();
    Said expected, gathered;
    say(&expected, inference, 0, SOURCES);
    encode(inference, drawn.pairs, SOURCES, 2 * SOURCES);
    uint32_t from[2 * SOURCES];
    int32_t tokens[2 * SOURCES];
    for (size_t i = 0; i < SOURCES; i++) tokens[i] = TOKEN_BOS;
    inference->step(inference, tokens);
    for (uint32_t i = 0; i < 2 * SOURCES; i++)
        from[i] = SOURCES - 1 - i / 2; // each twice, turned round
    for (size_t step = 1; step < STEPS; step++) {
        inference->gather(inference, from, 2 * SOURCES);
        for (size_t i = 0; i < 2 * SOURCES; i++) {
            tokens[i] = token_of(SOURCES - 1 - i / 2, step);
            from[i] = (uint32_t)i;
        }
        inference->step(inference, tokens);
    }
    for (size_t copy = 0; copy < 2; copy++) {
        for (size_t i = 0; i < SOURCES; i++)
            read_row(&gathered, inference, 2 * (SOURCES - 1 - i) + copy, i);
        expect_same(&expected, &gathered, backend_openblas.rows_exact());
    }
    inference->gather(inference, from, 0);
    inference->free(inference);
    small_model_free(&model);
}

TEST(out_of_memory)
{
    set_up(1);
    while (failing_malloc_next()) {
        SearchModel *inference = NULL;
        Error error = {0};
        Status status = inference_new(&inference, &model.params, NULL, NULL, &error);
        if (!status)
            status = inference->encode(inference, drawn.pairs, SOURCES, 90, (Scoring){0}, &error);
        bool failed = failing_malloc_expect(status);
        if (failed) assert_contains(error.text, "out of memory");
        if (!inference) continue;
        encode(inference, drawn.pairs, SOURCES, 90); // and works again
        inference->free(inference);
    }
    small_model_free(&model);
}
