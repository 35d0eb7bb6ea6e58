#include "train/save.h"

#include "support/suite.h"
#include "support/trial.h"

#include "base/memory.h"
#include "model/seq2seq.h"

#include <math.h>
#include <string.h>

static Trial trial;
static ModelConfig config;
static Seq2SeqParams params;
static const TrainCounters counters = {.epoch = 3, .steps = 77, .best_bleu = 12};

static void set_up(void)
{
    trial_begin(&trial, 60, 4);
    const TrainingData *data = &trial.data;
    config = train_options_config(&trial.options, vocabulary_size(data->source_vocabulary),
                                  vocabulary_size(data->target_vocabulary), data->joint);
    assert_ok(seq2seq_params_new(&params, &config, NULL));
    seq2seq_initialise(&params, 1);
}

static void tear_down(void)
{
    seq2seq_params_free(&params);
    trial_end(&trial);
}

static const char *text_of(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    ck_assert_msg(text != NULL, "no text %s", key);
    return text;
}

TESTS_EACH(set_up, tear_down)

TEST(model)
{
    const char *path = scratch_path("model");
    const TrainSetup setup = trial_setup(&trial, path);
    const ValidationScore score = {.loss = (double)NAN, .bleu = 12.5};
    assert_ok(save_model(&setup, &params, &counters, &score, NULL));
    json_t *training = trial_expect_model(path); // begins with the description
    ck_assert_int_eq(json_integer_value(json_object_get(training, "steps")), 77);
    ck_assert_int_eq(json_integer_value(json_object_get(training, "epoch")), 3);
    ck_assert_str_eq(text_of(training, "source_units"), "words");
    ck_assert_str_eq(text_of(training, "target_units"), "words");
    ck_assert_str_eq(text_of(training, "bleu_tokenizer"), "13a");
    ck_assert_double_eq(json_real_value(json_object_get(training, "validation_bleu")), 12.5);
    ck_assert(json_is_null(json_object_get(training, "validation_loss")));
    const json_t *options = json_object_get(training, "options");
    ck_assert_int_eq(json_integer_value(json_object_get(options, "hidden")), 16);
    ck_assert_str_eq(text_of(options, "attention"), "additive");
    json_decref(training);
}

// A model that was not validated claims no score, and needs no description.
TEST(model_without_a_score)
{
    const char *path = scratch_path("model");
    TrainSetup setup = trial_setup(&trial, path);
    setup.description = NULL;
    assert_ok(save_model(&setup, &params, &counters, NULL, NULL));
    Model model;
    assert_ok(model_open(&model, path, NULL));
    ck_assert_ptr_null(strstr(model.texts.training, "validation"));
    ck_assert_ptr_null(strstr(model.texts.training, "corpus"));
    model_close(&model);
}

TEST(checkpoint)
{
    const TrainSetup setup = trial_setup(&trial, scratch_path("model"));
    const CheckpointBlocks blocks = {&params.list,
                                     {params.block, params.block, params.block, params.block}};
    assert_ok(save_checkpoint(&setup, &config, &blocks, &counters, NULL));
    Checkpoint checkpoint = {.options = {.max_epochs = 4}};
    const char *path = scratch_path("model.checkpoint");
    assert_ok(checkpoint_open(&checkpoint, path, NULL));
    ck_assert(!config_difference(&checkpoint.config, &config));
    ck_assert(checkpoint.corpus_hash == trial.data.hash);
    ck_assert_uint_eq(checkpoint.counters.steps, 77);
    ck_assert_uint_eq(checkpoint.options.hidden, 16);
    ck_assert_uint_eq(checkpoint.options.max_epochs, 4);
    checkpoint_close(&checkpoint);
}
