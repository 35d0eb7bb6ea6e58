/* What search finds for a source, and the hypotheses from which it is found.
 *
 * While a search goes on, hypotheses share their beginnings: they are a tree, and each is a path from
 * its last node back to the first, so that nothing is copied when one is continued in several ways.
 * Those that have ended are listed for each source and read at the end. */
#pragma once

#include "search/constraints.h"
#include "search/search_model.h"

typedef struct Hypothesis {
    int32_t *tokens; // (length), without <s>; </s> last if `ended`
    size_t length;
    bool ended;
    bool incomplete; // without one of the phrases that it must contain (search/constraints.h)
    double log_p;    // natural logarithm, summed over tokens
    float *log_ps;   // (length) of each token
    double score;
    float *alpha;     // (matrices, length, S) attention weights; NULL unless asked for
    size_t matrices;  // SearchModel.matrices
    size_t positions; // S, </s> counted
} Hypothesis;

enum { NO_NODE = -1 };

// A token of a search: one of a hypothesis that was continued or ended, or one that was beaten.
typedef struct BeamNode {
    int32_t token;
    int32_t before;    // the node before, or NO_NODE
    int32_t beaten_by; // the last node that got a place at this step; NO_NODE: it got one itself
    uint32_t step;     // from 0
    uint32_t rank;     // from 1, of the hypothesis found that ends here; 0: none does
    double log_p;      // of everything up to here
} BeamNode;

/* What a search tried: of each step the hypotheses that went on or ended, and as many of those next
 * to them as the beam is wide. Start from {0}, end with memory_free(nodes). */
typedef struct BeamTree {
    BeamNode *nodes; // (count) each behind the one before it
    size_t count, capacity;
    double length_normalization; // α of the scores
} BeamTree;

typedef struct Hypotheses {
    Hypothesis *items; // (count) best first, or as they were drawn; owned
    size_t count;      // at most the beam, at least 1
    BeamTree tree;     // owned; empty unless asked for
} Hypotheses;

void hypothesis_free(Hypothesis *hypothesis);
void hypotheses_free(Hypotheses *hypotheses);

// One token of one hypothesis.
typedef struct HypothesisNode {
    int32_t token;
    int32_t before;        // the node before, or NO_NODE
    double log_p;          // of everything up to here
    size_t alpha;          // where this token's weights (matrices, S) begin in HypothesisTree.alpha
    uint32_t place;        // in the sentence's prefix, after this token
    uint32_t sample;       // the number of the sample that this belongs to; 0 in beam search
    ConstraintState state; // after this token; {0} without constraints
} HypothesisNode;

// Start from {.model, .with_alpha}, end with hypothesis_tree_free.
typedef struct HypothesisTree {
    SearchModel *model;
    bool with_alpha;       // keep the attention weights
    HypothesisNode *nodes; // (count)
    size_t count, capacity;
    float *alpha; // (alpha_count)
    size_t alpha_count, alpha_capacity;
} HypothesisTree;

/* Adds a node, whose `alpha` is set here: the weights (S = positions) of that row of the model at
 * its present step. *place is where it is. On STATUS_MEMORY, the only failure, there is none. */
Status hypothesis_tree_add(HypothesisTree *tree, HypothesisNode node, uint32_t row,
                           size_t positions, int32_t *place, Error *error);

// Sets tokens (count) to the last `count` of the path to a node, which must have that many.
void hypothesis_tree_recent(const HypothesisTree *tree, int32_t node, int32_t *tokens,
                            size_t count);

void hypothesis_tree_free(HypothesisTree *tree);

// A hypothesis that has ended.
typedef struct EndedItem {
    int32_t node;    // its last
    bool incomplete; // without a phrase that it must contain
    double score;
} EndedItem;

// Those of one source: a view of memory for `capacity` items.
typedef struct Ended {
    EndedItem *items; // (count) the best first, or by the samples' numbers
    size_t count, capacity;
} Ended;

/* Puts an item behind all that are at least as good, if there is room: the complete ones first,
 * then by score. */
void ended_keep_best(Ended *ended, EndedItem item);

/* Reads them in their order; incomplete ones only if all are. Hypotheses are freed by
 * hypotheses_free, even after a failure. */
Status ended_read(const Ended *ended, const HypothesisTree *tree, size_t positions,
                  Hypotheses *hypotheses, Error *error);
