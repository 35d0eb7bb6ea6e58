/* `regard train --watch SENTENCE`: how the sentence is translated now, and which source word each word looks
 * at, drawn anew at each validation: attention being learned. */
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
    size_t standing;      // lines of the picture right above the cursor, 0 if there is none
    const TrainingData *data;
} TrainWatch;

/* Watches a sentence of the command line, or nothing if it is NULL; pictures go to `stream`, in place if that is
 * a terminal. A sentence without any text is STATUS_ARGUMENT. */
Status train_watch_start(TrainWatch *watch, const char *sentence, FILE *stream, Error *error);

// Takes the picture away; whatever is then said stands where it began. The cursor is at a line's beginning.
void train_watch_erase(TrainWatch *watch);

/* Translates the sentence greedily by the parameters that a TRAIN_VALIDATED report tells of, and draws the
 * translation's heat-map. */
Status train_watch_draw(TrainWatch *watch, const TrainReport *report, Error *error);

#endif
