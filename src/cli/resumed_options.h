/* What regard train --resume goes on with. */
#ifndef REGARD_CLI_RESUMED_OPTIONS_H
#define REGARD_CLI_RESUMED_OPTIONS_H

#include "cli/options.h"
#include "train/options.h"

/* Sets `given` to the checkpoint's options, but for the stopping rules, which stay; a flag among the
 * arguments that contradicts the checkpoint is STATUS_ARGUMENT. */
Status resumed_options(const Arguments *arguments, TrainOptions *given, const TrainOptions *stored,
                       Error *error);

#endif
