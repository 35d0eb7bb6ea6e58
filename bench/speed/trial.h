/* Training as src/train/trainer does it, step by step, by one backend, without validation and checkpoints: the gradient of a
 * batch, its sum over the shards, clipping, Adam and the running average. Each trial has parameters and threads of its own. */
#ifndef REGARD_BENCH_SPEED_TRIAL_H
#define REGARD_BENCH_SPEED_TRIAL_H

#include "bench/speed/backends.h"
#include "corpus/batch_plan.h"
#include "train/gradient.h"
#include "train/optimiser.h"
#include "train/options.h"

typedef struct Trial {
    const Backend *backend;
    const ModelConfig *config;
    const TrainOptions *options;
    Seq2SeqParams params, average;
    Threads *threads;
    GradientTeam *team;
    Optimiser optimiser;
    Phases *phases; // (threads) where the time has gone since trial_clear
    BatchPairs pairs;
    uint64_t steps;
} Trial;

/* With first parameters drawn from options->seed. `config` and `options` must outlive it. Freed by trial_free, also if this
 * fails. */
Status trial_new(Trial *trial, const Backend *backend, const ModelConfig *config,
                 const TrainOptions *options, size_t threads, Error *error);

void trial_free(Trial *trial);

// What a step found.
typedef struct TrialStep {
    double loss; // per target token
    double norm; // of the gradient
    double target_tokens;
} TrialStep;

// One batch of a plan. STATUS_FORMAT if loss or gradient are not finite.
Status trial_step(Trial *trial, const BatchPlan *plan, size_t batch, const TokenCorpus *corpus,
                  TrialStep *step, Error *error);

/* The first `batches` of a plan, again and again in this order: seconds that they took, and their target tokens. */
typedef struct TrialTime {
    double seconds, target_tokens;
} TrialTime;
Status trial_pass(Trial *trial, const BatchPlan *plan, size_t batches, const TokenCorpus *corpus,
                  TrialTime *time, Error *error);

// Forgets where the time went.
void trial_clear(Trial *trial);

#endif
