/* The forward pass over a whole corpus with its targets given, batch by batch on several threads:
 * for validation, scores, alignments and shortlists. */
#pragma once

#include "base/cancel.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "corpus/token_corpus.h"
#include "model/pass.h"

// A batch after its pass. Valid during the visit only.
typedef struct VisitedBatch {
    const Batch *batch;
    const PassActs *acts;
    const uint32_t *pairs; // (B) the place in the corpus of each of batch->pairs
    size_t worker;         // 0 … threads_count - 1: no two visits at the same time share one
} VisitedBatch;

typedef Status CorpusVisit(void *context, const VisitedBatch *visited, Error *error);

typedef struct CorpusPass {
    const TokenCorpus *corpus;
    const Seq2SeqParams *params;
    size_t batch_tokens; // bounds the memory of each thread (corpus/batch_plan.h)
    bool exact;          // a sentence's numbers do not depend on its batch (packed_weights_promise)
    real smoothing;      // of the loss
    bool attention_only; // without output layer and loss, which are most of the work
    // Called after each batch's pass, from any thread, in any order. NULL: only the loss is wanted.
    CorpusVisit *visit;
    void *context;
    const WhatIf *const *what_if; // (1) of a corpus of one pair; NULL: nothing is asked
    LoopShare share;              // of the batches, where several processes divide them
    // Completes losses (batches), 0 where others compute them. NULL: there are no others.
    void (*complete)(void *context, double *losses, size_t batches);
    void *others;         // context of `complete`
    const Cancel *cancel; // asked before each batch; NULL: never cancelled
} CorpusPass;

/* Runs the pass over the corpus and sets `loss` (may be NULL) to the sum of the losses over its
 * target tokens, added in a fixed order. A failure is that of the lowest batch (base/parallel.h).
 */
Status corpus_pass_run(double *loss, const CorpusPass *pass, Threads *threads, Error *error);
