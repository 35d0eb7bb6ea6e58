#define _POSIX_C_SOURCE 200809L
// regard train: learns a model from a parallel corpus.

#include "base/clock.h"
#include "cli/model_options.h"
#include "cli/train/report.h"
#include "cli/train/train.h"
#include "cli/verbs.h"
#include "linalg/backend/backend.h"
#include "translate/confidence_learning.h"
#include "translate/translator.h"

#include <sys/stat.h>
#include <unistd.h>

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

static const Option options[] = {
    OPTION_HEADING("Files"),
    OPTION_TEXTS(TrainValues, train, "train", "PAIRS",
                 "training pairs: FILE.tsv (source TAB target), FILE.csv, SOURCE,TARGET (two "
                 "files), FILE.tmx, any of them compressed, or - for standard input",
                 .required = true, .unless = "resume", .input = true),
    OPTION_TEXTS(TrainValues, valid, "valid", "PAIRS",
                 "validation pairs; of several files the first decides which model is the best and "
                 "when to stop, and the others' scores are told beside its",
                 .input = true, .otherwise = "2 % of the pairs, at most 1000, set aside"),
    OPTION_TEXT(TrainValues, init, "init", "MODEL",
                "begin with this model's weights, vocabulary and sizes, and train it further; "
                "corpus, rates and limits are new",
                .model = true, .otherwise = "weights drawn by --seed"),
    OPTION_TEXT(TrainValues, mix, "mix", "PAIRS:W",
                "mix other pairs into each epoch, W for each pair of --train, drawn in turn, so "
                "that a model taught further does not forget: old.tsv:0.5",
                .otherwise = "none"),
    OPTION_TEXT(TrainValues, cache, "cache", "FOLDER",
                "keep the corpus in files in this folder, for one that is larger than memory; they "
                "have no names and are gone when the run ends",
                .otherwise = "in memory"),
    COLUMNS_OPTION(TrainValues, 0),
    OPTION_TEXT(TrainValues, pairs.languages[0], "source-language", "L",
                "the source's language, such as en or en-US, which the model notes; of TMX files, "
                "what is taken of them",
                .otherwise = "the file's own"),
    OPTION_TEXT(TrainValues, pairs.languages[1], "target-language", "L",
                "the target's language, likewise", .otherwise = "the file's first other"),
    OPTION_FLAG(TrainValues, check, "check",
                "only read the files, list bad lines and whatever looks wrong, and stop"),
    OPTION_FLAG(TrainValues, pairs.skip_bad, "skip-bad",
                "pass over lines that cannot be read, instead of stopping at the first"),
    OPTION_TEXTS(TrainValues, guide, "guide", "FILE|auto|none",
                 "word alignments to guide attention. auto: those that the aligner of regard align "
                 "learns from the training pairs. FILE: line n has the links of line n of --train, "
                 "such as 0-0 1?2, plain or gzipped; one for each --train, in the same order",
                 .input = true, .otherwise = "auto; none with --cache or --attention none"),
    OPTION_TEXT(TrainValues, model, "model", "FILE",
                "where to save the model; FILE.checkpoint beside it holds the training state"),
    OPTION_FLAG(TrainValues, resume, "resume",
                "continue from FILE.checkpoint, bit for bit; it has all other options, and only "
                "limits, --threads and names of files may differ"),
    OPTION_FLAG(TrainValues, overwrite, "overwrite",
                "replace a model, its checkpoint and a log that exist"),
    OPTION_TEXT(TrainValues, log, "log", "FILE.jsonl",
                "write a machine-readable log; - is standard output"),
    OPTION_TEXT(TrainValues, report, "report", "FILE.html",
                "draw the run as a page, anew at each validation, of its log, which is "
                "FILE.html.jsonl unless --log names it (regard report)"),
    OPTION_TEXT(TrainValues, watch, "watch", "SENTENCE",
                "at each validation, draw the attention of this sentence's translation"),
    TRAIN_OPTIONS(ROW)};

