// `regard train --init MODEL`: training that begins with a model.
#ifndef REGARD_CLI_TRAIN_INIT_H
#define REGARD_CLI_TRAIN_INIT_H

#include "cli/terminal.h"
#include "cli/train/values.h"
#include "model/model_file.h"

/* Opens values->init and takes its sizes; says so if it is quantised. STATUS_ARGUMENT if an option is
 * given that contradicts them. Closed by model_close, in any case. */
Status init_open(Model *model, const Arguments *arguments, TrainValues *values, Progress *progress,
                 Error *error);

#endif
