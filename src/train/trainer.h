/* The training loop: epochs over batches, validation after each epoch, the best model kept, a checkpoint to go on from.
 * It prints nothing: a TrainObserver is told what happens and asked whether to stop. */
#ifndef REGARD_TRAIN_TRAINER_H
#define REGARD_TRAIN_TRAINER_H

#include "train/checkpoint.h"
#include "train/data.h"
#include "train/validation.h"

typedef enum TrainEvent {
    TRAIN_STEP,      // a step was made
    TRAIN_SKIPPED,   // a step was passed over: its loss or gradient was not finite
    TRAIN_VALIDATED, // the model was validated
} TrainEvent;

// What an observer is told. Sums run since the last event of kind TRAIN_STEP or TRAIN_SKIPPED.
typedef struct TrainReport {
    TrainEvent event;
    const TrainCounters *counters;
    size_t batches;       // in this epoch
    double loss;          // TRAIN_STEP: of the batch's words, per target token
    double guide_loss;    // TRAIN_STEP: of its alignment, per target token, without its weight
    double target_tokens; // TRAIN_STEP: of the batch
    double seconds;       // TRAIN_STEP: that the step took
    double learning_rate;
    const char *bad_tensor;     // TRAIN_SKIPPED: the first that was not finite ("the loss" if none)
    ValidationScore validation; // TRAIN_VALIDATED
    bool is_best;               // TRAIN_VALIDATED: and was saved
    const ModelConfig *config;  // TRAIN_VALIDATED: of average
    const Seq2SeqParams *average; // TRAIN_VALIDATED: the parameters that were
} TrainReport;

// What an observer wants, asked after each step.
typedef enum TrainWish {
    TRAIN_GO_ON,
    TRAIN_PAUSE,  // stop, to be resumed: what is saved is what an uncut run would have saved
    TRAIN_FINISH, // stop for good: the model as it is now is saved too, if it is the best
} TrainWish;

typedef struct TrainObserver {
    void *context;
    void (*report)(void *context, const TrainReport *report);
    TrainWish (*wish)(void *context);
} TrainObserver;

// Why a run ended.
typedef enum TrainEnd {
    TRAIN_END_EPOCHS,   // max_epochs are done
    TRAIN_END_PATIENCE, // no better BLEU for `patience` validations
    TRAIN_END_STOPPED,  // the observer wished it
} TrainEnd;

typedef struct Trainer Trainer;

/* A new run: draws the parameters. `data`, `options` and `model_path` must outlive the trainer; `description` is JSON text that
 * is copied into the model's "training" beside how it went. Freed by trainer_free. */
Status trainer_new(Trainer **trainer, const TrainingData *data, const TrainOptions *options,
                   const char *model_path, const char *description, const TrainObserver *observer,
                   Error *error);

/* Continues a run from an open checkpoint, whose corpus hash must be the data's (checked). */
Status trainer_resume(Trainer **trainer, const Checkpoint *checkpoint, const TrainingData *data,
                      const TrainOptions *options, const char *model_path, const char *description,
                      const TrainObserver *observer, Error *error);

/* Runs until something ends it. However it ends, the checkpoint holds the state from which it continues, and a model has
 * been saved that was validated at least once; it gets its shortlist last (train/shortlist_learning.h). */
Status trainer_run(Trainer *trainer, TrainEnd *end, Error *error);

const ModelConfig *trainer_config(const Trainer *trainer);
const TrainCounters *trainer_counters(const Trainer *trainer);
size_t trainer_parameters(const Trainer *trainer); // values in all tensors

void trainer_free(Trainer *trainer); // NULL is allowed

#endif