typedef struct TrainRun {
    const Verb *verb;
    TrainRank rank;
    TrainValues values;
    TrainReporter reporter;
    TrainingFiles files;
    Bytes mix;  // the name of its file
    Bytes log;  // the name, if it follows from that of the report
    Model init; // open if there is one and the run is new
    TrainingData data;
    RunFiles written;
    Checkpoint checkpoint; // if resumed
    json_t *description, *command;
    TrainObserver observer;
    Trainer *trainer;
} TrainRun;

static Status check_pair_options(const TrainRun *run, Error *error)
{
    const TrainValues *values = &run->values;
    const char *corpora[2 * MAX_OPTION_TEXTS + 1];
    size_t count = values->train.count, valid = values->valid.count;
    memcpy(corpora, values->train.items, count * sizeof *corpora);
    memcpy(corpora + count, values->valid.items, valid * sizeof *corpora);
    count += valid;
    if (run->files.mix) corpora[count++] = run->files.mix;
    return pair_options_check(&values->pairs, corpora, count, error);
}

static TrainDecision decide(void *context)
{
    TrainReporter *reporter = context;
    double seconds = clock_seconds() - reporter->began;
    double limit = 60 * reporter->options->max_minutes;
    if (stop_signal_came()) {
        progress_say(&reporter->progress,
                     "stopping; press Ctrl-C again to quit at once without saving");
        return TRAIN_PAUSE;
    }
    if (reporter->log_status) return TRAIN_PAUSE;
    return limit > 0 && seconds >= limit ? TRAIN_FINISH : TRAIN_CONTINUE;
}

// Opens the checkpoint and takes from it what the command does not say.
static Status open_checkpoint(const Arguments *arguments, TrainRun *run, Error *error)
{
    const size_t *threads = &run->values.options.threads,
                 *before = &run->checkpoint.options.threads;
    const char *path = run->written.checkpoint.data;
    if (access(path, F_OK))
        return error_set(error, STATUS_IO,
                         "%s: no such checkpoint; check --model, or leave out --resume to start "
                         "over",
                         path);
    TRY(checkpoint_open(&run->checkpoint, path, error));
    TRY(command_resume(arguments, &run->values, &run->checkpoint, error));
    rank_choose_threads(&run->rank, &run->values, options_given(arguments, "threads"));
    if (*threads != *before)
        progress_say(
            &run->reporter.progress,
            "warning: --threads was %zu and is now %zu: the run goes on, but not bit for bit",
            *before, *threads);
    if (run->checkpoint.counters.validations && access(run->values.model, F_OK))
        progress_say(
            &run->reporter.progress,
            "warning: %s is missing; it is written again from %s, and later ones replace it "
            "if they are better",
            run->values.model, path);
    return STATUS_OK;
}

// The files that are read and written, once all names are known.
static Status name_files(TrainRun *run, Error *error)
{
    const TrainValues *values = &run->values;
    const GuideKind guide = guide_kind(&values->guide);
    double weight = 0;
    if (values->mix) TRY(mix_parse(&run->mix, &weight, values->mix, error));
    if (values->valid.count > MAX_VALIDATION_SETS)
        return error_set(error, STATUS_ARGUMENT, "--valid is given %zu times; at most %d are told",
                         values->valid.count, MAX_VALIDATION_SETS);
    run->files = (TrainingFiles){.readers = &training_file_readers,
                                 .train = values->train.items,
                                 .guides = guide == GUIDE_FILES ? values->guide.items : NULL,
                                 .align = guide == GUIDE_AUTO && !values->check,
                                 .count = values->train.count,
                                 .valid = values->valid.items,
                                 .valid_count = values->valid.count,
                                 .mix = run->mix.data,
                                 .mix_weight = weight,
                                 .cache = values->cache,
                                 .init = values->init,
                                 .observer = {&run->reporter.corpus, corpus_report_look},
                                 .ranks = &run->rank.ranks,
                                 .options = values->pairs};
    run->written.keep = values->options.keep;
    run->written.report = values->report;
    run->written.log = values->log;
    if (!values->report || values->log) return STATUS_OK;
    TRY(bytes_append_format(&run->log, error, "%s.jsonl", values->report));
    run->written.log = run->log.data;
    return STATUS_OK;
}

