/* What the parts of `regard train` share: the values of its options, what must be known before a
 * corpus is read, the files that a run writes, and this process as one of several. */
#pragma once

#include "cli/args/options.h"
#include "cli/terminal.h"
#include "io/file_lock.h"
#include "train/checkpoint.h"
#include "train/data.h"
#include "train/log.h"
#include "train/options.h"
#include "train/trainer.h"

#include <stdio.h>

typedef struct TrainValues {
    OptionTexts train, valid, guide;
    const char *init; // a model to begin with
    const char *mix;  // PAIRS:W
    const char *cache;
    PairOptions pairs;
    const char *model;
    const char *log;
    const char *report;
    const char *watch;
    bool check; // only
    bool resume;
    bool overwrite;
    TrainOptions options;
} TrainValues;

/* What a new run has unless --guide is given: auto, with which models align better, and translate
 * better on most corpora (docs/notes/alignment.md); none where attention has no weights, by some
 * presets, or where the corpus may not fit into memory, which the aligner learns in. */
void guide_default(TrainValues *values);

GuideKind guide_kind(const OptionTexts *given);

/* Refuses what does not go together with what was given, for a training on so many corpora, and sets
 * the weights that follow from it, unless a run is resumed, which has them. */
Status guide_choose(const OptionTexts *given, size_t corpora, const Arguments *arguments,
                    TrainOptions *options, Error *error);

/* Parts `--mix PAIRS:W` at its last colon; the caller frees `pairs`. STATUS_ARGUMENT unless W is a
 * number in range. Each epoch has W times as many of these pairs as of those of --train, so that a
 * model that is taught further does not forget. */
Status mix_parse(Bytes *pairs, double *weight, const char *given, Error *error);

// Whether two of them have the same weight, as far as it is written alike.
bool mix_same_weight(const char *a, const char *b);

/* Opens values->init and takes its sizes; says so if it is quantised. STATUS_ARGUMENT if an option is
 * given that contradicts them. Closed by model_close, in any case. */
Status sizes_of_init(Model *model, const Arguments *arguments, TrainValues *values,
                     Progress *progress, Error *error);

// Finds out before a corpus is read whether such a model can be made, whatever its vocabularies.
Status sizes_check(const TrainOptions *given, Error *error);

/* Refuses sizes that this attention does not use. A resumed run has the checkpoint's attention, and
 * options that differ from the checkpoint's are refused there. */
Status sizes_check_used(const Arguments *arguments, const TrainValues *values, Error *error);

/* Sets those of the training options that a new command does not give to what follows from its
 * --preset. */
void command_take_preset(const Arguments *arguments, TrainValues *values);

/* The command of a run, kept by its checkpoint, so that `regard train --resume` alone goes on: what
 * the checkpoint does not keep as TrainOptions and differs from the defaults, as the words of a
 * command line, ["--train=pairs.tsv", "--max-epochs=20"], with the names of files as they were
 * given, which a model does not hold. A new reference; NULL if a name is not UTF-8, which JSON
 * cannot hold. */
Status command_to_json(json_t **words, const Verb *verb, const TrainValues *values, Error *error);

/* Sets those of the values that `arguments`, a command that resumes a run, does not give to what they
 * are in the open checkpoint, which owns their texts. STATUS_ARGUMENT if it gives another value to an
 * option that cannot change. */
Status command_resume(const Arguments *arguments, TrainValues *values, const Checkpoint *checkpoint,
                      Error *error);

/* What a model says of how it was trained, as far as the command line knows: the program, its
 * products, the names of the files without their folders, the pairs; with --init, the origin that the
 * description `before` tells of, which is that model's, or the checkpoint's. A new reference;
 * STATUS_MEMORY. */
Status description_of_run(json_t **description, const TrainingFiles *files,
                          const TrainingData *data, const TrainOptions *options, const char *before,
                          Error *error);

/* The header of a run's log: its description, the names of the model and of the validation pairs, and
 * all options. A new reference, NULL if out of memory. */
json_t *description_of_log(const json_t *description, const TrainingFiles *files,
                           const TrainingData *data, const TrainOptions *options,
                           const char *model);

/* Warns where a run goes on with other products or kernels than those in `training`, its
 * checkpoint's text: the same bits are promised only where the same code multiplies. */
