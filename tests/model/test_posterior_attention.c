// Posterior attention against its formula, written out in double precision, for every scorer.
#include "model/posterior_attention.h"
#include "support/model_fixture.h"
#include "support/small_model.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <math.h>

enum { PAIRS = 6, LONGEST = 7, MAX_WIDTH = 64 };

// b + Σ_k w_k x_k, from column `first` of a row of W on.
static double affine(double b, Matrix weight, size_t row, size_t first, const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) b += (double)matrix_row(weight, row)[first + k] * x[k];
    return b;
}

static void copy(double *to, const real *from, size_t n)
{
    for (size_t k = 0; k < n; k++) to[k] = (double)from[k];
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

// s (D) = GRU(x, s_before)
static void gru(double *s, const double *s_before, const double *x, size_t inputs,
                const GruParams *params)
{
    size_t D = params->weight_hh.matrix.columns;
    for (size_t d = 0; d < D; d++) {
        double in[3], hidden[3];
        for (size_t gate = 0; gate < 3; gate++) {
            size_t row = gate * D + d;
            in[gate] =
                affine((double)params->bias_ih[row], params->weight_ih.matrix, row, 0, x, inputs);
            hidden[gate] =
                affine((double)params->bias_hh[row], params->weight_hh.matrix, row, 0, s_before, D);
        }
        double z = sigmoid(in[1] + hidden[1]);
        double n = tanh(in[2] + sigmoid(in[0] + hidden[0]) * hidden[2]);
        s[d] = (1 - z) * n + z * s_before[d];
    }
}

// p(y_t | s_{t-1}, y_{t-1}, v): the token of a row of the batch, with v (C) as what was looked at.
static double probability(const ModelRun *run, const Seq2SeqParams *params, size_t row,
                          const real *value)
{
    const DecoderParams *decoder = &params->decoder;
    const TeacherForcingActs *acts = &run->acts.decoder;
    Matrix output = params->output.weight.matrix, mix = decoder->attention.output.matrix;
    size_t D = acts->all.s_before.columns, E = output.columns;
    size_t width = run->acts.source.memory.values.columns;
    double s_before[MAX_WIDTH], between[MAX_WIDTH], syc[MAX_WIDTH], v[MAX_WIDTH], r[MAX_WIDTH];
    double sum = 0, said = 0;
    copy(s_before, matrix_row(acts->all.s_before, row), D);
    copy(syc + D, matrix_row(acts->all.concat, row) + D, E);
    copy(v, value, width);
    for (size_t k = 0; k < width; k++)
        syc[D + E + k] = mix.rows ? affine(0, mix, k, 0, v, width) : v[k];
    if (decoder->conditional) {
        gru(between, s_before, syc + D, E, &decoder->gru);
        gru(syc, between, syc + D + E, width, &decoder->second);
    } else {
        gru(syc, s_before, syc + D, E + width, &decoder->gru);
    }
    for (size_t k = 0; k < E; k++)
        r[k] = tanh(affine((double)decoder->readout.bias[k], decoder->readout.weight.matrix, k, 0,
                           syc, D + E + width));
    for (size_t k = 0; k < output.rows; k++) {
        double e = exp(affine((double)params->output.bias[k], output, k, 0, r, E));
        sum += e;
        if ((int32_t)k == run->batch.target_tokens[row]) said = e;
    }
    return said / sum;
}

static void check_sentence(const ModelRun *run, const Seq2SeqParams *params,
                           PosteriorAttention *work, size_t b)
{
    const AttentionMemory *memory = &run->acts.source.memory;
    Matrix given = teacher_forcing_alpha(&run->acts.decoder, b, 0); // (T, S) of the first head
    Matrix values = attention_sentence(memory->values, memory->begin, run->batch.source_of[b]);
    size_t T = given.rows, S = given.columns;
    float alpha[LONGEST * LONGEST], posterior[LONGEST * LONGEST];
    for (size_t i = 0; i < T * S; i++) alpha[i] = (float)matrix_row(given, i / S)[i % S];
    assert_ok(
        posterior_attention_set(posterior, work, alpha, &run->acts, &run->batch, params, b, NULL));
    for (size_t t = 0; t < T; t++) {
        size_t row = run->batch.target.step_begin[t] + b;
        double joint[LONGEST], sum = 0;
        for (size_t j = 0; j < S; j++)
            sum += joint[j] =
                (double)alpha[t * S + j] * probability(run, params, row, matrix_row(values, j));
        for (size_t j = 0; j < S; j++)
            ck_assert_double_eq_tol((double)posterior[t * S + j], joint[j] / sum, 1e-5);
    }
}

// Lets neither the GRU nor the readout see the context, their last C columns.
static void ignore_context(DecoderParams *decoder, size_t width)
{
    const Matrix weights[] = {decoder->readout.weight.matrix, decoder->gru.weight_ih.matrix};
    for (size_t w = 0; w < 2; w++)
        matrix_clear(matrix_columns(weights[w], weights[w].columns - width, width));
}

static void check(const char *scorer, bool conditional, size_t row_multiple)
{
    SmallModel model;
    SmallPairs drawn;
    ModelRun run;
    PosteriorAttention work = {0};
    ModelConfig config = small_config_of_scorer(scorer);
    config.conditional_gru = conditional;
    small_model_make(&model, &config, 3, 5);
    small_pairs_draw(&drawn, &config, PAIRS, LONGEST, 6);
    model_run_begin(&run, &model.params, drawn.pairs, PAIRS,
                    (ModelRunOptions){.row_multiple = row_multiple});
    pass_forward(&run.acts, &run.batch, &model.params, 0);
    for (size_t b = 0; b < PAIRS; b++) check_sentence(&run, &model.params, &work, b);
    posterior_attention_free(&work);
    model_run_end(&run);
    small_model_free(&model);
}

TEST(every_scorer)
{
    for (size_t i = 0; attention_scorer_names[i]; i++) {
        for (int conditional = 0; conditional < 2; conditional++) {
            check(attention_scorer_names[i], conditional, 1);
            check(attention_scorer_names[i], conditional, backend_openblas.row_multiple);
        }
    }
}

// What is said whatever the decoder looks at was said by what it looked at.
TEST(without_context)
{
    SmallModel model;
    ModelRun run;
    PosteriorAttention work = {0};
    float posterior[2 * 3];
    const float alpha[2 * 3] = {0.5F, 0.25F, 0.25F, 0, 0.125F, 0.875F};
    const int32_t source[] = {5, 6, TOKEN_EOS}, target[] = {7, TOKEN_EOS};
    const TokenPair pair = {
        .source = source, .source_length = 3, .target = target, .target_length = 2};
    const ModelConfig config = small_config_of_scorer("additive");
    small_model_make(&model, &config, 3, 5);
    ignore_context(&model.params.decoder, 2 * config.hidden);
    model_run_begin(&run, &model.params, &pair, 1, (ModelRunOptions){0});
    pass_forward(&run.acts, &run.batch, &model.params, 0);
    assert_ok(posterior_attention_set(posterior, &work, alpha, &run.acts, &run.batch, &model.params,
                                      0, NULL));
    for (size_t i = 0; i < 2 * 3; i++)
        ck_assert_double_eq_tol((double)posterior[i], (double)alpha[i], 1e-6);
    posterior_attention_free(&work);
    model_run_end(&run);
    small_model_free(&model);
}
