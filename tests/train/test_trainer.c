#include "train/trainer.h"

#include "support/suite.h"
#include "support/trial.h"

#include <string.h>

static Trial trial;

static double number_of(const json_t *training, const char *key)
{
    const json_t *value = json_object_get(training, key);
    ck_assert_msg(json_is_number(value), "no number %s", key);
    return json_number_value(value);
}

TEST(learns_to_reverse, .seconds = 120)
{
    trial_begin(&trial, 1200, 5);
    trial.options.embedding = trial.options.hidden = 32;
    trial.options.dropout = 0;
    trial.options.max_epochs = 25;
    const char *path = scratch_path("model.safetensors");
    Trainer *trainer = trial_new(&trial, path);
    ck_assert_uint_gt(param_list_values(&trainer_params(trainer)->list), 1000);
    ck_assert_uint_eq(trainer_params(trainer)->config.hidden, 32);
    trial_run(trainer);
    ck_assert_msg(trial.watch.best_bleu > 95, "BLEU %g after %zu steps, loss %g",
                  trial.watch.best_bleu, trial.watch.steps, trial.watch.last_loss);
    const TrainCounters *counters = trainer_counters(trainer);
    ck_assert(counters->best_bleu == trial.watch.best_bleu);
    ck_assert_uint_eq(counters->skipped, 0);
    ck_assert_uint_eq(counters->updates, counters->steps);
    json_t *training = trial_expect_model(path);
    ck_assert_double_eq_tol(number_of(training, "validation_bleu"), trial.watch.best_bleu, 0.01);
    ck_assert_double_eq(number_of(training, "steps"), (double)counters->best_step);
    json_decref(training);
    trainer_free(trainer);
    trial_end(&trial);
}

TEST(patience)
{
    trial_begin(&trial, 150, 4);
    trial.options.learning_rate = 1e-30; // nothing ever gets better
    trial.options.patience = 2;
    trial.options.warmup = 1;
    trial.options.max_epochs = 50;
    const char *path = scratch_path("model");
    Trainer *trainer = trial_new(&trial, path);
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_PATIENCE);
    ck_assert_uint_eq(trainer_counters(trainer)->stale, 2);
    ck_assert_uint_eq(trainer_counters(trainer)->epoch, 3);
    ck_assert_uint_eq(trial.watch.validated, 3);
    json_decref(trial_expect_model(path));
    trainer_free(trainer);
    trainer = trial_resume(&trial, path); // still out of patience
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_PATIENCE);
    ck_assert_uint_eq(trial.watch.validated, 3);
    trainer_free(trainer);
    trial.options.patience = 3;
    trainer = trial_resume(&trial, path);
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_PATIENCE);
    ck_assert_uint_eq(trial.watch.validated, 4);
    trainer_free(trainer);
    trial_end(&trial);
}

// Within the warm-up a run goes on, however patient it is.
TEST(patience_in_warm_up)
{
    trial_begin(&trial, 150, 4);
    trial.options.learning_rate = 1e-30;
    trial.options.patience = 1;
    trial.options.max_epochs = 50;
    trial.options.warmup = 30;
    Trainer *trainer = trial_new(&trial, scratch_path("model"));
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_PATIENCE);
    const TrainCounters *counters = trainer_counters(trainer);
    ck_assert_uint_ge(counters->updates, 30);
    ck_assert_uint_gt(counters->stale, 1);
    ck_assert_uint_lt(counters->updates, 30 + counters->updates / counters->epoch);
    trainer_free(trainer);
    trial_end(&trial);
}

TEST(stopped_at_once)
{
    trial_begin(&trial, 150, 4);
    const char *path = scratch_path("model");
    trial.watch.stop_at = 1;
    Trainer *trainer = trial_new(&trial, path);
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_STOPPED);
    ck_assert_uint_eq(trial.watch.steps, 1);
    ck_assert_uint_eq(trial.watch.validated, 1);
    ck_assert_uint_eq(trainer_counters(trainer)->validations, 0); // a look that does not count
    json_decref(trial_expect_model(path));
    ck_assert_uint_eq(scratch_count(), 3); // corpus, model, checkpoint
    trainer_free(trainer);
    trial_end(&trial);
}

// Weights so large that nothing can be computed: steps are skipped, counted, and the run goes on.
TEST(numbers_that_are_not_finite, .seconds = 60)
{
    static const double rates[] = {1e4, 1e18, 1e30, 1e37};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        trial_begin(&trial, 150, 4);
        trial.options.learning_rate = rates[i];
        trial.options.warmup = 1;
        trial.options.embedding = 128; // the sum of so many 1e37 is more than a float holds
        trial.options.max_epochs = 3;
        const char *path = scratch_path("model");
        Trainer *trainer = trial_new(&trial, path);
        ck_assert_int_eq(trial_run(trainer), TRAIN_END_EPOCHS);
        const TrainCounters *counters = trainer_counters(trainer);
        ck_assert_uint_eq(counters->skipped, trial.watch.skipped);
        ck_assert_uint_eq(counters->updates + counters->skipped, counters->steps);
        if (sizeof(real) == sizeof(float) && rates[i] > 1e36)
            ck_assert_uint_gt(trial.watch.skipped, 0);
        Seq2SeqParams listed;
        assert_ok(seq2seq_params_list(&listed, &trainer_params(trainer)->config, NULL));
        if (trial.watch.skipped)
            ck_assert(param_list_find(&listed.list, trial.watch.bad_tensor) ||
                      !strcmp(trial.watch.bad_tensor, "the loss"));
        seq2seq_params_free(&listed);
        trainer_free(trainer);
        json_decref(trial_expect_model(path));
        trainer_free(trial_resume(&trial, path));
        trial_end(&trial);
    }
}

// What cannot be opened again must not take the place of what can.
TEST(never_saves_numbers_that_are_not_finite)
{
    Error error = {0};
    TrainEnd end;
    trial_begin(&trial, 150, 4);
    trial.options.max_epochs = 1;
    const char *path = scratch_path("model");
    Trainer *trainer = trial_new(&trial, path);
    trial_run(trainer);
    trainer_free(trainer);
    trial.options.learning_rate = sizeof(real) == sizeof(float) ? 1e38 : 1e308;
    trial.options.warmup = 1;
    trial.options.max_epochs = 5;
    trainer = trial_new(&trial, path);
    ck_assert_int_eq(trainer_run(trainer, &end, &error), STATUS_FORMAT);
    ck_assert_msg(strstr(error.text, "is not saved, and an existing file is unchanged: tensor ") &&
                      strstr(error.text, "lower --learning-rate"),
                  "%s", error.text);
    trainer_free(trainer);
    json_decref(trial_expect_model(path));
    trial.options.learning_rate = 0.003;
    trainer_free(trial_resume(&trial, path)); // the checkpoint is the first run's, whole
    ck_assert_uint_eq(scratch_count(), 3);
    trial_end(&trial);
}

TEST(nowhere_to_write)
{
    trial_begin(&trial, 50, 3);
    Trainer *trainer = trial_new(&trial, "/no/such/folder/model");
    TrainEnd end;
    Error error = {0};
    ck_assert_int_eq(trainer_run(trainer, &end, &error), STATUS_IO);
    assert_contains(error.text, "/no/such/folder/model");
    trainer_free(trainer);
    trainer_free(NULL);
    trial_end(&trial);
}