/* Everything that can fail before a corpus is read, which may take minutes. */
static Status check(const Arguments *arguments, TrainRun *run, Error *error)
{
    TrainValues *values = &run->values;
    if (!values->resume) command_take_preset(arguments, values);
    if (values->check && values->resume)
        return error_set(error, STATUS_ARGUMENT, "--check and --resume conflict; give only one");
    if (!values->check) TRY(run_files_lock(&run->written, error));
    if (values->resume)
        TRY(open_checkpoint(arguments, run, error));
    else
        rank_choose_threads(&run->rank, values, options_given(arguments, "threads"));
    if (ranks_rank(&run->rank.ranks) > 0) values->log = values->watch = values->report = NULL;
    if (ranks_count(&run->rank.ranks) > 1 && options_standard_input(arguments->verb, values))
        return error_set(error, STATUS_ARGUMENT,
                         "standard input does not reach all ranks; name a file that all can read");
    if (values->init && !values->resume)
        TRY(sizes_of_init(&run->init, arguments, values, &run->reporter.progress, error));
    if (!values->resume) guide_default(values);
    TRY(name_files(run, error));
    TRY(sizes_check_used(arguments, values, error));
    TRY(train_options_resolve(&values->options, error));
    TRY(backends_start(rank_own_threads(&run->rank, &values->options), error));
    TRY(guide_choose(&values->guide, values->train.count, arguments, &values->options, error));
    TRY(check_pair_options(run, error));
    TRY(train_watch_start(&run->reporter.watch, values->watch, stderr, error));
    if (!values->resume) TRY(sizes_check(&values->options, error));
    rank_check_processors(&run->rank, &values->options, &run->reporter.progress);
    if (values->check) return STATUS_OK;
    TRY(run_files_claim(&run->written, error));
    run->reporter.first_step = run->checkpoint.counters.steps;
    TRY(run_files_open_log(&run->written, run->checkpoint.counters.steps, error));
    run->reporter.log.file = run->written.log_file;
    run->reporter.log_name = run->written.log;
    run->reporter.page = run->written.report;
    return STATUS_OK;
}

static Status read_data(TrainRun *run, Error *error)
{
    TrainValues *values = &run->values;
    Vocabulary *vocabularies[2] = {NULL, NULL};
    Status status = STATUS_OK;
    run->files.options.skip_bad |= values->check;
    if (ranks_rank(&run->rank.ranks) == 0)
        stop_signal_at_once(values->check ? "" : file_lock_path(run->written.lock));
    const Checkpoint *checkpoint =
        &run->checkpoint; // with its vocabularies the corpus is read again
    if (values->resume)
        status = translator_read_vocabularies(vocabularies, &checkpoint->config, &checkpoint->texts,
                                              checkpoint->path, error);
    else if (values->init)
        status = translator_read_vocabularies(vocabularies, &run->init.params.config,
                                              &run->init.texts, values->init, error);
    if (!status)
        status = training_data_read(&run->data, &run->files, &values->options, vocabularies[0],
                                    vocabularies[1], error);
    stop_signal_at_once(NULL);
    if (status == STATUS_IO && values->resume) {
        const Error inner = *error;
        return error_set(error, status,
                         "%s; if it has moved, give its new name by --train, --valid, --mix or "
                         "--guide beside --resume",
                         inner.text);
    }
    if (status) return status;
    run->reporter.watch.data = &run->data;
    run->reporter.log.guided = run->data.guide != GUIDE_NONE;
    train_report_data(&run->reporter, &run->data);
    return STATUS_OK;
}

