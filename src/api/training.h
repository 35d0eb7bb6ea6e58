/* A training as regard_train makes it, but a step at a time: for a page, which does something else in
 * between (browser/learning.h). */
#pragma once

#include "api/parts.h"
#include "io/json.h"

typedef struct TrainingRun TrainingRun;

/* The path and the texts of `training` must outlive the run, the pairs need not. Freed by
 * training_run_free. */
Status training_run_new(TrainingRun **run, const char *path, const RegardText *const sides[2],
                        size_t count, const RegardTraining *training, Error *error);

// The next step; when *more is false, the model has been saved, with all that it gets last.
Status training_run_step(TrainingRun *run, bool *more, Error *error);

/* What the model makes of the sentence that is watched, so far: watched_json (translate/watched.h) and its
 * "text"; a new reference. */
Status training_run_watch(json_t **json, const TrainingRun *run, Error *error);

void training_run_free(TrainingRun *run); // NULL is allowed
FREES_POINTER(TrainingRun, training_run_free)
