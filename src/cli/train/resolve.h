/* What the options of `regard train` mean together. */
#ifndef REGARD_CLI_TRAIN_RESOLVE_H
#define REGARD_CLI_TRAIN_RESOLVE_H

#include "cli/args/options.h"
#include "train/options.h"

typedef struct TrainValues {
    OptionTexts train, guide;
    const char *valid;
    const char *model;
    const char *log;
    const char *watch;
    bool resume;
    TrainOptions options;
} TrainValues;

/* Completes values->options. STATUS_ARGUMENT if options contradict each other or read standard
 * input twice. */
Status train_resolve(const Arguments *arguments, TrainValues *values, Error *error);

/* Whether this command line may resume a run with the options of a checkpoint, `stored`;
 * STATUS_ARGUMENT names the flag that contradicts them. */
Status train_check_resumed(const Arguments *arguments, const TrainOptions *given,
                           const TrainOptions *stored, Error *error);

#endif
