/* One target step taken apart: the numbers that attention computed on its way to one subword. */
#ifndef REGARD_TRANSLATE_EXPLANATION_H
#define REGARD_TRANSLATE_EXPLANATION_H

#include "model/model_file.h"
#include "text/vocabulary.h"

// Start from {0}, reuse freely, end with explanation_free.
typedef struct Explanation {
    size_t state_size; // D
    size_t query_size; // K; 0 where attention asks nothing
    size_t heads;
    size_t positions;    // S, </s> counted
    size_t context_size; // 2H
    float *state;        // (D) s_{t-1}, the decoder's state before the step
    float *query;        // (K) q_t
    float *energies;     // (heads, S) e_tj; NULL where none are computed
    float *weights;      // (heads, S) α_tj = softmax of the energies
    float *context;      // (2H) c_t
    double log_p;        // of the target's subword at this step, natural logarithm
} Explanation;

/* Lets the model say `target` for `source` (both without </s>) and keeps what belongs to the step
 * at which it says subword `step`, from 0; that of </s> has the number target->count. A step that
 * there is not is STATUS_ARGUMENT. On failure the explanation is empty. */
Status explanation_set(Explanation *explanation, const Model *model, const Subwords *source,
                       const Subwords *target, size_t step, Error *error);

void explanation_free(Explanation *explanation);

#endif
