/* What the flags of `regard train` mean together: what contradicts, and what a resumed run may still be told. */
#ifndef REGARD_CLI_TRAIN_SETTLE_H
#define REGARD_CLI_TRAIN_SETTLE_H

#include "cli/args/options.h"
#include "cli/precision.h"
#include "train/options.h"

typedef struct TrainValues {
    OptionTexts train, guide;
    double guide_weight;
    const char *valid;
    const char *model;
    const char *log;
    const char *watch;
    bool resume;
    bool joint, separate, self_attention, untied, deduplicate;
    Precision precision;
    unsigned attention; // its place in attention_scorer_names
    TrainOptions options;
} TrainValues;

/* Completes values->options by what stands outside them. STATUS_ARGUMENT for flags that contradict each other, and for standard
 * input given twice. */
Status train_settle_flags(const Arguments *arguments, TrainValues *values, Error *error);

/* A resumed run takes its options from the checkpoint, `stored`, and only the stopping rules from `given`, which becomes what
 * they make together; a flag that says otherwise is STATUS_ARGUMENT. */
Status train_settle_resumed(const Arguments *arguments, TrainOptions *given,
                            const TrainOptions *stored, Error *error);

#endif
