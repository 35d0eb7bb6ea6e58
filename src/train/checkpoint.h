/* The latest state of a training run, from which it continues bit for bit: parameters, their running average, Adam's
 * moments and the counters. No random state is needed: what is drawn is a function of seed, epoch and step. */
#ifndef REGARD_TRAIN_CHECKPOINT_H
#define REGARD_TRAIN_CHECKPOINT_H

#include "base/bytes.h"
#include "model/model_file.h"
#include "train/options.h"

#include <stdint.h>

// Where a run stands. Everything is a function of corpus, options and steps; nothing depends on the clock.
typedef struct TrainCounters {
    uint64_t epoch;   // being run, from 0
    uint64_t batch;   // the next of it
    uint64_t steps;   // batches seen, skipped ones too: keys dropout
    uint64_t updates; // made by Adam
    uint64_t skipped; // steps with a loss or gradient that was not finite
    uint64_t validations;
    uint64_t stale; // validations since the last that was better (validate_average)
    uint64_t best_step;
    double best_bleu;   // −1 before the first validation
    double best_loss;   // of the best model
    double lowest_loss; // of all validations
    double loss_sum;    // since the epoch began
    double loss_tokens;
} TrainCounters;

// What is saved beside the counters; blocks are (params->list.block_size).
typedef struct CheckpointBlocks {
    real *values;
    real *average;
    real *first;
    real *second;
} CheckpointBlocks;

// path.checkpoint; the caller frees `out`.
Status checkpoint_path(Bytes *out, const char *model_path, Error *error);

Status checkpoint_save(const char *path, const ModelConfig *config, const ParamList *list,
                       const ModelTexts *texts, const CheckpointBlocks *blocks,
                       const TrainOptions *options, const TrainCounters *counters,
                       uint64_t corpus_hash, Error *error);

// An open checkpoint: everything but the blocks, which wait for memory.
typedef struct Checkpoint {
    SafetensorsFile *file; // owned; the texts lie in it
    ModelConfig config;
    ModelTexts texts;
    TrainOptions options;
    TrainCounters counters;
    uint64_t corpus_hash;
} Checkpoint;

/* Opens and checks a checkpoint. The stopping rules of checkpoint->options are not in the file and stay as they are. */
Status checkpoint_open(Checkpoint *checkpoint, const char *path, Error *error);

Status checkpoint_read_blocks(const Checkpoint *checkpoint, const char *path, const ParamList *list,
                              const CheckpointBlocks *blocks, Error *error);

void checkpoint_close(Checkpoint *checkpoint);

#endif
