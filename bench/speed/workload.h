/* What a stepper goes over: batches of a corpus, or of drawn sentences, and the model and options
 * that go with them. */
#pragma once

#include "bench/speed/settings.h"
#include "corpus/batch_plan.h"
#include "train/data.h"

typedef struct Workload {
    TrainOptions options;
    ModelConfig config;
    TrainingData data;         // of a corpus
    TokenCorpus drawn;         // or of drawn or joined sentences
    const TokenCorpus *corpus; // one of both
    BatchPlan plan;
    size_t batches;       // of the plan that are gone over
    double target_tokens; // of those
    double source_tokens;
    double operations; // of those, forward and backward (operations.h)
} Workload;

// Start from {0}; all are freed by workload_free, also on failure.

// The corpus and the shapes of the settings.
Status workload_read(Workload *workload, const Settings *settings, Error *error);

/* Pairs of so many tokens on both sides, </s> counted, drawn evenly from `vocabulary`, enough for
 * `batches` of options->batch_tokens. */
Status workload_draw(Workload *workload, const TrainOptions *options, size_t length, size_t batches,
                     Error *error);

// Neighbours of the corpus joined to pairs of at most `longest` subwords on either side, in batches
// of so many tokens.
Status workload_join(Workload *workload, const Workload *from, size_t longest, size_t batch_tokens,
                     Error *error);

void workload_free(Workload *workload);

// Options of `regard train` with the settings' shapes.
TrainOptions workload_options(const Settings *settings);
