// What search finds for a source.
#ifndef REGARD_SEARCH_HYPOTHESES_H
#define REGARD_SEARCH_HYPOTHESES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Hypothesis {
    int32_t *tokens; // (length), without <s>; </s> last if `ended`
    size_t length;
    bool ended;
    bool incomplete; // without one of the phrases that it must contain (search/constraints.h)
    double log_p;    // natural logarithm, summed over tokens
    double score;
    float *alpha;     // (matrices, length, S) attention weights; NULL unless asked for
    size_t matrices;  // SearchModel.matrices
    size_t positions; // S, </s> counted
} Hypothesis;

typedef struct Hypotheses {
    Hypothesis *items; // (count) best first, or as they were drawn; owned
    size_t count;      // at most the beam, at least 1
} Hypotheses;

void hypotheses_free(Hypotheses *hypotheses);

#endif
