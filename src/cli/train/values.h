// The values of `regard train`'s options.
#ifndef REGARD_CLI_TRAIN_VALUES_H
#define REGARD_CLI_TRAIN_VALUES_H

#include "cli/args/options.h"
#include "corpus/pair_reader.h"
#include "train/options.h"

typedef struct TrainValues {
    OptionTexts train, guide;
    const char *valid;
    const char *init; // a model to begin with
    const char *mix;  // PAIRS:W
    const char *cache;
    PairOptions pairs;
    const char *model;
    const char *log;
    const char *watch;
    bool check; // only
    bool resume;
    bool overwrite;
    TrainOptions options;
} TrainValues;

#endif
