/* Training as src/train/trainer does it, step by step, by one backend, without validation and
 * checkpoints: the gradient of a batch, its sum over the shards, clipping, Adam and the running
 * average. Each stepper has parameters and threads of its own. */
#pragma once

#include "corpus/batch_plan.h"
#include "train/gradient.h"
#include "train/optimiser.h"
#include "train/options.h"

typedef struct Stepper {
    const Backend *backend;
    const ModelConfig *config;
    const TrainOptions *options;
    Seq2SeqParams params, average;
    Threads *threads;
    GradientTeam *team;
    Optimiser optimiser;
    BatchPairs pairs;
    uint64_t steps;
} Stepper;

/* With first parameters drawn from options->seed. `config` and `options` must outlive it. Freed by
 * stepper_free, also if this fails. */
Status stepper_new(Stepper *stepper, const Backend *backend, const ModelConfig *config,
                   const TrainOptions *options, size_t threads, Error *error);

void stepper_free(Stepper *stepper);

// What a step found.
typedef struct StepResult {
    double loss; // per target token
    double norm; // of the gradient
    double target_tokens;
} StepResult;

// One batch of a plan. STATUS_FORMAT if loss or gradient are not finite.
Status stepper_step(Stepper *stepper, const BatchPlan *plan, size_t batch,
                    const TokenCorpus *corpus, StepResult *step, Error *error);

/* The first `batches` of a plan, again and again in this order: seconds that they took, and their
 * target tokens. */
typedef struct PassTime {
    double seconds, target_tokens;
} PassTime;
Status stepper_pass(Stepper *stepper, const BatchPlan *plan, size_t batches,
                    const TokenCorpus *corpus, PassTime *time, Error *error);
