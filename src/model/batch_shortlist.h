/* The candidates of a batch of sources (model/shortlist.h): each sentence's own, and all of theirs together, for which the
 * output layer is computed once for the whole batch. What a sentence may say, and the sum its probabilities are shares of, is
 * its own candidates' alone, so it does not depend on the batch. */
#ifndef REGARD_MODEL_BATCH_SHORTLIST_H
#define REGARD_MODEL_BATCH_SHORTLIST_H

#include "layers/linear.h"
#include "model/batch.h"
#include "model/shortlist.h"

// Start from {0}, refill freely, end with batch_shortlist_free.
typedef struct BatchShortlist {
    Matrix
        weight; // (U, E) the output layer's rows of all candidates; of at least GEMM_FEW_OUTPUTS, the last ones zeros
    size_t *begin;    // (B + 1) where each sentence's own candidates begin, in the encoder's order
    int32_t *ids;     // (begin[B]) ascending within each
    uint32_t *places; // (begin[B]) their rows in `weight`
    real *bias;       // (begin[B]) of the output layer
    size_t longest;   // the most candidates of a sentence
    // scratch
    size_t rows_capacity;    // of weight
    unsigned char *marks[2]; // (V) which tokens are a sentence's, and anyone's
    uint32_t *place_of;      // (V) of anyone's, its row in weight
} BatchShortlist;

/* Finds the candidates of a batch's sentences and gathers their part of the output layer (V, E). `joint`: both sides have one
 * vocabulary. On STATUS_MEMORY it can still be freed or filled again. */
Status batch_shortlist_fill(BatchShortlist *candidates, const Shortlist *shortlist, bool joint,
                            const Batch *batch, const LinearParams *output, Error *error);

// The candidates of the sentence at a place of the encoder's order, *count of them; and their biases.
const int32_t *batch_shortlist_of(const BatchShortlist *candidates, size_t place, size_t *count);
const real *batch_shortlist_bias(const BatchShortlist *candidates, size_t place);

// Takes a sentence's own numbers (count) out of those of all candidates (U).
void batch_shortlist_pick(const BatchShortlist *candidates, size_t place, real *own,
                          const real *all);

void batch_shortlist_free(BatchShortlist *candidates);

#endif
