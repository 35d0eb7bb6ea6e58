/* One target step taken apart: the numbers that attention computed on its way to one subword. */
#ifndef REGARD_TRANSLATE_EXPLANATION_H
#define REGARD_TRANSLATE_EXPLANATION_H

#include "translate/forced.h"

// Start from {0}, reuse freely, end with explanation_free.
typedef struct Explanation {
    size_t state_size; // D
    size_t query_size; // K; 0 where attention has no query
    size_t heads;
    size_t positions;    // S, </s> counted
    size_t context_size; // C
    bool conditional;    // the state is s'_t of the conditional GRU, else s_{t-1}
    float *state;        // (D) the decoder's state that attention asks with
    float *query;        // (K) q_t
    float *energies;     // (heads, S) e_tj; NULL where none are computed
    float *weights;      // (heads, S) α_tj = softmax of the energies
    float *context;      // (C) c_t
    double log_p;        // of the target's subword at this step, natural logarithm
} Explanation;

/* Forces `target` on `source` (both without </s>), with the numbers of forced_decode, and keeps
 * those of the step that outputs subword `step`, from 0; </s> is number target->count. A step that
 * does not exist is STATUS_ARGUMENT. On failure the explanation is empty. */
Status explanation_set(Explanation *explanation, const Forcing *forcing, const Subwords *source,
                       const Subwords *target, size_t step, Error *error);

void explanation_free(Explanation *explanation);

#endif
