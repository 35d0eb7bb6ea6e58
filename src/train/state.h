/* The state of a run that a checkpoint holds whole, while each rank has but its slice of the running
 * average and of Adam's moments (slices.h). */
#ifndef REGARD_TRAIN_STATE_H
#define REGARD_TRAIN_STATE_H

#include "train/checkpoint.h"
#include "train/optimiser.h"
#include "train/trainer.h"

typedef struct TrainingState {
    Seq2SeqParams *params, *average;
    Optimiser *optimiser;
} TrainingState;

/* Brings the state together on rank 0, which saves it beside the model. Called by all ranks, which all
 * return what became of it. */
Status state_save(const TrainSetup *setup, const TrainingState *state,
                  const TrainCounters *counters, Error *error);

// Reads the blocks of an open checkpoint; each rank reads all and keeps its slices.
Status state_read(const TrainingState *state, const Checkpoint *checkpoint, Error *error);

#endif
