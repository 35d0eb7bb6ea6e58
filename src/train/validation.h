/* How good a model is on pairs it does not learn from: the loss per token, and the BLEU of its
 * greedy translations. */
#pragma once

#include "base/threads.h"
#include "train/checkpoint.h"
#include "train/cluster/ranks.h"
#include "train/data.h"

typedef struct ValidationScore {
    double loss; // per target token, with the training's label smoothing
    double bleu; // of detokenised text, cased
} ValidationScore;

typedef struct Validation {
    const TrainingData *data;
    const ValidationSet *set; // of the data
    const Seq2SeqParams *params;
    double label_smoothing;
    size_t batch_tokens; // of each thread's batches of the loss
    Threads *threads;
    Ranks *ranks; // which divide the pairs; NULL: alone
} Validation;

/* Scores parameters on a set; all ranks get the same score, whatever their number. Products
 * are those that the parameters are packed for: a model scored in bf16 may translate a few
 * sentences differently from `regard evaluate --beam 1` in float32. */
Status validate(ValidationScore *score, const Validation *validation, Error *error);

/* Whether a score is the run's best so far; counts it, and whether it was an improvement, if it is to
 * be counted. Among equal BLEU the lower loss decides: on a small corpus BLEU stays 0 for a while
 * though the model learns. */
bool validation_is_best(TrainCounters *counters, const ValidationScore *score, bool counted);
