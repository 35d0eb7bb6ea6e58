/* What `regard train` says while it works: on standard error for a person, in the log for programs. */
#ifndef REGARD_CLI_TRAIN_REPORT_H
#define REGARD_CLI_TRAIN_REPORT_H

#include "cli/progress.h"
#include "cli/train/watch.h"
#include "train/log.h"

typedef struct TrainReporter {
    Progress progress;
    TrainWatch watch;
    TrainLog log;
    Status log_status; // the first failure to write the log, which stops the run
    Error log_error;
    const TrainOptions *options;
    double began;        // clock_seconds of the program's start
    double loss;         // of the last steps, smoothed
    double guide_loss;   // likewise
    double speed;        // target tokens a second, smoothed
    double step_seconds; // of a step, smoothed
    size_t skipped;
} TrainReporter;

// For TrainObserver.report; the context is a TrainReporter.
void train_report(void *context, const TrainReport *report);

// What was read, learned and made: a few lines before training starts.
void train_report_data(TrainReporter *reporter, const TrainingData *data);

// What will learn, and what with.
void train_report_model(TrainReporter *reporter, size_t parameters);

#endif
