/* What `regard train` reports: on standard error for a person, in the log for programs. */
#pragma once

#include "cli/terminal.h"
#include "corpus/corpus_check.h"
#include "train/log.h"
#include "translate/alignment.h"

/* `regard train --watch SENTENCE`: the sentence's current translation and its attention, drawn anew
 * at each validation. */
typedef struct TrainWatch {
    const char *sentence; // NULL: nothing is watched
    FILE *stream;         // not owned
    bool in_place;        // a new picture takes the place of the one before
    size_t standing;      // lines of the picture right above the cursor; 0 if there is none
    const TrainingData *data;
} TrainWatch;

/* Watches a sentence, or nothing if it is NULL; pictures go to `stream`, in place if that is a
 * terminal. STATUS_ARGUMENT if the sentence has no text. */
Status train_watch_start(TrainWatch *watch, const char *sentence, FILE *stream, Error *error);

// Erases the picture, so that the next line takes its place. The cursor must be in column 1.
void train_watch_erase(TrainWatch *watch);

/* Translates the sentence greedily by the parameters of a TRAIN_VALIDATED report, and draws the
 * translation's heat-map. */
Status train_watch_draw(TrainWatch *watch, const TrainReport *report, Error *error);

// Validation sentences whose translations a log keeps, each with its target; a new reference.
json_t *train_film_samples(const TrainingData *data);

/* Makes what the log's row of a TRAIN_VALIDATED report has of the watched sentence's alignment and the
 * samples' translations: a new reference. */
Status train_film_make(json_t **film, const TrainWatch *watch, const TrainReport *report,
                       Error *error);

// Draws runs as a page (render/run_report.h), of their logs: at most MAX_RUNS.
Status report_page_save(const char *path, const char *const *logs, size_t count, Error *error);

// What is to be told of the texts that are read.
typedef struct CorpusReport {
    Bytes notes;             // what was taken of all files (pair_reader_describe), line by line
    Bytes bad_lines;         // the messages of those passed over (pair_reader_bad)
    Bytes samples;           // a few training pairs: source, NUL, target, NUL
    CorpusSymptoms symptoms; // of the training pairs
} CorpusReport;

// For CorpusObserver.look; the context is a CorpusReport. Freed by corpus_report_free.
Status corpus_report_look(void *context, const TextCorpus *text, bool training, Error *error);

void corpus_report_free(CorpusReport *report);

typedef struct TrainReporter {
    Progress progress;
    CorpusReport corpus;
    TrainWatch watch;
    TrainLog log;
    const char *log_name, *page; // of the log, and of the page that is drawn of it; NULL: none
    Status log_status;           // the first failure to write the log, which stops the run
    Error log_error;
    const TrainOptions *options;
    double began; // clock_seconds at the program's start
    // running means over the last steps
    double loss, guide_loss;
    double speed; // target tokens a second
    double step_seconds;
    size_t skipped;
    size_t first_step; // at which a resumed run began
} TrainReporter;

// For TrainObserver.report; the context is a TrainReporter.
void train_report(void *context, const TrainReport *report);

// What was taken and passed over of the files, three pairs, and what looks wrong with all.
void train_report_files(TrainReporter *reporter, const TrainingData *data);

// The corpus and the vocabularies, in a few lines.
void train_report_data(TrainReporter *reporter, const TrainingData *data);

// The size of the model, and what computes it: so many ranks.
void train_report_model(TrainReporter *reporter, size_t parameters, size_t ranks);

// How a run ended that is not to be told as an error, and how to go on or use the model.
void train_report_end(TrainReporter *reporter, const TrainCounters *counters, TrainEnd end,
                      const char *model);
