#define _POSIX_C_SOURCE 200809L
// regard train: learns a model from a parallel corpus.

#include "base/clock.h"
#include "base/version.h"
#include "cli/train/report.h"
#include "cli/train/stop_signal.h"
#include "cli/verbs.h"
#include "io/file.h"
#include "math/kernels.h"
#include "translate/translator.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct TrainValues {
    OptionTexts train, guide;
    const char *valid;
    const char *model;
    const char *log;
    const char *watch;
    bool resume;
    TrainOptions options;
} TrainValues;

// The rows of train/options.h as those of the command line.
#define ROW(kind, ...) ROW_##kind(__VA_ARGS__)
#define ROW_HEADING(text) OPTION_HEADING(text),
#define ROW_SIZE(member, flag, value, least, most, initial, resume, ...)                           \
    OPTION_SIZE(TrainValues, options.member, flag, value, least, most, __VA_ARGS__),
#define ROW_REAL(member, flag, value, least, most, initial, resume, ...)                           \
    OPTION_REAL(TrainValues, options.member, flag, value, least, most, __VA_ARGS__),
#define ROW_FLAG(member, flag, resume, ...)                                                        \
    OPTION_FLAG(TrainValues, options.member, flag, __VA_ARGS__),
#define ROW_CHOICE(member, flag, names, initial, resume, ...)                                      \
    OPTION_CHOICE(TrainValues, options.member, flag, names, __VA_ARGS__),
#define ROW_NAME(member, flag, names, initial, resume, ...)                                        \
    OPTION_NAME(TrainValues, options.member, flag, names, __VA_ARGS__),

static const Option options[] = {
    OPTION_HEADING("Files"),
    OPTION_TEXTS(TrainValues, train, "train", "PAIRS",
                 "training pairs: FILE.tsv (source TAB target), SOURCE,TARGET (two files), "
                 "FILE.tmx, any of them gzipped, or - for standard input",
                 .required = true, .input = true),
    OPTION_TEXT(TrainValues, valid, "valid", "PAIRS", "validation pairs", .input = true,
                .otherwise = "2 % of the pairs, at most 1000, set aside"),
    OPTION_TEXTS(TrainValues, guide, "guide", "FILE",
                 "word alignments to guide attention: line n has the links of line n of --train, "
                 "such as 0-0 1?2, plain or gzipped; one for each --train, in the same order",
                 .input = true, .otherwise = "none"),
    OPTION_TEXT(TrainValues, model, "model", "FILE",
                "where to save the model; FILE.checkpoint beside it holds the training state"),
    OPTION_FLAG(TrainValues, resume, "resume", "continue from FILE.checkpoint, bit for bit"),
    OPTION_TEXT(TrainValues, log, "log", "FILE.jsonl", "write a machine-readable log"),
    OPTION_TEXT(TrainValues, watch, "watch", "SENTENCE",
                "at each validation, draw the attention of this sentence's translation"),
    TRAIN_OPTIONS(ROW)};

typedef struct TrainRun {
    TrainValues values;
    TrainReporter reporter;
    TrainingFiles files;
    TrainingData data;
    Bytes checkpoint_path;
    Checkpoint checkpoint; // if resumed
    json_t *description;
    TrainObserver observer;
    Trainer *trainer;
} TrainRun;

/* A guide for each corpus, or none at all. */
static Status resolve_guide(const Arguments *arguments, TrainValues *values, Error *error)
{
    size_t guides = values->guide.count, corpora = values->train.count;
    const char *attention = values->options.attention;
    if (guides && guides != corpora)
        return error_set(error, STATUS_ARGUMENT,
                         "--guide is given for %zu of %zu corpora; give one for each --train, in "
                         "the same order (an empty line is a pair without links)",
                         guides, corpora);
    if (!guides && options_given(arguments, "guide-weight"))
        return error_set(error, STATUS_ARGUMENT,
                         "--guide-weight has no effect without --guide; give both or neither");
    if (guides && !attention_scorer_named(attention)->energies)
        return error_set(error, STATUS_ARGUMENT,
                         "--attention %s has no weights for --guide to train; leave out one of "
                         "them",
                         attention);
    if (!guides) values->options.guide_weight = 0;
    return STATUS_OK;
}

/* Completes values->options. STATUS_ARGUMENT if options contradict each other. */
static Status resolve(const Arguments *arguments, TrainValues *values, Error *error)
{
    Status status = train_options_resolve(&values->options, error);
    return status ? status : resolve_guide(arguments, values, error);
}

static Status contradiction(const char *flag, Error *error)
{
    return error_set(error, STATUS_ARGUMENT,
                     "--%s contradicts the checkpoint; leave it out to continue as before, or "
                     "start over without --resume",
                     flag);
}

