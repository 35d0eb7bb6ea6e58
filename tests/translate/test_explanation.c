#include "translate/explanation.h"

#include "base/memory.h"
#include "support/failing_malloc.h"
#include "support/model_fixture.h"
#include "support/suite.h"
#include "translate/forced.h"

#include <math.h>
#include <string.h>

// What float's rounding may differ by, here and where another kind of product is used.
static const double TOLERANCE = 2e-6;

// A model of a few units with one of its pairs, both sides without </s>.
typedef struct Subject {
    ModelFixture fixture;
    Forcing forcing;
    Subwords source, target;
    const WhatIf *what_if;
    Explanation explanation;
} Subject;

static void begin(Subject *subject, size_t pair)
{
    *subject = (Subject){0};
    model_fixture_open(&subject->fixture, "model_joint");
    subject->forcing.params = &subject->fixture.params;
    assert_ok(threads_new(&subject->forcing.threads, 1, NULL));
    const TokenPair *tokens = &subject->fixture.pairs[pair];
    subject->source.ids = &subject->fixture.source[tokens->source - subject->fixture.source];
    subject->target.ids = &subject->fixture.target[tokens->target - subject->fixture.target];
    subject->source.count = tokens->source_length - 1;
    subject->target.count = tokens->target_length - 1;
}

static void end(Subject *subject)
{
    explanation_free(&subject->explanation);
    threads_free(subject->forcing.threads);
    model_fixture_close(&subject->fixture);
}

