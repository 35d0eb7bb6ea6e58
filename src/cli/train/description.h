/* What a model file says of how it was trained, as far as the command line knows it. */
#ifndef REGARD_CLI_TRAIN_DESCRIPTION_H
#define REGARD_CLI_TRAIN_DESCRIPTION_H

#include "train/data.h"

/* The files' names, the program and what it computes with, as a JSON object for trainer_new; freed by free(). NULL if out of
 * memory. */
char *train_description(const TrainingFiles *files, const TrainingData *data,
                        const TrainOptions *options);

#endif
