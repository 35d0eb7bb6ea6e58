// The sizes of a model, as they are given to `regard train`.
#ifndef REGARD_CLI_TRAIN_SIZES_H
#define REGARD_CLI_TRAIN_SIZES_H

#include "cli/train/values.h"

/* Finds out before a corpus is read whether such a model can be made, whatever its vocabularies. */
Status sizes_check(const TrainOptions *given, Error *error);

/* Refuses sizes that this attention does not use. A resumed run has the checkpoint's attention, and
 * options that differ from the checkpoint's are refused there. */
Status sizes_check_used(const Arguments *arguments, const TrainValues *values, Error *error);

#endif