// All ranks at once: the first thing that it does is to ask rank 0.
static Status make_trainer(TrainRun *run, Error *error)
{
    run->observer = (TrainObserver){&run->reporter, train_report, decide};
    const TrainSetup setup = {.data = &run->data,
                              .options = &run->values.options,
                              .observer = &run->observer,
                              .model_path = run->values.model,
                              .init = run->init.file ? &run->init : NULL,
                              .description = run->description,
                              .command = run->command,
                              .ranks = &run->rank.ranks};
    TRY(trainer_new(&run->trainer, &setup, run->values.resume ? &run->checkpoint : NULL, error));
    model_close(&run->init); // the trainer has copied it
    return STATUS_OK;
}

// What a run leaves: a checkpoint that is larger than the model and, after --init, what was forgotten.
static Status report_remains(TrainRun *run, Error *error)
{
    Progress *progress = &run->reporter.progress;
    const char *checkpoint = run->written.checkpoint.data, *init = run->values.init;
    struct stat info;
    if (init && ranks_rank(&run->rank.ranks) == 0)
        TRY(everyday_report(progress, init, run->values.model, run->values.mix,
                            rank_own_threads(&run->rank, &run->values.options), error));
    if (!run->written.elsewhere && !stat(checkpoint, &info))
        progress_say(progress, "%s (%.0f MB) is for --resume alone and may be removed", checkpoint,
                     (double)info.st_size / 1e6);
    return STATUS_OK;
}

// What a run comes to that could save its state.
static Status ending(TrainRun *run, TrainEnd end, bool signal_came, Error *error)
{
    size_t steps = trainer_counters(run->trainer)->steps;
    if (run->reporter.log_status)
        return error_set(error, run->reporter.log_status,
                         "%s: %s; stopped at step %zu; --resume continues from there",
                         run->written.log, run->reporter.log_error.text, steps);
    if (end == TRAIN_END_STOPPED && signal_came)
        return error_set(error, STATUS_INTERRUPTED,
                         "stopped at step %zu; to continue:  %s train --model %s --resume", steps,
                         terminal_program(), run->values.model);
    if (end != TRAIN_END_STOPPED) TRY(report_remains(run, error));
    train_report_end(&run->reporter, trainer_counters(run->trainer), end, run->values.model);
    return STATUS_OK;
}

static Status learn(TrainRun *run, Error *error)
{
    TrainEnd end;
    Ranks *ranks = &run->rank.ranks;
    train_report_model(&run->reporter, param_list_values(&trainer_params(run->trainer)->list),
                       ranks_count(ranks));
    if (run->values.resume)
        description_compare(&run->reporter.progress, run->checkpoint.texts.training,
                            run->description);
    TRY(run_files_begin_log(&run->written, &run->reporter.log,
                            description_of_log(run->description, &run->files, &run->data,
                                               &run->values.options, run->values.model),
                            error));
    TRY(run_files_retire(&run->written, error));
    Status status = trainer_run(run->trainer, &end, error);
    (void)train_log_flush(&run->reporter.log,
                          NULL); // a resumed run does not report these rows again
    TRY(status);
    if (ranks_rank(ranks) == 0)
        status = confidence_learn(run->values.model, &run->data.valid[0].text,
                                  rank_own_threads(&run->rank, &run->values.options), NULL, error);
    TRY(ranks_agree(ranks, status, error));
    bool signal_came = ranks_max(ranks, stop_signal_came()) > 0; // to any rank
    size_t steps = trainer_counters(run->trainer)->steps - run->reporter.first_step;
    if (ranks_count(ranks) > 1 && steps > 0)
        progress_say(&run->reporter.progress, "rank 0 sent %.3f million bytes a step to the others",
                     (double)ranks->sent / 1e6 / (double)steps);
    return ranks_agree(ranks, ending(run, end, signal_came, error), error);
}

