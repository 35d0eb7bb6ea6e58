/* Training runs on a corpus that a tiny model learns in seconds: the target is the source's words
 * backwards. Any failure fails the test. */
#pragma once

#include "support/scratch.h"
#include "train/trainer.h"

// What a run is watched by: it counts, and stops the run when told.
typedef struct Watch {
    size_t steps, skipped, validated;
    size_t stop_at; // the step after which to stop; 0 for never
    char bad_tensor[64];
    double best_bleu, last_loss;
} Watch;

typedef struct Trial {
    TrainingData data;
    TrainOptions options; // may be changed before each run
    Watch watch;
    TrainObserver observer;
    json_t *description;
} Trial;

/* Draws a corpus of `pairs` sentences of 1 to `max_words` words and reads it; sets options for a
 * tiny model and two threads. The trial must stay where it is. */
void trial_begin(Trial *trial, size_t pairs, size_t max_words);

void trial_end(Trial *trial);

TrainSetup trial_setup(const Trial *trial, const char *path);

// A new run, and one that continues from the checkpoint at the path. Freed by trainer_free.
Trainer *trial_new(Trial *trial, const char *path);
Trainer *trial_resume(Trial *trial, const char *path);

TrainEnd trial_run(Trainer *trainer);

// A model that can be opened stands at the path; returns its "training", to be freed.
json_t *trial_expect_model(const char *path);
