/* The hypotheses of a search while it goes on. They share their beginnings, so each is a path from
 * its last node back to the first, and nothing is copied when one is continued in several ways. */
#ifndef REGARD_SEARCH_HYPOTHESIS_TREE_H
#define REGARD_SEARCH_HYPOTHESIS_TREE_H

#include "search/constraints.h"
#include "search/hypotheses.h"
#include "search/search_model.h"

enum { NO_NODE = -1 };

// One token of one hypothesis.
typedef struct Node {
    int32_t token;
    int32_t before;        // the node before, or NO_NODE
    double log_p;          // of everything up to here
    size_t alpha;          // where this token's weights (matrices, S) begin in HypothesisTree.alpha
    uint32_t place;        // in the sentence's prefix, after this token
    uint32_t sample;       // the number of the sample that this belongs to; 0 in beam search
    ConstraintState state; // after this token; {0} without constraints
} Node;

// Start from {.model, .with_alpha}, end with hypothesis_tree_free.
typedef struct HypothesisTree {
    SearchModel *model;
    bool with_alpha; // keep the attention weights
    Node *nodes;     // (count)
    size_t count, capacity;
    float *alpha; // (alpha_count)
    size_t alpha_count, alpha_capacity;
} HypothesisTree;

/* Adds a node, whose `alpha` is set here: the weights (S = positions) of that row of the model at
 * its present step. *place is where it is. On STATUS_MEMORY, the only failure, there is none. */
Status hypothesis_tree_add(HypothesisTree *tree, Node node, uint32_t row, size_t positions,
                           int32_t *place, Error *error);

// Sets tokens (count) to the last `count` of the path to a node, which must have that many.
void hypothesis_tree_recent(const HypothesisTree *tree, int32_t node, int32_t *tokens,
                            size_t count);

/* Reads the hypothesis that ends with a node; its score is left 0. It is freed with its Hypotheses,
 * even after a failure. */
Status hypothesis_tree_read(const HypothesisTree *tree, int32_t last, size_t positions,
                            Hypothesis *hypothesis, Error *error);

void hypothesis_tree_free(HypothesisTree *tree);

#endif
