// What a run saves: the model, and the checkpoint beside it.
#ifndef REGARD_TRAIN_SAVE_H
#define REGARD_TRAIN_SAVE_H

#include "train/trainer.h"

/* Saves a model with its vocabularies and, under "training", the setup's description, options and
 * progress, the units that alignments count, the tokens that BLEU counts, and the validation score
 * unless that is NULL. No time of day and no duration: equal runs give equal files. */
Status save_model(const TrainSetup *setup, const Seq2SeqParams *params,
                  const TrainCounters *counters, const ValidationScore *score, Error *error);

// Saves the state to the path that checkpoint_path makes of the model's.
Status save_checkpoint(const TrainSetup *setup, const ModelConfig *config,
                       const CheckpointBlocks *blocks, const TrainCounters *counters, Error *error);

#endif
