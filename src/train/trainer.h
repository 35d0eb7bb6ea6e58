/* The training loop: epochs over batches, validation after each epoch, the best model kept, a
 * checkpoint from which to continue. It prints nothing: a TrainObserver receives reports and
 * decides when to stop. */
#pragma once

#include "train/checkpoint.h"
#include "train/cluster/ranks.h"
#include "train/data.h"
#include "train/validation.h"

typedef enum TrainEvent {
    TRAIN_STEP,
    TRAIN_SKIPPED, // a step without an update: its loss or gradient was not finite
    TRAIN_VALIDATED,
    TRAIN_WAITING, // a file could not be saved: there is no space left for it
} TrainEvent;

typedef struct TrainReport {
    TrainEvent event;
    const TrainCounters *counters;
    size_t batches; // in this epoch
    // of a step, done or skipped
    double loss;          // of the words, per target token
    double guide_loss;    // of the alignment, per target token, without its weight
    double target_tokens; // of the batch
    double seconds;
    double learning_rate;
    const char *reason;     // TRAIN_WAITING: what failed
    const char *bad_tensor; // TRAIN_SKIPPED: the first not finite ("the loss" if all were)
    // TRAIN_VALIDATED
    ValidationScore validation[MAX_VALIDATION_SETS]; // of each set
    size_t validation_sets;
    bool is_best;                 // and was saved
    const Seq2SeqParams *average; // the parameters validated
} TrainReport;

typedef enum TrainDecision {
    TRAIN_CONTINUE,
    TRAIN_PAUSE,  // stop, to be resumed: what is saved is what an uncut run would have saved
    TRAIN_FINISH, // stop for good: the model as it is now is saved too, if it is the best
} TrainDecision;

typedef struct TrainObserver {
    void *context;
    void (*report)(void *context, const TrainReport *report); // on every rank
    TrainDecision (*decide)(
        void *context); // called after each step and each epoch; what one rank wants most, all do
} TrainObserver;

// What a run is made of; everything but `init` must outlive the trainer.
typedef struct TrainSetup {
    const TrainingData *data;
    const TrainOptions *options;
    const TrainObserver *observer;
    const char *model_path;
    const Model *init;   // what the parameters begin with, of their config; NULL: drawn by the seed
    json_t *description; // an object that the model's "training" begins with; NULL: an empty one
    json_t *command;     // what checkpoints keep for the program that resumes them; NULL: nothing
    bool without_checkpoint; // nothing is kept to go on from: TRAIN_PAUSE is STATUS_INTERRUPTED
    Ranks *ranks;            // that train together; NULL: alone
    uint64_t init_hash;      // set by the trainer: of `init`, also when the run is resumed; 0: none
} TrainSetup;

// Why a run ended.
typedef enum TrainEnd {
    TRAIN_END_EPOCHS,   // max_epochs are done
    TRAIN_END_PATIENCE, // no better BLEU for `patience` validations
    TRAIN_END_STOPPED,  // the observer decided so
} TrainEnd;

typedef struct Trainer Trainer;

/* Continues the run of an open checkpoint, or begins one if that is NULL. STATUS_ARGUMENT if the
 * checkpoint was made with other data. Freed by trainer_free. */
Status trainer_new(Trainer **trainer, const TrainSetup *setup, const Checkpoint *checkpoint,
                   Error *error);

/* Runs until something ends it, on all ranks alike; rank 0 alone saves. However it ends, the
 * checkpoint holds the state from which to continue, and a model has been saved that was validated
 * at least once; it gets its shortlist last (train/shortlist_learning.h). */
Status trainer_run(Trainer *trainer, TrainEnd *end, Error *error);

/* The same a step at a time, for who has no thread for it: makes the next one, and validates and saves
 * where that is due. *more is false when the run has ended; after a failure it cannot go on. */
Status trainer_step(Trainer *trainer, bool *more, TrainEnd *end, Error *error);

const TrainCounters *trainer_counters(const Trainer *trainer);
const Seq2SeqParams *trainer_params(const Trainer *trainer);

// The running average as it is now, packed for products until the next step; called by all ranks.
const Seq2SeqParams *trainer_average(const Trainer *trainer);

void trainer_free(Trainer *trainer); // NULL is allowed
FREES_POINTER(Trainer, trainer_free)
