/* The candidates of a batch of sources (model/shortlist.h): each sentence's own, and all of theirs together, for which the
 * output layer is computed once for the whole batch. What a sentence may say, and the sum its probabilities are shares of, is
 * its own candidates' alone, so it does not depend on the batch. */
#ifndef REGARD_MODEL_BATCH_SHORTLIST_H
#define REGARD_MODEL_BATCH_SHORTLIST_H

#include "corpus/token_corpus.h"
#include "layers/linear.h"
#include "model/shortlist.h"

// Start from {0}, refill freely, end with batch_shortlist_free.
typedef struct BatchShortlist {
    Matrix
        weight; // (U, E) the output layer's rows of all candidates; of at least GEMM_FEW_OUTPUTS, the last ones zeros
    size_t *begin;    // (sources + 1) where each source's own candidates begin
    int32_t *ids;     // (begin[sources]) ascending within each
    uint32_t *places; // (begin[sources]) their rows in `weight`
    real *bias;       // (begin[sources]) of the output layer
    size_t longest;   // the most candidates of a source
    // scratch
    size_t rows_capacity;    // of weight
    unsigned char *marks[2]; // (V) which tokens are a source's, and anyone's
    uint32_t *place_of;      // (V) of anyone's, its row in weight
} BatchShortlist;

/* Finds the candidates of `count` sources and gathers their part of the output layer (V, E). `joint`: both sides have one
 * vocabulary. On STATUS_MEMORY it can still be freed or filled again. */
Status batch_shortlist_fill(BatchShortlist *batch, const Shortlist *shortlist, bool joint,
                            const TokenPair *sources, size_t count, const LinearParams *output,
                            Error *error);

// The logits (of source `source`) among those of all candidates (U): with their bias, in the order of ids.
void batch_shortlist_pick(const BatchShortlist *batch, size_t source, real *own, const real *all);

void batch_shortlist_free(BatchShortlist *batch);

#endif
