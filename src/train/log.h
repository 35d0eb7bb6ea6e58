/* The training log: JSON lines for programs to read, at least one per LOG_STEPS steps and one at
 * each validation. Only guided runs have "guide_loss". */
#ifndef REGARD_TRAIN_LOG_H
#define REGARD_TRAIN_LOG_H

#include "train/trainer.h"

#include <stdio.h>

enum { LOG_STEPS = 50 };

// Sums since the last row. Start from {0}.
typedef struct TrainLog {
    FILE *file;  // not owned; NULL for none
    bool guided; // the run has a guide
    double loss_sum, guide_sum, target_tokens, seconds;
    double learning_rate;
    size_t steps;
} TrainLog;

// Adds a report to the sums, and writes a row if one is due. STATUS_IO if that fails.
Status train_log_add(TrainLog *log, const TrainReport *report, Error *error);

#endif
