/* The latest state of a training run, from which it continues bit for bit: parameters, their
 * running average, Adam's moments and the counters. It needs no state of random numbers: what is
 * drawn is a function of seed, epoch and step. */
#pragma once

#include "base/bytes.h"
#include "model/model_file.h"
#include "train/options.h"

// The progress of a run: a function of corpus, options and steps, never of the clock.
typedef struct TrainCounters {
    size_t epoch;   // the current one, from 0
    size_t batch;   // its next batch
    size_t steps;   // batches seen, including skipped ones: keys dropout
    size_t updates; // by Adam
    size_t skipped; // steps whose loss or gradient was not finite
    size_t validations;
    size_t stale; // validations since the last improvement
    size_t best_step;
    double best_bleu;   // −1 before the first validation
    double best_loss;   // of the best model
    double lowest_loss; // of all validations
    double loss_sum;    // of this epoch
    double loss_tokens; // target tokens in it
} TrainCounters;

// What a checkpoint says beside its blocks. When it is open, texts point into the file.
typedef struct Checkpoint {
    const char *path;      // as it was opened; not owned
    SafetensorsFile *file; // NULL unless it was opened
    ModelConfig config;
    ModelTexts texts;
    TrainOptions options; // all but the free ones, which stay what they are
    TrainCounters counters;
    uint64_t corpus_hash, init_hash; // of TrainingData and TrainSetup
    // of an open one owned
    json_t *files;   // of TrainingData (data_files_to_json); NULL: not known
    json_t *command; // of TrainSetup
} Checkpoint;

// Its blocks (list->block_size): the parameters, their average, and Adam's moments m and v.
enum { CHECKPOINT_BLOCKS = 4 };
typedef struct CheckpointBlocks {
    const ParamList *list;
    real *values[CHECKPOINT_BLOCKS];
} CheckpointBlocks;

enum { RUN_NAME_SIZE = 17 }; // 16 digits and a NUL

/* What tells runs apart: a hash of the options that a run fixes and of what it reads, the corpus and the
 * model that it begins with. Two runs of one name compute the same (with another number of threads,
 * up to rounding), so a model and a checkpoint belong together if their names are equal. */
Status run_name(char name[RUN_NAME_SIZE], const TrainOptions *options, uint64_t read_hash,
                Error *error);

// model_path + ".checkpoint"; the caller frees `out`.
static inline Status checkpoint_path(Bytes *out, const char *model_path, Error *error)
{
    bytes_clear(out);
    return bytes_append_format(out, error, "%s.checkpoint", model_path);
}

// The same with ".kept-" and a number, from 1: what `train --keep` keeps.
static inline Status kept_path(Bytes *out, const char *model_path, size_t number, Error *error)
{
    bytes_clear(out);
    return bytes_append_format(out, error, "%s.kept-%zu", model_path, number);
}

Status checkpoint_save(const char *path, const Checkpoint *checkpoint,
                       const CheckpointBlocks *blocks, Error *error);

/* Opens a file and checks everything but the blocks, for which there is no memory yet. On failure
 * there is nothing to close. */
Status checkpoint_open(Checkpoint *checkpoint, const char *path, Error *error);

Status checkpoint_read_blocks(const Checkpoint *checkpoint, const CheckpointBlocks *blocks,
                              Error *error);

void checkpoint_close(Checkpoint *checkpoint);
