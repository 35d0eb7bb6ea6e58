/* The pairs of one epoch, in batches. They are the corpus' own, or under BPE-dropout (BpeDropout in
 * text/bpe_merge.h) the same texts in other subwords in each epoch, onto which the links of guided
 * pairs are projected.
 *
 * All of it is a function of corpus, options and epoch, for any number of threads, so that a
 * resumed run has the same. */
#pragma once

#include "base/threads.h"
#include "corpus/batch_plan.h"
#include "train/data.h"

// Start from {0}, end with epoch_free.
typedef struct Epoch {
    const TokenCorpus *corpus; // what the plan's numbers are of
    BatchPlan plan;
    TokenCorpus segmented; // the pairs in other subwords, if there is BPE-dropout
} Epoch;

/* Replaces what `epoch` held by epoch `number`. No threads of the team may be working.
 *
 * A pair that would have a side longer than both options->batch_tokens and options->max_length
 * keeps its own subwords, so that batches need no more memory than without BPE-dropout. */
Status epoch_begin(Epoch *epoch, const TrainingData *data, const TrainOptions *options,
                   uint64_t number, Threads *threads, Error *error);

void epoch_free(Epoch *epoch);
