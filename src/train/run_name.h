/* What tells runs apart: a hash of what a run reads, the corpus and the model it begins with, and of
 * the options that it keeps. Two runs of one
 * name compute the same (with another number of threads, up to rounding), so a model and a checkpoint belong together if their names are equal. */
#ifndef REGARD_TRAIN_RUN_NAME_H
#define REGARD_TRAIN_RUN_NAME_H

#include "train/options.h"

#include <stdint.h>

enum { RUN_NAME_SIZE = 17 }; // 16 digits and a NUL

Status run_name(char name[RUN_NAME_SIZE], const TrainOptions *options, uint64_t read_hash,
                Error *error);

#endif
