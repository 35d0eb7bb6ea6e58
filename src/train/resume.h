// Whether a run can go on from a checkpoint.
#ifndef REGARD_TRAIN_RESUME_H
#define REGARD_TRAIN_RESUME_H

#include "train/trainer.h"

#include <stdbool.h>

/* Whether there is no model, as rank 0 sees it, which writes it. Asked by all ranks before one of
 * them may fail. */
bool resume_model_is_missing(const TrainSetup *setup);

/* Compares an open checkpoint with the corpus, the model's config and the model file beside it.
 * STATUS_ARGUMENT if it is from a different corpus, or if the model is not of the same run; a
 * model of that run saved after the checkpoint is one that the run will save again. A missing one
 * is no failure. */
Status resume_check(const Checkpoint *checkpoint, const TrainSetup *setup,
                    const ModelConfig *config, bool missing, Error *error);

#endif
