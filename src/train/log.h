/* The training log: JSON lines for programs to read, described in docs/formats.md. A header says what
 * is trained and how; then come rows, at least one per LOG_STEPS steps and one at each validation. */
#pragma once

#include "train/trainer.h"

#include <stdio.h>

enum { LOG_STEPS = 50, LOG_UNWRITTEN = 4 };

// A row: sums over the steps since the last one, and a validation if this is one's.
typedef struct LogRow {
    size_t epoch, step, skipped;
    double loss_sum, guide_sum, target_tokens, seconds;
    double learning_rate;
    size_t steps;
    bool validated;
    ValidationScore validation[MAX_VALIDATION_SETS];
    size_t validation_sets;
    json_t *film; // what else the row has of a validation: an object, owned; NULL: nothing
} LogRow;

// Start from {0}, end with train_log_free.
typedef struct TrainLog {
    FILE *file;                      // not owned, unbuffered; NULL for none
    bool guided;                     // the run has a guide
    LogRow row;                      // of the steps since the last row
    LogRow unwritten[LOG_UNWRITTEN]; // rows that are due, in order
    size_t unwritten_count;
} TrainLog;

/* Writes an object, such as the header, as a line, and releases it. On failure (STATUS_IO, STATUS_MEMORY)
 * a regular file has no part of it. */
Status train_log_write(const TrainLog *log, json_t *object, Error *error);

/* Adds a report to the sums, and writes a row if one is due. A row that could not be written (STATUS_IO,
 * STATUS_MEMORY) leaves no part of itself in a regular file and is kept: the run should stop. */
Status train_log_add(TrainLog *log, const TrainReport *report, Error *error);

/* Writes the rows that were kept, before the run ends: it is resumed behind their steps and will not
 * report them again. */
Status train_log_flush(TrainLog *log, Error *error);

// Forgets what could not be written.
void train_log_free(TrainLog *log);
