/* What `regard train` reports: on standard error for a person, in the log for programs. */
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
    double began; // clock_seconds at the program's start
    // running means over the last steps
    double loss, guide_loss;
    double speed; // target tokens a second
    double step_seconds;
    size_t skipped;
} TrainReporter;

// For TrainObserver.report; the context is a TrainReporter.
void train_report(void *context, const TrainReport *report);

// The corpus and the vocabularies, in a few lines.
void train_report_data(TrainReporter *reporter, const TrainingData *data);

// The size of the model, and what computes it.
void train_report_model(TrainReporter *reporter, size_t parameters);

#endif
