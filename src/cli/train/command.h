/* The command of a run, kept by its checkpoint, so that `regard train --resume` alone goes on. It
 * holds the names of files as they were given, which a model does not. */
#ifndef REGARD_CLI_TRAIN_COMMAND_H
#define REGARD_CLI_TRAIN_COMMAND_H

#include "cli/train/values.h"
#include "train/checkpoint.h"

/* What the checkpoint does not keep as TrainOptions and differs from the defaults, as the words of a
 * command line: ["--train=pairs.tsv", "--max-epochs=20"]. A new reference; NULL if a name is not
 * UTF-8, which JSON cannot hold. */
Status command_to_json(json_t **words, const Syntax *syntax, const TrainValues *values,
                       Error *error);

/* Sets those of the values that `arguments`, a command that resumes a run, does not give to what they
 * are in the open checkpoint, which owns their texts. STATUS_ARGUMENT if it gives another value to an
 * option that cannot change. */
Status command_resume(const Arguments *arguments, TrainValues *values, const Checkpoint *checkpoint,
                      Error *error);

#endif
