/* One target step taken apart: the numbers that attention computed on its way to one subword, and what
 * the decoder made of them. */
#pragma once

#include "translate/forced.h"

enum { MAX_LIKELIEST = 10 };

typedef struct LikelyToken {
    int32_t token;
    float log_p;
} LikelyToken;

// Start from {0}, reuse freely, end with explanation_free.
typedef struct Explanation {
    size_t state_size; // D
    size_t query_size; // K; 0 where attention has no query
    size_t heads;
    size_t positions;    // S, </s> counted
    size_t context_size; // C
    size_t readout_size; // E
    bool conditional;    // the state is s'_t of the conditional GRU, else s_{t-1}
    bool with_embedding; // h_j ends with the word's embedding
    float *state;        // (D) the decoder's state that attention asks with
    float *query;        // (K) q_t
    float *energies;     // (heads, S) e_tj; NULL where none are computed
    float *weights;      // (heads, S) α_tj = softmax of the energies, unless asked to be otherwise
    float *context;      // (C) c_t
    float *annotations;  // (S, C) h_j
    float *gates;        // (1, or 2 if conditional, 2, D) r and z of each transition
    float *readout;      // (E) r_t
    LikelyToken likeliest[MAX_LIKELIEST]; // (likeliest_count) at this step, the likeliest first
    size_t likeliest_count;
    double log_p; // of the target's subword at this step, natural logarithm
} Explanation;

// What is to be explained.
typedef struct ExplainedPair {
    const Subwords *source, *target; // without </s>
    size_t step;           // that outputs this subword of the target, from 0; </s> is the last
    const WhatIf *what_if; // attention that is otherwise; NULL: none
} ExplainedPair;

/* Forces the target on the source, with the numbers of forced_decode, and keeps those of the step. A
 * step that does not exist is STATUS_ARGUMENT. On failure the explanation is empty. */
Status explanation_set(Explanation *explanation, const Forcing *forcing, const ExplainedPair *pair,
                       Error *error);

void explanation_free(Explanation *explanation);
