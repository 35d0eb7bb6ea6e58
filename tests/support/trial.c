#include "support/trial.h"

#include "base/random.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

static void watch_report(void *context, const TrainReport *report)
{
    Trial *trial = context;
    Watch *seen = &trial->watch;
    ck_assert_ptr_nonnull(report->counters);
    switch (report->event) {
    case TRAIN_STEP:
        seen->steps++;
        seen->last_loss = report->loss;
        ck_assert(isfinite(report->loss) && report->target_tokens > 0);
        ck_assert(report->learning_rate > 0 &&
                  report->learning_rate <= trial->options.learning_rate);
        break;
    case TRAIN_SKIPPED:
        seen->steps++;
        seen->skipped++;
        snprintf(seen->bad_tensor, sizeof seen->bad_tensor, "%s", report->bad_tensor);
        break;
    case TRAIN_WAITING:
        ck_assert_ptr_nonnull(report->reason);
        break;
    case TRAIN_VALIDATED:
        seen->validated++;
        if (report->is_best) seen->best_bleu = report->validation[0].bleu;
        break;
    }
}

static TrainDecision watch_stop(void *context)
{
    const Trial *trial = context;
    const Watch *seen = &trial->watch;
    return seen->stop_at && seen->steps >= seen->stop_at ? TRAIN_PAUSE : TRAIN_CONTINUE;
}

/* A corpus whose target is its source's words backwards. */
static void write_reversed(const char *path, size_t pairs, size_t max_words)
{
    static const char *const words[] = {"ba", "be", "bi", "do", "du", "ka", "ke", "lo"};
    Random random = random_from(1, 0);
    Bytes text = {0};
    for (size_t i = 0; i < pairs; i++) {
        size_t count = 1 + (size_t)random_below(&random, max_words), drawn[16];
        for (size_t w = 0; w < count; w++) drawn[w] = (size_t)random_below(&random, 8);
        for (size_t w = 0; w < count; w++)
            assert_ok(bytes_append_format(&text, NULL, "%s%s", w ? " " : "", words[drawn[w]]));
        for (size_t w = count; w-- > 0;)
            assert_ok(bytes_append_format(&text, NULL, "%s%s", w + 1 < count ? " " : "\t",
                                          words[drawn[w]]));
        assert_ok(bytes_append_string(&text, "\n", NULL));
    }
    scratch_write(path, text.data, text.length);
    bytes_free(&text);
}

void trial_begin(Trial *trial, size_t pairs, size_t max_words)
{
    const TrainOptions defaults = TRAIN_OPTIONS_DEFAULT;
    const char *path = scratch_path("train.tsv");
    write_reversed(path, pairs, max_words);
    TrainOptions *options = &trial->options;
    *options = defaults;
    options->vocabulary_size = 300;
    options->embedding = options->hidden = 16;
    options->dropout = 0.1;
    options->batch_tokens = 100;
    options->learning_rate = 0.01;
    options->warmup = 20;
    options->threads = 2;
    const TrainingFiles files = {.readers = &training_file_readers, .train = &path, .count = 1};
    assert_ok(training_data_read(&trial->data, &files, options, NULL, NULL, NULL));
    trial->watch = (Watch){0};
    trial->observer = (TrainObserver){trial, watch_report, watch_stop};
    trial->description = json_pack("{s:s}", "corpus", "reversed");
}

void trial_end(Trial *trial)
{
    training_data_free(&trial->data);
    json_decref(trial->description);
}

TrainSetup trial_setup(const Trial *trial, const char *path)
{
    return (TrainSetup){.data = &trial->data,
                        .options = &trial->options,
                        .observer = &trial->observer,
                        .model_path = path,
                        .description = trial->description};
}

static Trainer *make_trainer(const Trial *trial, const char *path, const Checkpoint *checkpoint)
{
    Trainer *trainer = NULL;
    Error error = {0};
    const TrainSetup setup = trial_setup(trial, path);
    Status status = trainer_new(&trainer, &setup, checkpoint, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    return trainer;
}

Trainer *trial_new(Trial *trial, const char *path)
{
    return make_trainer(trial, path, NULL);
}

Trainer *trial_resume(Trial *trial, const char *path)
{
    Bytes from = {0};
    Checkpoint checkpoint = {.options = trial->options};
    Error error = {0};
    assert_ok(checkpoint_path(&from, path, NULL));
    Status status = checkpoint_open(&checkpoint, from.data, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    Trainer *trainer = make_trainer(trial, path, &checkpoint);
    checkpoint_close(&checkpoint);
    bytes_free(&from);
    return trainer;
}

TrainEnd trial_run(Trainer *trainer)
{
    TrainEnd end;
    Error error = {0};
    Status status = trainer_run(trainer, &end, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    return end;
}

json_t *trial_expect_model(const char *path)
{
    Model model;
    Error error = {0};
    ck_assert_msg(model_open(&model, path, &error) == STATUS_OK, "%s", error.text);
    json_t *training = json_loads(model.texts.training, 0, NULL);
    ck_assert(json_is_object(training));
    ck_assert_str_eq(json_string_value(json_object_get(training, "corpus")), "reversed");
    model_close(&model);
    return training;
}
