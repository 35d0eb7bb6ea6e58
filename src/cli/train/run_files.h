/* The files that a run writes: a model, the checkpoint beside it, perhaps a log. They are claimed
 * before the corpus is read: nothing that exists is replaced without being asked to, no other run
 * writes them, and what cannot be written is found out. */
#ifndef REGARD_CLI_TRAIN_RUN_FILES_H
#define REGARD_CLI_TRAIN_RUN_FILES_H

#include "base/bytes.h"
#include "io/file_lock.h"
#include "train/data.h"
#include "train/log.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct RunFiles {
    const char *model;
    const char *log; // NULL for none; "-" for standard output
    const TrainingFiles *read;
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

#endif