/* Whether this command line may resume a run with the options of a checkpoint, `stored`. */
static Status check_resumed(const Arguments *arguments, const TrainOptions *given,
                            const TrainOptions *stored, Error *error)
{
    bool guided = stored->guide_weight > 0, guide = options_given(arguments, "guide");
    if (guided && !guide)
        return error_set(error, STATUS_ARGUMENT,
                         "the checkpoint was trained with --guide; give the same files as before, "
                         "or start over without --resume");
    if (guide && !guided) return contradiction("guide", error);
    for (const TrainOption *option = train_option_table; option->name; option++)
        if (option->on_resume != TRAIN_FREE && options_given(arguments, option->flag) &&
            !train_option_equal(option, given, stored))
            return contradiction(option->flag, error);
    return STATUS_OK;
}

static TrainDecision decide(void *context)
{
    TrainReporter *reporter = context;
    double seconds = clock_seconds() - reporter->began;
    double limit = 60 * reporter->options->max_minutes;
    if (stop_signal_came()) {
        progress_say(&reporter->progress,
                     "stopping: a second signal quits at once, without saving");
        return TRAIN_PAUSE;
    }
    if (reporter->log_status) return TRAIN_PAUSE;
    return limit > 0 && seconds >= limit ? TRAIN_FINISH : TRAIN_CONTINUE;
}

static Status open_log(TrainRun *run, Error *error)
{
    const char *path = run->values.log;
    if (!path) return STATUS_OK;
    run->reporter.log.file = fopen(path, run->values.resume ? "a" : "w");
    if (run->reporter.log.file) return STATUS_OK;
    return error_set(error, STATUS_IO, "%s: cannot be written: %s; name another file with --log",
                     path, strerror(errno));
}

/* Finds out before training, not after it, whether the model can be written. */
static Status try_model_path(const char *path, Error *error)
{
    FileWriter *writer;
    Status status = file_writer_open(&writer, path, error);
    if (!status) file_writer_abandon(writer);
    return status;
}

static Status open_checkpoint(const Arguments *arguments, TrainRun *run, Error *error)
{
    TrainOptions *given = &run->values.options;
    const char *path = run->checkpoint_path.data;
    if (access(path, F_OK))
        return error_set(error, STATUS_IO,
                         "%s: no such checkpoint; check --model, or leave out --resume to start "
                         "over",
                         path);
    run->checkpoint.options = *given;
    Status status = checkpoint_open(&run->checkpoint, path, error);
    if (!status) status = check_resumed(arguments, given, &run->checkpoint.options, error);
    if (!status) *given = run->checkpoint.options;
    return status;
}

/* Finds out before a corpus is read whether such a model can be made, whatever its vocabularies. */
static Status check_sizes(const TrainOptions *given, Error *error)
{
    ModelConfig config =
        train_options_config(given, given->vocabulary_size, given->vocabulary_size, false);
    return config_check(&config, error);
}

/* Everything that can fail before a corpus is read, which may take minutes. */
static Status check(const Arguments *arguments, TrainRun *run, Error *error)
{
    TrainValues *values = &run->values;
    Status status = resolve(arguments, values, error);
    if (!status) status = train_watch_start(&run->reporter.watch, values->watch, stderr, error);
    if (!status) status = checkpoint_path(&run->checkpoint_path, values->model, error);
    if (!status) status = try_model_path(values->model, error);
    if (!status && values->resume) status = open_checkpoint(arguments, run, error);
    if (!status) status = check_sizes(&values->options, error);
    return status ? status : open_log(run, error);
}

static Status read_data(TrainRun *run, Error *error)
{
    const TrainValues *values = &run->values;
    Vocabulary *vocabularies[2] = {NULL, NULL};
    Status status = STATUS_OK;
    run->files = (TrainingFiles){.train = values->train.items,
                                 .guides = values->guide.count ? values->guide.items : NULL,
                                 .count = values->train.count,
                                 .valid = values->valid};
    stop_signal_at_once(true);
    const Checkpoint *checkpoint =
        &run->checkpoint; // with its vocabularies the corpus is read again
    if (values->resume)
        status = translator_read_vocabularies(vocabularies, &checkpoint->config, &checkpoint->texts,
                                              checkpoint->path, error);
    if (!status)
        status = training_data_read(&run->data, &run->files, &values->options, vocabularies[0],
                                    vocabularies[1], error);
    stop_signal_at_once(false);
    if (status) return status;
    run->reporter.watch.data = &run->data;
    run->reporter.log.guided = run->data.guided;
    train_report_data(&run->reporter, &run->data);
    return STATUS_OK;
}

// A new reference, NULL if out of memory.
static json_t *names_to_json(const char *const *names, size_t count)
{
    json_t *json = json_array();
    bool failed = !json;
    for (size_t i = 0; i < count; i++)
        failed |= json_array_append_new(json, json_string(names[i])) != 0;
    if (!failed) return json;
    json_decref(json);
    return NULL;
}

