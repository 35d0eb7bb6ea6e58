/* The candidates of a batch's sentences (model/shortlist.h). Each sentence has its own, so that its
 * logits do not depend on the batch. */
#ifndef REGARD_MODEL_BATCH_SHORTLIST_H
#define REGARD_MODEL_BATCH_SHORTLIST_H

#include "layers/linear.h"
#include "model/batch.h"
#include "model/shortlist.h"

// Start from {0}, refill freely, end with batch_shortlist_free. Sentences are in the encoder's
// order.
typedef struct BatchShortlist {
    Arena arena;          // of the rest
    size_t *begin;        // (B + 1) where each sentence's candidates begin
    int32_t *ids;         // (begin[B]) ascending within each
    real *bias;           // (begin[B]) of the output layer
    size_t longest;       // the most candidates of a sentence
    unsigned char *marks; // (V) scratch
} BatchShortlist;

/* Finds the candidates of a batch's sentences; bias (V) is the output layer's. On STATUS_MEMORY it
 * can still be freed or filled again. */
Status batch_shortlist_fill(BatchShortlist *candidates, const Shortlist *shortlist,
                            const ModelConfig *config, const Batch *batch, const real *bias,
                            Error *error);

// The candidates of the sentence at a place, *count of them.
const int32_t *batch_shortlist_of(const BatchShortlist *candidates, size_t place, size_t *count);

// Their biases in the output layer.
const real *batch_shortlist_bias(const BatchShortlist *candidates, size_t place);

void batch_shortlist_free(BatchShortlist *candidates);

#endif