void description_compare(Progress *progress, const char *training, const json_t *description);

/* The files that a run writes: a model, the checkpoint beside it, perhaps a log. They are claimed
 * before the corpus is read: nothing that exists is replaced without being asked to, no other run
 * writes them, and what cannot be written is found out. */
typedef struct RunFiles {
    const char *model;
    const char *log;    // NULL for none; "-" for standard output
    const char *report; // NULL for none
    const TrainingFiles *read;
    size_t keep; // of TrainOptions
    bool resume;
    bool overwrite;
    bool elsewhere;   // another rank writes them
    Bytes checkpoint; // its path
    FILE *log_file;   // NULL for none
    bool log_begun;   // has rows of the run that is resumed
    FileLock *lock;
} RunFiles;

/* Takes the lock of the model's name. Given the members `model` to `elsewhere`;
 * run_files_close in any case. */
Status run_files_lock(RunFiles *files, Error *error);

/* Refuses what exists, what is read and one name for two files (STATUS_ARGUMENT), and tries whether
 * model and checkpoint can be written. */
Status run_files_claim(const RunFiles *files, Error *error);

/* Opens the log: a new one, or that of a run that is resumed at `steps`, whose later rows go, as the
 * run will write them again. */
Status run_files_open_log(RunFiles *files, size_t steps, Error *error);

/* Writes the log's header and releases it, unless there is no log or one that goes on. NULL stands for
 * a header that there was no memory for. */
Status run_files_begin_log(const RunFiles *files, const TrainLog *log, json_t *header,
                           Error *error);

// Removes the checkpoint of the run before, if this one does not continue it.
Status run_files_retire(const RunFiles *files, Error *error);

// STATUS_IO if the log could not be written to its end.
Status run_files_close(RunFiles *files, Error *error);

/* This process as one of several ranks (train/cluster/ranks.h): rank 0 alone prints and writes, the others
 * are silent. */
typedef struct TrainRank {
    Ranks ranks;
    size_t processors; // that every rank may use at least
} TrainRank;

/* Joins the ranks, and compares their programs. `progress` becomes that of this rank.
 * Where only files are to be looked at, rank 0 is left alone, and the others have nothing to do. */
Status rank_start(TrainRank *rank, TrainValues *values, Progress *progress, Error *error);

/* Sets options.threads to those of all ranks. Each has `--threads` if that was given; else as many
 * as every rank may use, or a share of those of the run that is resumed. */
void rank_choose_threads(const TrainRank *rank, TrainValues *values, bool given);

// The threads of each rank.
size_t rank_own_threads(const TrainRank *rank, const TrainOptions *options);

// Warns where mpirun lets a rank use fewer processors than it has threads.
void rank_check_processors(const TrainRank *rank, const TrainOptions *options, Progress *progress);

// Whether all ranks have the same options, and whether the aligner is to learn a guide.
Status rank_compare_options(TrainRank *rank, const TrainOptions *options, bool aligns,
                            Error *error);

// Whether all ranks begin at the same step with the same parameters.
Status rank_compare_states(TrainRank *rank, const Trainer *trainer, Error *error);

/* Ends a rank with what came of its run, and returns that for rank 0, which tells it. A failure
 * that the others do not know of ends them all, after a message that names the rank. */
Status rank_end(TrainRank *rank, Status status, Error *error);

/* Says what a model that began as `init` has forgotten of the everyday text beside that, and what to
 * do against it; of a model without such text, that it may have. */
Status everyday_report(Progress *progress, const char *init, const char *model, bool mixes,
                       size_t threads, Error *error);

/* Ctrl-C (SIGINT), SIGTERM, SIGHUP, which comes when a connection is lost, and SIGUSR1, which
 * mpirun passes on to all ranks, during training: a request to stop after the current step. A
 * second signal of the same kind ends the program as if there were no handler; one that was ignored
 * when the program started stays ignored. From this call on signals are requests, so that no
 * half-written file is left behind. */
void stop_signal_install(void);

/* Until it is called with NULL, a signal removes this file ("": none) and ends the program with a
 * message and the exit status of a signal: for long work during which there is nothing to save. The
 * call itself answers an earlier request. */
void stop_signal_at_once(const char *removed);

// Whether a signal has come.
bool stop_signal_came(void);
