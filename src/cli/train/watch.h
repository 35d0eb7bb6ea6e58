/* `regard train --watch SENTENCE`: the sentence's current translation and its attention, drawn anew
 * at each validation. */
#ifndef REGARD_CLI_TRAIN_WATCH_H
#define REGARD_CLI_TRAIN_WATCH_H

#include "render/heatmap.h"
#include "train/trainer.h"
#include "translate/alignment.h"

#include <stdio.h>

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

#endif
