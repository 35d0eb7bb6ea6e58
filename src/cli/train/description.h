// What a model says of how it was trained.
#ifndef REGARD_CLI_TRAIN_DESCRIPTION_H
#define REGARD_CLI_TRAIN_DESCRIPTION_H

#include "cli/terminal.h"
#include "train/data.h"

/* What the command line knows: the program, its products, the names of the files without their
 * folders, the pairs. A new reference, NULL if out of memory. */
json_t *train_describe(const TrainingFiles *files, const TrainingData *data,
                       const TrainOptions *options);

/* The header of a run's log: its description, the names of the model and of the validation pairs, and
 * all options. A new reference, NULL if out of memory. */
json_t *train_log_header(const json_t *description, const TrainingFiles *files,
                         const TrainingData *data, const TrainOptions *options, const char *model);

/* Warns where a run goes on with other products or kernels than those in `training`, its
 * checkpoint's text: the same bits are promised only where the same code multiplies. */
void train_compare_products(Progress *progress, const char *training, const json_t *description);

#endif