// What the model says of how it was trained, as far as the command line knows; as names_to_json.
static json_t *describe(const TrainRun *run)
{
    const TrainingFiles *files = &run->files;
    const TrainingData *data = &run->data;
    char products[128];
    train_options_products(products, sizeof products, &run->values.options);
    return json_pack("{s:s, s:s, s:s, s:o, s:I, s:o*, s:o*}",             //
                     "program", "regard " REGARD_VERSION,                 //
                     "products", products,                                //
                     "kernels", kernels()->name,                          //
                     "corpus", names_to_json(files->train, files->count), //
                     "pairs", (json_int_t)data->train.count,              //
                     "guide", files->guides ? names_to_json(files->guides, files->count) : NULL,
                     "guided_pairs",
                     data->guided ? json_integer((json_int_t)data->guided_pairs) : NULL);
}

static Status make_trainer(TrainRun *run, Error *error)
{
    run->observer = (TrainObserver){&run->reporter, train_report, decide};
    run->description = describe(run);
    if (!run->description) return error_memory(error, 1, "the model's description");
    const TrainSetup setup = {.data = &run->data,
                              .options = &run->values.options,
                              .observer = &run->observer,
                              .model_path = run->values.model,
                              .description = run->description};
    return trainer_new(&run->trainer, &setup, run->values.resume ? &run->checkpoint : NULL, error);
}

// How the run ended, and what to do next.
static void report_end(TrainRun *run, TrainEnd end)
{
    const TrainCounters *counters = trainer_counters(run->trainer);
    const TrainOptions *limits = &run->values.options;
    Progress *progress = &run->reporter.progress;
    if (end == TRAIN_END_STOPPED)
        progress_say(progress,
                     "stopped at step %zu%s; add --resume to the same command to continue",
                     (size_t)counters->steps, stop_signal_came() ? "" : ": --max-minutes reached");
    else if (end == TRAIN_END_PATIENCE)
        progress_say(progress, "done: %zu validation%s without a better BLEU", limits->patience,
                     limits->patience == 1 ? "" : "s");
    else
        progress_say(progress, "done: %zu epoch%s", limits->max_epochs,
                     limits->max_epochs == 1 ? "" : "s");
    if (counters->skipped)
        progress_say(progress, "%zu of %zu steps were skipped: loss or gradient not finite",
                     (size_t)counters->skipped, (size_t)counters->steps);
    progress_say(progress, "%s has the best model; try:  regard translate --model %s",
                 run->values.model, run->values.model);
}

static Status learn(TrainRun *run, Error *error)
{
    TrainEnd end;
    train_report_model(&run->reporter, trainer_parameters(run->trainer));
    Status status = trainer_run(run->trainer, &end, error);
    if (status) return status;
    if (run->reporter.log_status)
        return error_set(error, run->reporter.log_status,
                         "%s: %s; stopped at step %zu; --resume continues from there",
                         run->values.log, run->reporter.log_error.text,
                         (size_t)trainer_counters(run->trainer)->steps);
    report_end(run, end);
    return STATUS_OK;
}

static Status train(const Arguments *arguments, Output *output, Error *error)
{
    (void)output; // the model is the result; standard output stays empty
    TrainRun run = {.values = *(const TrainValues *)arguments->values};
    run.reporter = (TrainReporter){.progress = progress_start(stderr, 10),
                                   .options = &run.values.options,
                                   .began = clock_seconds()};
    stop_signal_install();
    Status status = check(arguments, &run, error);
    if (!status) status = read_data(&run, error);
    if (!status) status = make_trainer(&run, error);
    if (!status) status = learn(&run, error);
    progress_end(&run.reporter.progress);
    trainer_free(run.trainer);
    json_decref(run.description);
    checkpoint_close(&run.checkpoint);
    training_data_free(&run.data);
    bytes_free(&run.checkpoint_path);
    if (run.reporter.log.file && fclose(run.reporter.log.file) && !status)
        status = error_set(error, STATUS_IO, "%s: cannot be written", run.values.log);
    return status;
}

static const TrainValues defaults = {
    .model = "model.safetensors",
    .options = TRAIN_OPTIONS_DEFAULT,
};

const Verb verb_train = {
    .syntax =
        {
            .verb = "train",
            .summary = "learn a model from a parallel corpus",
            .description =
                "Learns to translate from the first side of the pairs to the second, and keeps the "
                "model whose greedy translations of the validation pairs have the best BLEU; among "
                "equals, the lowest loss wins.\n"
                "Ctrl-C finishes the current step, saves, and tells how to resume; while the "
                "corpus is still being read, it stops at once and nothing is lost.",
            SYNTAX_OPTIONS(options, defaults),
            .examples =
                "Learn from two aligned files, for at most twenty minutes:\n"
                "  regard train --train a.en,a.fr --model en-fr.safetensors --max-minutes 20\n"
                "Learn from several files, and validate on one of your own:\n"
                "  regard train --train news.tsv.gz --train memory.tmx --valid valid.tsv\n"
                "Guide the attention by word alignments, line by line beside the corpus:\n"
                "  regard train --train pairs.tsv --guide pairs.align\n"
                "Continue after Ctrl-C:\n"
                "  regard train --train pairs.tsv --resume\n",
        },
    .run = train,
};
