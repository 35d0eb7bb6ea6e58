// The whole model over every scorer of the attention family.
#include "model/inference.h"
#include "model/model_file.h"
#include "support/gradcheck.h"
#include "support/model_fixture.h"
#include "support/param_checks.h"
#include "support/scratch.h"
#include "support/small_model.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 6, LONGEST = 7 };

/* Every tensor's gradient, with dropout, so that all paths to the annotations are seen. */
static void check_gradients(const ModelConfig *config)
{
    SmallModel model;
    SmallPairs drawn;
    ModelRun run;
    Seq2SeqGrads grads;
    const DropoutKey key = {.seed = 1, .step = 2, .probability = (real)0.2};
    small_model_make(&model, config, 2, 3);
    small_pairs_draw(&drawn, config, PAIRS, LONGEST, 4);
    assert_ok(seq2seq_grads_new(&grads, &model.params, NULL));
    model_run_begin(&run, &model.params, drawn.pairs, PAIRS,
                    (ModelRunOptions){.backward = true, .masks = true});
    pass_draw_masks(&run.acts, &run.batch, &key);
    model_run_gradcheck(&run, &model.params, &grads, (real)0.1, 12);
    seq2seq_grads_free(&grads);
    model_run_end(&run);
    small_model_free(&model);
}

TEST(gradients, .seconds = 30)
{
    for (size_t i = 0; attention_scorer_names[i]; i++) {
        ModelConfig config = small_config_of_scorer(attention_scorer_names[i]);
        check_gradients(&config);
        config.decoder_hidden = 2 * config.hidden; // where dot has no tensor
        check_gradients(&config);
    }
}

// What a row of search says of its target, token by token, against what forced decoding says.
static void check_row(SearchModel *inference, size_t row, const ModelRun *run, size_t b, size_t t)
{
    const Ragged *target = &run->batch.target;
    const TeacherForcingActs *acts = &run->acts.decoder;
    size_t at = target->step_begin[t] + b;
    real mean[LONGEST];
    TokenScores scores = inference->scores(inference, row);
    const real *alpha = inference->attention(inference, row, 0);
    Matrix forced = teacher_forcing_alpha(acts, b, 0);
    ck_assert_double_eq_tol((double)(scores.logits[run->batch.target_tokens[at]] - scores.log_z),
                            (double)run->acts.loss.log_p[at], 1e-5);
    attention_mean_of_heads(mean, matrix_row(forced, t), acts->heads, forced.columns);
    for (size_t j = 0; j < forced.columns; j++)
        ck_assert_double_eq_tol((double)alpha[j], (double)mean[j], 1e-6);
}

/* Search's steps over given targets agree with forced decoding of all pairs at once, each alone. */
static void check_decoding(const ModelConfig *config)
{
    SmallModel model;
    SmallPairs drawn;
    ModelRun run;
    SearchModel *inference = NULL;
    const uint32_t same = 0;
    small_model_make(&model, config, 3, 5);
    small_pairs_draw(&drawn, config, PAIRS, LONGEST, 6);
    model_run_begin(&run, &model.params, drawn.pairs, PAIRS,
                    (ModelRunOptions){.row_multiple = backend_openblas.row_multiple});
    pass_forward(&run.acts, &run.batch, &model.params, 0);
    assert_ok(inference_new(&inference, &model.params, NULL, NULL, NULL));
    for (size_t b = 0; b < PAIRS; b++) {
        const TokenPair *pair = &drawn.pairs[run.batch.target_pair[b]];
        int32_t said = TOKEN_BOS;
        assert_ok(inference->encode(inference, pair, 1, 1, (Scoring){0}, NULL));
        for (size_t t = 0; t < pair->target_length; t++) {
            inference->step(inference, &said);
            check_row(inference, 0, &run, b, t);
            said = pair->target[t];
            inference->gather(inference, &same, 1);
        }
    }
    inference->free(inference);
    model_run_end(&run);
    small_model_free(&model);
}

TEST(search_agrees_with_forced_decoding)
{
    for (size_t i = 0; attention_scorer_names[i]; i++) {
        ModelConfig config = small_config_of_scorer(attention_scorer_names[i]);
        check_decoding(&config);
    }
}

// A model file keeps its kind: opened it is the same, and with another kind's config it is not
// saved, as it would not open.
TEST(files)
{
    static const ModelTexts texts = {"{}", "{}", "{}"};
    const char *path = scratch_path("model.safetensors");
    for (size_t i = 0; attention_scorer_names[i]; i++) {
        SmallModel small;
        Model model;
        Error error = {0};
        ModelConfig config = small_config_of_scorer(attention_scorer_names[i]);
        small_model_make(&small, &config, 1, 7);
        assert_ok(model_save(path, &small.params, &texts, NULL, NULL));
        ck_assert_msg(!model_open(&model, path, &error), "%s", error.text);
        ck_assert(!config_difference(&model.params.config, &config));
        ck_assert_ptr_eq(model.params.decoder.scorer, attention_scorer_named(config.attention));
        model_close(&model);

        // dot, projected, and general are the same but by name
        bool twin = !strcmp(config.attention, "dot") || !strcmp(config.attention, "general");
        small.params.config = small_config_of_scorer(i == 0 ? "cosine" : "additive");
        ck_assert_int_eq(model_save(path, &small.params, &texts, NULL, &error), STATUS_IO);
        assert_contains(error.text, "tensor attention.");
        small.params.config = small_config_of_scorer("none");
        if (strcmp(config.attention, "none")) {
            ck_assert_int_eq(model_save(path, &small.params, &texts, NULL, &error), STATUS_IO);
            assert_contains(error.text, "has a tensor attention.");
        }
        small.params.config = small_config_of_scorer("general");
        Status status = model_save(path, &small.params, &texts, NULL, NULL);
        ck_assert_int_eq(status, twin ? STATUS_OK : STATUS_IO);
        small_model_free(&small);
    }
}

// uniform ±1/√fan, as PyTorch's nn.Linear, and the temperature is 10
TEST(initialisation)
{
    for (size_t i = 0; attention_scorer_names[i]; i++) {
        ModelConfig config = small_config_of_scorer(attention_scorer_names[i]);
        SmallModel model;
        small_model_make(&model, &config, 1, 8);
        const ParamList *list = &model.params.list;
        for (size_t k = 0; k < list->count; k++) {
            const ParamInfo *info = &list->tensors[k];
            const real *values = model.params.block + info->offset;
            if (strncmp(info->name, "attention.", 10) || info->rank != 2) continue;
            double most = 0, fan = 1 / sqrt((double)info->shape[1]);
            for (size_t n = 0; n < info->count; n++) most = fmax(most, fabs((double)values[n]));
            ck_assert_msg(most <= fan * 1.000001 && most > 0.7 * fan, "%s: %g", info->name, most);
        }
        if (!strcmp(config.attention, "cosine"))
            ck_assert(*model.params.decoder.attention.temperature == 10);
        small_model_free(&model);
    }
}

TEST(heads_must_fit)
{
    Error error = {0};
    ModelConfig config = small_config_of_scorer("multi-head"); // A 4, 2H 10
    config.heads = 4;
    ck_assert_int_eq(config_check(&config, &error), STATUS_ARGUMENT);
    assert_contains(error.text, "4 heads cannot divide 4 attention units and 10 numbers");
    config.heads = 5;
    ck_assert_int_eq(config_check(&config, NULL), STATUS_ARGUMENT);
    config.heads = 2;
    assert_ok(config_check(&config, NULL));
}
