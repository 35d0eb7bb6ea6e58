/* The log of a training (docs/formats.md), as it is drawn: its header, the numbers of its rows, and what
 * was watched. */
#pragma once

#include "io/json.h"

// What is drawn of a row.
typedef enum RunMeasure {
    RUN_LOSS,
    RUN_VALIDATION_LOSS,
    RUN_BLEU,
    RUN_LEARNING_RATE,
    RUN_SPEED,      // target tokens a second
    RUN_OTHER_BLEU, // of the validation sets that do not decide, one after another
    RUN_MEASURES = RUN_OTHER_BLEU + 8,
} RunMeasure;

typedef struct RunPoint {
    double step, minutes;        // of training, without validation and saving
    double values[RUN_MEASURES]; // NaN: the row does not have it
} RunPoint;

// Start from {0}, end with run_log_free.
typedef struct RunLog {
    const char *path; // not owned
    json_t *header;
    json_t *
        command; // what the header says, with all options, but for what runs of one command differ in
    RunPoint *points; // (count)
    size_t count, capacity;
    json_t *pictures; // the rows with "watched" or "translations"; what is in them may be anything
} RunLog;

/* Reads a log. A last line that is cut off, of a run that goes on, is passed over. STATUS_FORMAT, with the
 * line, if it is not the log of a training. */
Status run_log_read(RunLog *log, const char *path, Error *error);

void run_log_free(RunLog *log);
