// Training from pairs in memory: what `regard train` does, without its files but for the model.
#include "api/parts.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/version.h"
#include "train/trainer.h"
#include "translate/confidence_learning.h"
#include "translate/watched.h"

#include <string.h>

// What a run is made of.
typedef struct Run {
    RegardTraining training;
    TextView *views[2][2]; // of the pairs of training and validation their sides; owned
    TrainOptions options;
    TrainingData data;
    Cancel cancel; // that the caller asks for
    double began;  // clock_seconds
    bool enough;   // the caller wants no more
    Status status; // of what was shown
    Error error;
} Run;

// Draws what the model makes of the sentence that is watched. *result is NULL without one.
static Status watch(RegardResult **result, const Run *run, const Seq2SeqParams *params,
                    Error *error)
{
    const RegardText *sentence = &run->training.watch;
    const ResultForm form = {.alignments = true,
                             .units = {run->data.units[0], run->data.units[1]},
                             .reading = reading_default()};
    TextView view;
    *result = NULL;
    if (sentence->length == 0) return STATUS_OK;
    TRY(text_read(&view, sentence, "training.watch", 0, "", error));
    RegardResult *made;
    TRY(result_new(&made, 1, error));
    Status status = watched_translate(&made->translations[0], &run->data, params, view, error);
    return result_give(result, made, &form, status, error);
}

static void report(void *context, const TrainReport *report)
{
    Run *run = context;
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
                                     .validation_loss = report->validation.loss,
                                     .validation_bleu = report->validation.bleu,
                                     .watched =
                                         status ? NULL : regard_result_translation(watched, 0, 0)};
    if (!run->training.progress(run->training.context, &progress)) run->enough = true;
    regard_result_free(watched);
}

static TrainDecision decide(void *context)
{
    const Run *run = context;
    double limit = 60 * run->options.max_minutes;
    if (run->status || cancel_check(&run->cancel, NULL)) return TRAIN_PAUSE;
    bool late = limit > 0 && clock_seconds() - run->began >= limit;
    return run->enough || late ? TRAIN_FINISH : TRAIN_CONTINUE;
}

// Options, and "guide", which is not one of the table, since the verb has files for it.
static Status set_options(Run *run, json_t *given, bool *aligns, Error *error)
{
    const bool weights[2] = {json_object_get(given, "guide_weight"),
                             json_object_get(given, "guide_end_weight")};
    json_t *guide = json_incref(json_object_get(given, "guide"));
    const char *name = guide ? json_string_value(guide) : "auto";
    json_object_del(given, "guide");
    Status status = train_options_set(&run->options, given, error);
    if (!status && (!name || (strcmp(name, "none") != 0 && strcmp(name, "auto") != 0)))
        status = error_set(error, STATUS_ARGUMENT, "option \"guide\" must be \"none\" or \"auto\"");
    if (!status) {
        const char *attention = attention_scorer_names[run->options.attention];
        *aligns = strcmp(name, "none") != 0 && attention_scorer_named(attention)->energies;
        train_options_guide(&run->options, *aligns, *aligns, weights);
        status = train_options_resolve(&run->options, error);
    }
    json_decref(guide);
    return status;
}

static Status read_options(Run *run, bool *aligns, Error *error)
{
    const char *text = run->training.options ? run->training.options : "{}";
    json_t *given;
    json_watch();
    Error inner;
    Status status = json_parse(&given, text, strlen(text), "training.options", "the text", &inner);
    if (status)
        return error_set(error, status == STATUS_FORMAT ? STATUS_ARGUMENT : status, "%s",
                         inner.text);
    status = json_is_object(given) ? set_options(run, given, aligns, error)
                                   : error_set(error, STATUS_ARGUMENT,
                                               "training.options must be an object of options");
    json_decref(given);
    return status;
}

static Status read_training(Run *run, const RegardTraining *given, Error *error)
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

static Status read_data(Run *run, const RegardText *const sides[2], size_t count, bool aligns,
                        Error *error)
{
    const RegardTraining *training = &run->training;
    const size_t counts[2] = {count, training->valid_count};
    const RegardText *const given[2][2] = {{sides[0], sides[1]},
                                           {training->valid_sources, training->valid_targets}};
    static const char *const names[2][2] = {{"sources", "targets"},
                                            {"training.valid_sources", "training.valid_targets"}};
    GivenTexts texts[2];
    for (int set = 0; set < 2; set++) {
        for (int s = 0; s < 2; s++)
            TRY(texts_read(&run->views[set][s], given[set][s], counts[set], names[set][s], error));
        texts[set] = (GivenTexts){{run->views[set][0], run->views[set][1]}, counts[set]};
    }
    const TrainingFiles files = {
        .texts = texts,
        .align = aligns,
        .cancel = &run->cancel,
        .options = {.languages = {training->source_language, training->target_language}}};
    return training_data_read(&run->data, &files, &run->options, NULL, NULL, error);
}

// As of `regard train`, without names of files.
static json_t *description(const Run *run)
{
    char products[128];
    train_options_products(products, sizeof products, &run->options);
    return json_pack("{s:s, s:s, s:I, s:s*}", "program", "regard " REGARD_VERSION, //
                     "products", products,                                         //
                     "pairs", (json_int_t)run->data.train.count,                   //
                     "guide", run->data.guide == GUIDE_AUTO ? "auto" : NULL);
}

static Status learn(Run *run, const char *path, Error *error)
{
    const TrainObserver observer = {run, report, decide};
    const TrainSetup setup = {.data = &run->data,
                              .options = &run->options,
                              .observer = &observer,
                              .model_path = path,
                              .description = description(run),
                              .without_checkpoint = true};
    Trainer *trainer = NULL;
    TrainEnd end;
    Status status = setup.description ? trainer_new(&trainer, &setup, NULL, error)
                                      : error_memory(error, 1, "the model's description");
    if (!status) status = trainer_run(trainer, &end, error);
    if (run->status) status = error_set(error, run->status, "%s", run->error.text);
    if (!status) status = cancel_check(&run->cancel, error);
    if (!status)
        status = confidence_learn(path, &run->data.valid_text, run->options.threads, error);
    trainer_free(trainer);
    json_decref(setup.description);
    return status;
}

static Status train(const char *path, Run *run, const RegardTraining *training,
                    const RegardText *const sides[2], size_t count, Error *error)
{
    bool aligns = false;
    if (!path || !*path)
        return error_set(error, STATUS_ARGUMENT,
                         "the path is NULL or empty; name the model's file");
    TRY(read_training(run, training, error));
    TRY(read_options(run, &aligns, error));
    TRY(backends_start(run->options.threads, error));
    TRY(read_data(run, sides, count, aligns, error));
    Status status = learn(run, path, error);
    training_data_free(&run->data);
    return status;
}

RegardStatus regard_train(const char *path, const RegardText *sources, const RegardText *targets,
                          size_t count, const RegardTraining *training, RegardError *error)
{
    Error inner;
    Run run = {.options = TRAIN_OPTIONS_DEFAULT, .began = clock_seconds()};
    Status status =
        train(path, &run, training, (const RegardText *const[2]){sources, targets}, count, &inner);
    for (int i = 0; i < 4; i++) memory_free(run.views[i / 2][i % 2]);
    return error_tell(error, status, &inner);
}
