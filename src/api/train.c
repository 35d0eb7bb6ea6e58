// Training from pairs in memory: what `regard train` does, without its files but for the model.
#include "api/parts.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/version.h"
#include "io/file_writer.h"
#include "train/trainer.h"
#include "translate/confidence_learning.h"
#include "translate/watched.h"

#include <string.h>

struct TrainingRun {
    RegardTraining training;
    TrainOptions options;
    TrainingData data;
    Trainer *trainer;
    TrainSetup setup;
    TrainObserver observer;
    Cancel cancel; // that the caller asks for
    double began;  // clock_seconds
    bool enough;   // the caller wants no more
    Status status; // of what was shown
    Error error;
};

// Draws what the model makes of the sentence that is watched. *result is NULL without one.
static Status watch(RegardResult **result, const TrainingRun *run, const Seq2SeqParams *params,
                    Error *error)
{
    const RegardText *sentence = &run->training.watch;
    const ResultForm form = {.alignments = true,
                             .units = {run->data.units[0], run->data.units[1]},
                             .reading = reading_of_aligner(NULL)};
    TextView view;
    *result = NULL;
    if (sentence->length == 0) return STATUS_OK;
    TRY(text_read(&view, sentence, "training.watch", 0, "", error));
    FREED_BY(regard_result_free_at) RegardResult *made = NULL;
    TRY(result_new(&made, 1, error));
    TRY(watched_translate(&made->translations[0], &run->data, params, view, error));
    return result_give(result, &made, &form, error);
}

static void report(void *context, const TrainReport *report)
{
    TrainingRun *run = context;
    const TrainCounters *counters = report->counters;
    bool validated = report->event == TRAIN_VALIDATED;
    RegardResult *watched = NULL;
    if (!run->training.progress || report->event == TRAIN_WAITING) return;
    Status status = validated ? watch(&watched, run, report->average, &run->error) : STATUS_OK;
    if (status) run->status = status;
    const RegardProgress progress = {.epoch = counters->epoch + (counters->batch > 0),
                                     .max_epochs = run->options.max_epochs,
                                     .batch = counters->batch,
                                     .batches = report->batches,
                                     .step = counters->steps,
                                     .loss = report->loss,
                                     .learning_rate = report->learning_rate,
                                     .target_tokens = report->target_tokens,
                                     .seconds = clock_seconds() - run->began,
                                     .validated = validated,
                                     .best = report->is_best,
                                     .validation_loss = report->validation[0].loss,
                                     .validation_bleu = report->validation[0].bleu,
                                     .watched =
                                         status ? NULL : regard_result_translation(watched, 0, 0)};
    if (!run->training.progress(run->training.context, &progress)) run->enough = true;
    regard_result_free(watched);
}

static TrainDecision decide(void *context)
{
    const TrainingRun *run = context;
    double limit = 60 * run->options.max_minutes;
    if (run->status || cancel_check(&run->cancel, NULL)) return TRAIN_PAUSE;
    bool late = limit > 0 && clock_seconds() - run->began >= limit;
    return run->enough || late ? TRAIN_FINISH : TRAIN_CONTINUE;
}

// Options, and "guide", which is not one of the table, since the verb has files for it.
static Status set_options(TrainingRun *run, json_t *given, bool *aligns, Error *error)
{
    const bool weights[2] = {json_object_get(given, "guide_weight"),
                             json_object_get(given, "guide_end_weight")};
    FREED_BY(json_decref_at) json_t *guide = json_incref(json_object_get(given, "guide"));
    json_object_del(given, "guide");
    TRY(train_options_set(&run->options, given, error));
    const char *name = run->options.guide_weight > 0 ? "auto" : "none";
    if (guide) name = json_string_value(guide);
    if (!name || (strcmp(name, "none") != 0 && strcmp(name, "auto") != 0))
        return error_set(error, STATUS_ARGUMENT, "option \"guide\" must be \"none\" or \"auto\"");
    const char *attention = attention_scorer_names[run->options.attention];
    *aligns = strcmp(name, "none") != 0 && attention_scorer_named(attention)->energies;
    train_options_guide(&run->options, *aligns, *aligns, weights);
    return train_options_resolve(&run->options, error);
}

static Status read_options(TrainingRun *run, bool *aligns, Error *error)
{
    const char *text = run->training.options ? run->training.options : "{}";
    FREED_BY(json_decref_at) json_t *given = NULL;
    json_watch();
    Error inner;
    Status status = json_parse(&given, text, strlen(text), "training.options", "the text", &inner);
    if (status)
        return error_set(error, status == STATUS_FORMAT ? STATUS_ARGUMENT : status, "%s",
                         inner.text);
    if (json_is_object(given)) return set_options(run, given, aligns, error);
    return error_set(error, STATUS_ARGUMENT, "training.options must be an object of options");
}

static Status read_training(TrainingRun *run, const RegardTraining *given, Error *error)
{
    RegardTraining *training = &run->training;
    if (!given) return STATUS_OK;
    if (given->size < sizeof given->size)
        return error_set(error, STATUS_ARGUMENT,
                         "training.size is %zu; set it to sizeof(RegardTraining)", given->size);
    memcpy(training, given, given->size < sizeof *training ? given->size : sizeof *training);
    run->cancel = (Cancel){training->cancelled, training->context};
    return STATUS_OK;
}

