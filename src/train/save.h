/* What a run saves: the model, the checkpoint beside it and, when training has ended, what the model
 * gets last. Where the disk is full, saving waits for space. */
#pragma once

#include "train/optimiser.h"
#include "train/trainer.h"
#include "train/validation.h"

/* Saves a model with its vocabularies and, under "training", the setup's description, options and
 * progress, the units that alignments count, the tokens that BLEU counts, and the validation score
 * unless that is NULL. No time of day and no duration: equal runs give equal files. */
Status save_model(const TrainSetup *setup, const Seq2SeqParams *params,
                  const TrainCounters *counters, const ValidationScore *score, Error *error);

/* Saves the model of a validation that was counted beside the best one, in the next of options->keep
 * files in turn; none are kept if that is 0. */
Status save_kept_model(const TrainSetup *setup, const Seq2SeqParams *params,
                       const TrainCounters *counters, const ValidationScore *score, Error *error);

// Saves the state to the path that checkpoint_path makes of the model's.
Status save_checkpoint(const TrainSetup *setup, const ModelConfig *config,
                       const CheckpointBlocks *blocks, const TrainCounters *counters, Error *error);

/* The state of a run that a checkpoint holds whole, while each rank has but its slice of the running
 * average and of Adam's moments (train/cluster/slices.h). */
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

/* Gives the model of a run that has ended a shortlist learned from the corpus, unless it has one already
 * or its attention weights are constant, and the corpus' aligner, if there is one and the model has
 * none. Nothing else in the file changes. Called by all ranks, of which rank 0 does it, within seconds;
 * `params`, of the model's config, become those that the file has. */
Status save_additions(const TrainSetup *setup, const TrainCounters *counters, Seq2SeqParams *params,
                      Threads *threads, Error *error);

// The wait for space for one file. Start with the setup and the counters alone.
typedef struct DiskWait {
    const TrainSetup *setup;
    const TrainCounters *counters;
    double began; // clock_seconds at the first failure; 0 before it
} DiskWait;

/* Whether to try again after a save that ended with this status and message: waits a second if it
 * is STATUS_FULL, --disk-wait is not over and the observer wants to go on. It is told once.
 *
 *     do
 *         status = save(…, error);
 *     while (disk_wait_again(&wait, status, error)); */
bool disk_wait_again(DiskWait *wait, Status status, const Error *error);
