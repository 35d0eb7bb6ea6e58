// What a model says of how it was trained.
#ifndef REGARD_CLI_TRAIN_DESCRIPTION_H
#define REGARD_CLI_TRAIN_DESCRIPTION_H

#include "cli/terminal.h"
#include "train/data.h"

/* What the command line knows: the program, its products, the names of the files without their
 * folders, the pairs. A new reference, NULL if out of memory. */
json_t *train_describe(const TrainingFiles *files, const TrainingData *data,
                       const TrainOptions *options);

/* Warns where a run goes on with other products or kernels than those in `training`, its
 * checkpoint's text: the same bits are promised only where the same code multiplies. */
void train_compare_products(Progress *progress, const char *training, const json_t *description);

#endif