static Status check_and_learn(const Arguments *arguments, TrainRun *run, Error *error)
{
    Ranks *ranks = &run->rank.ranks;
    TRY(ranks_agree(ranks, check(arguments, run, error), error));
    TRY(rank_compare_options(&run->rank, &run->values.options, run->files.align, error));
    TRY(ranks_agree(ranks, read_data(run, error), error));
    size_t bad = run->data.figures.bad;
    if (run->values.check && bad)
        return error_set(error, STATUS_FORMAT,
                         "%zu bad line%s; correct or remove %s, or train with --skip-bad", bad,
                         plural(bad), bad == 1 ? "it" : "them");
    if (run->values.check) return STATUS_OK;
    const ModelTexts *before = run->values.resume ? &run->checkpoint.texts : &run->init.texts;
    Status described = description_of_run(&run->description, &run->files, &run->data,
                                          &run->values.options, before->training, error);
    if (!described) described = command_to_json(&run->command, run->verb, &run->values, error);
    TRY(ranks_agree(ranks, described, error));
    TRY(ranks_agree(ranks, make_trainer(run, error), error));
    TRY(rank_compare_states(&run->rank, run->trainer, error));
    return learn(run, error);
}

static Status train(const Arguments *arguments, Output *output, Error *error)
{
    (void)output; // the model is the result; standard output stays empty
    TrainRun run = {.verb = arguments->verb, .values = *(const TrainValues *)arguments->values};
    run.reporter = (TrainReporter){.progress = progress_start(stderr, 10),
                                   .options = &run.values.options,
                                   .began = clock_seconds()};
    stop_signal_install();
    Status status = rank_start(&run.rank, &run.values, &run.reporter.progress, error);
    bool leads = ranks_rank(&run.rank.ranks) == 0;
    run.written = (RunFiles){.model = run.values.model,
                             .read = &run.files,
                             .resume = run.values.resume,
                             .overwrite = run.values.overwrite,
                             .elsewhere = !leads};
    if (!status && (leads || !run.values.check)) status = check_and_learn(arguments, &run, error);
    progress_end(&run.reporter.progress);
    trainer_free(run.trainer);
    json_decref(run.description);
    json_decref(run.command);
    checkpoint_close(&run.checkpoint);
    model_close(&run.init);
    bytes_free(&run.mix);
    training_data_free(&run.data);
    corpus_report_free(&run.reporter.corpus);
    train_log_free(&run.reporter.log);
    Status closed = run_files_close(&run.written, status ? NULL : error);
    bytes_free(&run.log);
    return rank_end(&run.rank, status ? status : closed, error);
}

static const TrainValues defaults = {
    .model = "model.safetensors",
    .options = TRAIN_OPTIONS_DEFAULT,
};

const Verb verb_train = {
    .name = "train",
    .summary = "learn a model from a parallel corpus",
    .description =
        "Learns to translate the first side of each pair into the second, and keeps the model "
        "whose greedy translations of the validation pairs have the best BLEU; ties go to the "
        "lowest loss.\n"
        "Ctrl-C finishes the current step, saves, tells you how to resume and ends with status 3; "
        "while the corpus is still being read, it stops at once and nothing is lost.",
    VERB_OPTIONS(options, defaults),
    .examples = "Learn from two aligned files, for at most twenty minutes:\n"
                "  regard train --train a.en,a.fr --model en-fr.safetensors --max-minutes 20\n"
                "Learn from several files, and validate on one of your own:\n"
                "  regard train --train news.tsv.gz --train memory.tmx --valid valid.tsv\n"
                "Guide the attention by word alignments, line by line beside the corpus:\n"
                "  regard train --train pairs.tsv --guide pairs.align\n"
                "Teach a model your own pairs, and mix in old ones against forgetting:\n"
                "  regard train --init old.safetensors --train mine.tsv --mix old.tsv:0.5\n"
                "Learn from a corpus that is larger than memory:\n"
                "  regard train --train web.tsv.zst --cache /var/tmp\n"
                "Look at files before training on them:\n"
                "  regard train --train pairs.csv --columns 2,3 --check\n"
                "Continue after Ctrl-C:\n"
                "  regard train --model model.safetensors --resume\n",
    .run = train,
};