static Status read_pairs(TrainingRun *run, const GivenTexts texts[2], bool aligns, Error *error)
{
    const RegardTraining *training = &run->training;
    const TrainingFiles files = {
        .texts = texts,
        .align = aligns,
        .cancel = &run->cancel,
        .options = {.languages = {training->source_language, training->target_language}}};
    return training_data_read(&run->data, &files, &run->options, NULL, NULL, error);
}

static void views_free(TextView *(*views)[2][2])
{
    for (int i = 0; i < 4; i++) memory_free((*views)[i / 2][i % 2]);
}

static Status read_data(TrainingRun *run, const RegardText *const sides[2], size_t count,
                        bool aligns, Error *error)
{
    const RegardTraining *training = &run->training;
    const size_t counts[2] = {count, training->valid_count};
    const RegardText *const given[2][2] = {{sides[0], sides[1]},
                                           {training->valid_sources, training->valid_targets}};
    static const char *const names[2][2] = {{"sources", "targets"},
                                            {"training.valid_sources", "training.valid_targets"}};
    FREED_BY(views_free) TextView *views[2][2] = {{NULL}};
    GivenTexts texts[2];
    for (int set = 0; set < 2; set++) {
        for (int s = 0; s < 2; s++)
            TRY(texts_read(&views[set][s], given[set][s], counts[set], names[set][s], error));
        texts[set] = (GivenTexts){{views[set][0], views[set][1]}, counts[set]};
    }
    return read_pairs(run, texts, aligns, error);
}

// As of `regard train`, without names of files.
static json_t *description(const TrainingRun *run)
{
    char products[128];
    train_options_products(products, sizeof products, &run->options);
    return json_pack("{s:s, s:s, s:I, s:s*}", "program", "regard " REGARD_VERSION, //
                     "products", products,                                         //
                     "pairs", (json_int_t)run->data.train.count,                   //
                     "guide", run->data.guide == GUIDE_AUTO ? "auto" : NULL);
}

static Status start(TrainingRun *run, const char *path, const RegardText *const sides[2],
                    size_t count, const RegardTraining *training, Error *error)
{
    bool aligns = false;
    TRY(read_training(run, training, error));
    TRY(read_options(run, &aligns, error));
    TRY(file_writer_try(path, error));
    TRY(backends_start(run->options.threads, error));
    TRY(read_data(run, sides, count, aligns, error));
    run->observer = (TrainObserver){run, report, decide};
    run->setup = (TrainSetup){.data = &run->data,
                              .options = &run->options,
                              .observer = &run->observer,
                              .model_path = path,
                              .description = description(run),
                              .without_checkpoint = true};
    if (!run->setup.description) return error_memory(error, 1, "the model's description");
    return trainer_new(&run->trainer, &run->setup, NULL, error);
}

Status training_run_new(TrainingRun **out, const char *path, const RegardText *const sides[2],
                        size_t count, const RegardTraining *training, Error *error)
{
    FREED_BY(training_run_free_at) TrainingRun *run = NULL;
    if (!path || !*path)
        return error_set(error, STATUS_ARGUMENT,
                         "the path is NULL or empty; name the model's file");
    TRY(array_new(&run, 1, "training", error));
    *run = (TrainingRun){.options = TRAIN_OPTIONS_DEFAULT, .began = clock_seconds()};
    TRY(start(run, path, sides, count, training, error));
    *out = memory_take(&run);
    return STATUS_OK;
}

Status training_run_step(TrainingRun *run, bool *more, Error *error)
{
    TrainEnd end;
    Status status = trainer_step(run->trainer, more, &end, error);
    if (run->status) status = error_set(error, run->status, "%s", run->error.text);
    if (!status) status = cancel_check(&run->cancel, error);
    if (status || *more) return status;
    return confidence_learn(run->setup.model_path, &run->data.valid[0].text, run->options.threads,
                            NULL, error);
}

Status training_run_watch(json_t **json, const TrainingRun *run, Error *error)
{
    const RegardText *sentence = &run->training.watch;
    FREED_BY(translation_free) Translation translation = {0};
    TRY(watched_translate(&translation, &run->data, trainer_average(run->trainer),
                          (TextView){sentence->bytes, sentence->length}, error));
    TRY(watched_json(json, &translation, &run->data, error));
    const Bytes *text = &translation.renderings[0].text;
    json_object_set_new(*json, "text", json_stringn(bytes_text(text), text->length));
    return STATUS_OK;
}

void training_run_free(TrainingRun *run)
{
    if (!run) return;
    trainer_free(run->trainer);
    training_data_free(&run->data);
    json_decref(run->setup.description);
    memory_free(run);
}

RegardStatus regard_train(const char *path, const RegardText *sources, const RegardText *targets,
                          size_t count, const RegardTraining *training, RegardError *error)
{
    const RegardText *const sides[2] = {sources, targets};
    FREED_BY(training_run_free_at) TrainingRun *run = NULL;
    bool more = true;
    Error inner;
    Status status = training_run_new(&run, path, sides, count, training, &inner);
    while (!status && more) status = training_run_step(run, &more, &inner);
    return error_tell(error, status, &inner);
}
