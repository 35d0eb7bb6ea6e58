/* How a model was trained, as the JSON that its file carries under "training". */
#ifndef REGARD_TRAIN_TRAINING_TEXT_H
#define REGARD_TRAIN_TRAINING_TEXT_H

#include "train/checkpoint.h"
#include "train/data.h"
#include "train/validation.h"

/* `description`, a JSON object of the caller's, with the options, the counters, the units that alignments count, the tokens
 * that BLEU counts and, if there is one, the validation's score added. No time of day and no duration: equal runs give equal
 * files. NULL if out of memory; freed by free(). */
char *training_text(const char *description, const TrainingData *data, const TrainOptions *options,
                    const TrainCounters *counters, const ValidationScore *score);

#endif
