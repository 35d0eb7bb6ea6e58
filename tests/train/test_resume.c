// A training run that is stopped and goes on.
#include "train/trainer.h"

#include "base/random.h"
#include "support/suite.h"
#include "support/trained_model.h"
#include "support/trial.h"

#include <string.h>

static Trial trial;

// Stopped at any step and resumed, a run ends with the bits of one that was never stopped.
TEST(resumes_bit_for_bit, .seconds = 60)
{
    trial_begin(&trial, 150, 4);
    trial.options.max_epochs = 4;
    const char *whole = scratch_path("whole"), *cut = scratch_path("cut");
    Trainer *trainer = trial_new(&trial, whole);
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_EPOCHS);
    size_t steps = trial.watch.steps;
    ck_assert_uint_eq(trainer_counters(trainer)->steps, steps);
    trainer_free(trainer);
    Random random = random_from(3, 0);
    for (size_t round = 0; round < 4; round++) {
        size_t stops = 0;
        trial.watch = (Watch){.stop_at = 1 + (size_t)random_below(&random, steps / 3)};
        trainer = trial_new(&trial, cut);
        while (trial_run(trainer) == TRAIN_END_STOPPED) {
            ck_assert_uint_eq(trainer_counters(trainer)->steps, trial.watch.steps);
            trainer_free(trainer);
            json_decref(trial_expect_model(cut));
            trial.watch.stop_at = trial.watch.steps + 1 + (size_t)random_below(&random, steps / 2);
            trainer = trial_resume(&trial, cut);
            stops++;
        }
        ck_assert_uint_ge(stops, 1);
        ck_assert_uint_eq(trial.watch.steps, steps);
        trainer_free(trainer);
        trained_expect_equal(whole, cut);
    }
    trial_end(&trial);
}

// A run of the trial's options, stopped at a step and resumed, against one that was not.
static void expect_cut_equals_whole(size_t stop_at)
{
    const char *whole = scratch_path("whole"), *cut = scratch_path("cut");
    Trainer *trainer = trial_new(&trial, whole);
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_EPOCHS);
    size_t steps = trial.watch.steps;
    trainer_free(trainer);
    trial.watch = (Watch){.stop_at = stop_at};
    trainer = trial_new(&trial, cut);
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_STOPPED);
    ck_assert_uint_gt(trainer_counters(trainer)->batch, 0); // within an epoch
    trainer_free(trainer);
    trial.watch.stop_at = 0;
    trainer = trial_resume(&trial, cut);
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_EPOCHS);
    ck_assert_uint_eq(trial.watch.steps, steps);
    trainer_free(trainer);
    trained_expect_equal(whole, cut);
}

// In bf16 too, where weights are packed anew after every step.
TEST(resumes_bit_for_bit_in_bf16, .seconds = 60)
{
    if (!backend_of(COMPUTE_BF16, true)) return;
    trial_begin(&trial, 60, 4);
    trial.options.max_epochs = 2;
    trial.options.threads = 2;
    trial.options.precision = PRECISION_BF16;
    expect_cut_equals_whole(2);
    trial_end(&trial);
}

TEST(same_run_twice)
{
    trial_begin(&trial, 150, 4);
    trial.options.max_epochs = 2;
    trial.options.threads = 3;
    const char *paths[2] = {scratch_path("a"), scratch_path("b")};
    for (int i = 0; i < 2; i++) {
        Trainer *trainer = trial_new(&trial, paths[i]);
        trial_run(trainer);
        trainer_free(trainer);
    }
    trained_expect_equal(paths[0], paths[1]);
    trial_end(&trial);
}

TEST(more_epochs_later)
{
    trial_begin(&trial, 150, 4);
    const char *once = scratch_path("once"), *twice = scratch_path("twice");
    trial.options.max_epochs = 3;
    Trainer *trainer = trial_new(&trial, once);
    trial_run(trainer);
    trainer_free(trainer);
    trial.options.max_epochs = 2;
    trainer = trial_new(&trial, twice);
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_EPOCHS);
    ck_assert_uint_eq(trainer_counters(trainer)->epoch, 2);
    trainer_free(trainer);
    trial.options.max_epochs = 3;
    trainer = trial_resume(&trial, twice);
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_EPOCHS);
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_EPOCHS); // nothing is left to do
    trainer_free(trainer);
    scratch_expect_equal(scratch_path("once.checkpoint"), scratch_path("twice.checkpoint"));
    trial_end(&trial);
}

// What a run of these options leaves.
static Checkpoint checkpoint_of(const TrainSetup *setup)
{
    Checkpoint checkpoint = {.options = trial.options};
    Trainer *trainer = trial_new(&trial, setup->model_path);
    trial_run(trainer);
    trainer_free(trainer);
    assert_ok(checkpoint_open(&checkpoint, scratch_path("model.checkpoint"), NULL));
    return checkpoint;
}

TEST(refuses_another_corpus)
{
    trial_begin(&trial, 150, 4);
    trial.options.max_epochs = 1;
    const TrainSetup setup = trial_setup(&trial, scratch_path("model"));
    Checkpoint checkpoint = checkpoint_of(&setup);
    Trainer *trainer;
    Error error = {0};
    trial.data.hash ^= 1;
    trainer = NULL;
    ck_assert_int_eq(trainer_new(&trainer, &setup, &checkpoint, &error), STATUS_ARGUMENT);
    assert_contains(error.text, "is from a different corpus");
    assert_contains(error.text, "model.checkpoint");
    trial.data.hash ^= 1;
    trial.options.hidden = 17;
    ck_assert_int_eq(trainer_new(&trainer, &setup, &checkpoint, &error), STATUS_FORMAT);
    ck_assert_ptr_null(trainer);
    checkpoint_close(&checkpoint);
    trial_end(&trial);
}

// A checkpoint that claims to stand behind the last batch of its epoch must not run for ever.
TEST(batch_that_does_not_exist)
{
    trial_begin(&trial, 50, 3);
    trial.options.max_epochs = 1;
    const TrainSetup setup = trial_setup(&trial, scratch_path("model"));
    Checkpoint checkpoint = checkpoint_of(&setup);
    Trainer *trainer;
    checkpoint.counters.batch = UINT64_MAX;
    trial.options.max_epochs = 2;
    assert_ok(trainer_new(&trainer, &setup, &checkpoint, NULL));
    ck_assert_int_eq(trial_run(trainer), TRAIN_END_EPOCHS);
    trainer_free(trainer);
    checkpoint_close(&checkpoint);
    trial_end(&trial);
}