static void explain(Subject *subject, size_t step)
{
    Error error = {0};
    const ExplainedPair pair = {&subject->source, &subject->target, step, subject->what_if};
    Status status = explanation_set(&subject->explanation, &subject->forcing, &pair, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

// W (rows, columns) x + bias at one row, in double.
static double affine(Matrix weight, const real *bias, size_t row, const float *x)
{
    double sum = bias ? (double)bias[row] : 0;
    for (size_t i = 0; i < weight.columns; i++)
        sum += (double)matrix_row(weight, row)[i] * (double)x[i];
    return sum;
}

/* The annotations of a pair, (S, C), by a pass of its own. */
static Matrix annotations_of(ModelRun *run, const Subject *subject, const TokenPair *pair)
{
    model_run_begin(run, subject->forcing.params, pair, 1, (ModelRunOptions){0});
    pass_forward(&run->acts, &run->batch, subject->forcing.params, 0);
    return run->acts.source.memory.annotations;
}

// The gates r and z of s_t, of the GRU that reads [y_{t-1}; c_t]; the readout's softmax.
static void expect_decoder(const Subject *subject)
{
    const Explanation *e = &subject->explanation;
    const Seq2SeqParams *params = subject->forcing.params;
    const GruParams *gru = &params->decoder.gru;
    size_t D = e->state_size, E = e->readout_size, C = e->context_size;
    size_t V = params->output.weight.matrix.rows;
    float x[64];
    double logits[64], sum = 0;
    ck_assert(E + C <= 64 && V <= 64 && !e->conditional);
    const real *y = matrix_row(params->target_embedding.matrix, (size_t)subject->target.ids[0]);
    for (size_t i = 0; i < E; i++) x[i] = (float)y[i];
    memcpy(x + E, e->context, C * sizeof *x);
    for (size_t i = 0; i < 2 * D; i++)
        ck_assert_double_eq_tol(
            (double)e->gates[i],
            1 / (1 + exp(-affine(gru->weight_ih.matrix, gru->bias_ih, i, x) -
                         affine(gru->weight_hh.matrix, gru->bias_hh, i, e->state))),
            TOLERANCE);
    for (size_t k = 0; k < V; k++) {
        logits[k] = affine(params->output.weight.matrix, params->output.bias, k, e->readout);
        sum += exp(logits[k]);
    }
    ck_assert_uint_eq(e->likeliest_count, V < MAX_LIKELIEST ? V : MAX_LIKELIEST);
    for (size_t i = 0; i < e->likeliest_count; i++) {
        const LikelyToken *likely = &e->likeliest[i];
        ck_assert_double_eq_tol((double)likely->log_p, logits[likely->token] - log(sum), TOLERANCE);
        if (i > 0) ck_assert_float_le(likely->log_p, e->likeliest[i - 1].log_p);
        size_t above = 0;
        for (size_t k = 0; k < V; k++) above += logits[k] > logits[likely->token];
        ck_assert_uint_eq(above, i);
    }
}

/* Every number by its formula, in plain loops, from the numbers before it. */
TEST(follows_the_equations)
{
    Subject subject;
    ModelRun run;
    begin(&subject, 0);
    explain(&subject, 1);
    const Explanation *e = &subject.explanation;
    const AttentionParams *params = &subject.fixture.params.decoder.attention;
    Matrix h = annotations_of(&run, &subject, &subject.fixture.pairs[0]);
    ck_assert_uint_eq(e->state_size, subject.fixture.config.decoder_hidden);
    ck_assert_uint_eq(e->query_size, subject.fixture.config.attention_size);
    ck_assert_uint_eq(e->context_size, 2 * subject.fixture.config.hidden);
    ck_assert_uint_eq(e->positions, subject.source.count + 1);
    ck_assert_uint_eq(e->positions, h.rows);
    for (size_t a = 0; a < e->query_size; a++) // q_t = W_a s_{t-1} + b_a
        ck_assert_double_eq_tol(
            (double)e->query[a],
            affine(params->query.weight.matrix, params->query.bias, a, e->state), TOLERANCE);
    double sum = 0;
    for (size_t j = 0; j < e->positions; j++) { // e_tj = vᵀ tanh(q_t + U_a h_j)
        double energy = 0;
        for (size_t a = 0; a < e->query_size; a++)
            energy +=
                (double)params->v[a] *
                tanh((double)e->query[a] + affine(params->key.matrix, NULL, a, matrix_row(h, j)));
        ck_assert_double_eq_tol((double)e->energies[j], energy, TOLERANCE);
        sum += exp(energy);
    }
    for (size_t j = 0; j < e->positions; j++) // α_tj = exp(e_tj) / Σ_i exp(e_ti)
        ck_assert_double_eq_tol((double)e->weights[j], exp((double)e->energies[j]) / sum,
                                TOLERANCE);
    for (size_t i = 0; i < e->context_size; i++) { // c_t = Σ_j α_tj h_j
        double context = 0;
        for (size_t j = 0; j < e->positions; j++)
            context += (double)e->weights[j] * (double)matrix_row(h, j)[i];
        ck_assert_double_eq_tol((double)e->context[i], context, TOLERANCE);
    }
    ck_assert_mem_eq(e->annotations, h.values, h.rows * h.columns * sizeof(float)); // h_j
    expect_decoder(&subject);
    model_run_end(&run);
    end(&subject);
}

/* A source token without attention, and one with a given share of it. */
TEST(what_if)
{
    Subject subject;
    const WhatIf what_if = {.forbidden = {0},
                            .forbidden_count = 1,
                            .weights = {{.step = 1, .source = 1, .weight = 0.75}},
                            .weight_count = 1};
    begin(&subject, 0);
    subject.what_if = &what_if;
    explain(&subject, 1);
    const Explanation *e = &subject.explanation;
    double sum = 0;
    for (size_t j = 0; j < e->positions; j++) sum += (double)e->weights[j];
    ck_assert_float_eq(e->weights[0], 0);
    ck_assert_float_eq(e->weights[1], 0.75F);
    ck_assert_double_eq_tol(sum, 1, TOLERANCE);
    explain(&subject, 0); // another step
    ck_assert_float_eq(subject.explanation.weights[0], 0);
    ck_assert_float_lt(subject.explanation.weights[1], 0.75F);
    end(&subject);
}

/* What `align` and `score` say of the same pair among others: each step's weights, and Σ log p. */
TEST(agrees_with_forced_decoding)
{
    Subject subject;
    begin(&subject, 0);
    TokenCorpus tokens = {0};
    Translation translations[MAX_MODEL_FIXTURE_PAIRS];
    Rendering renderings[MAX_MODEL_FIXTURE_PAIRS];
    memset(translations, 0, sizeof translations);
    memset(renderings, 0, sizeof renderings);
    for (size_t i = 0; i < subject.fixture.count; i++) {
        const TokenPair *pair = &subject.fixture.pairs[i];
        translations[i].renderings = &renderings[i];
        assert_ok(token_corpus_add(&tokens, pair->source, pair->source_length - 1, pair->target,
                                   pair->target_length - 1, NULL));
    }
    subject.forcing.with_alpha = true;
    assert_ok(forced_decode(&subject.forcing, &tokens, translations, NULL));
    double log_p = 0, tolerance = backend_openblas.rows_exact() ? 0 : TOLERANCE;
    for (size_t t = 0; t <= subject.target.count; t++) {
        explain(&subject, t);
        size_t S = subject.explanation.positions;
        for (size_t j = 0; j < S; j++)
            ck_assert_double_le(fabs((double)subject.explanation.weights[j] -
                                     (double)renderings[0].alpha[t * S + j]),
                                tolerance);
        log_p += subject.explanation.log_p;
    }
    ck_assert_double_eq_tol(log_p, renderings[0].log_p, 1e-5);
    for (size_t i = 0; i < subject.fixture.count; i++) {
        memory_free(renderings[i].alpha);
        memory_free(renderings[i].log_ps);
    }
    token_corpus_free(&tokens);
    end(&subject);
}

TEST(refuses_a_step_that_is_not_there)
{
    Subject subject;
    Error error = {0};
    begin(&subject, 1);
    explain(&subject, subject.target.count); // of </s>
    const ExplainedPair pair = {&subject.source, &subject.target, subject.target.count + 1, NULL};
    Status status = explanation_set(&subject.explanation, &subject.forcing, &pair, &error);
    ck_assert_int_eq(status, STATUS_ARGUMENT);
    assert_contains(error.text, "there is no target subword");
    ck_assert_ptr_null(subject.explanation.state); // nor does the one before stay
    end(&subject);
}

TEST(empty_sides)
{
    Subject subject;
    begin(&subject, 0);
    subject.source.count = subject.target.count = 0;
    explain(&subject, 0);
    ck_assert_uint_eq(subject.explanation.positions, 1); // </s>
    ck_assert_float_eq(subject.explanation.weights[0], 1);
    ck_assert_double_lt(subject.explanation.log_p, 0);
    end(&subject);
}

TEST(out_of_memory)
{
    Subject subject;
    begin(&subject, 0);
    while (failing_malloc_next()) {
        Status status =
            explanation_set(&subject.explanation, &subject.forcing,
                            &(ExplainedPair){&subject.source, &subject.target, 0, NULL}, NULL);
        if (failing_malloc_expect(status)) ck_assert_ptr_null(subject.explanation.state);
    }
    ck_assert_ptr_nonnull(subject.explanation.state);
    end(&subject);
}
