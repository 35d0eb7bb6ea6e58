// Whether a run can go on from a checkpoint.
#ifndef REGARD_TRAIN_RESUME_H
#define REGARD_TRAIN_RESUME_H

#include "train/trainer.h"

#include <stdbool.h>

/* Compares an open checkpoint with the corpus, the model's config and the model file beside it.
 * STATUS_ARGUMENT if it is from a different corpus, or if the model is not of the same run; a
 * model of that run saved after the checkpoint is one that the run will save again. *lost: there is
 * no model, though the run had saved one. */
Status resume_check(const Checkpoint *checkpoint, const TrainSetup *setup,
                    const ModelConfig *config, bool *lost, Error *error);

#endif
