// The hypotheses of one source that have ended.
#ifndef REGARD_SEARCH_ENDED_H
#define REGARD_SEARCH_ENDED_H

#include "search/hypothesis_tree.h"

typedef struct EndedItem {
    int32_t node;    // its last
    bool incomplete; // without a phrase that it must contain
    double score;
} EndedItem;

// A view of memory for `capacity` items.
typedef struct Ended {
    EndedItem *items; // (count) in the order ended, by samples' numbers, or the best first
    size_t count, capacity;
} Ended;

/* Puts an item behind all that are at least as good, if there is room: the complete ones first,
 * then by score. */
void ended_keep_best(Ended *ended, EndedItem item);

/* Reads them, best score first if they are to be sorted, ties in their order. Incomplete ones are
 * read only if all are. Hypotheses are freed by hypotheses_free, even after a failure. */
Status ended_read(const Ended *ended, const HypothesisTree *tree, size_t positions, bool sorted,
                  Hypotheses *hypotheses, Error *error);

#endif
