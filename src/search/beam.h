/* Beam search over a batch of sources (Graves 2012; Sutskever et al. 2014); with a beam of 1 it is
 * greedy search.
 *
 * A hypothesis that ends gives up its place in the beam, and a sentence is done when it has no
 * places left (as in Marian); it leaves the batch at once. The final order is by score = log p /
 * length^α, where length counts </s> (Wu et al. 2016 without their constant). Ties break by
 * hypothesis, then token id.
 *
 * <pad>, <unk> and <s> are never output, and no hypothesis is empty. A hypothesis of 2S + 10
 * tokens, for a source of S, ends there without </s>. */
#ifndef REGARD_SEARCH_BEAM_H
#define REGARD_SEARCH_BEAM_H

#include "search/search_model.h"

enum { MAX_BEAM = 1000 };

typedef struct SearchOptions {
    size_t beam;                 // 1 … MAX_BEAM
    size_t batch;                // ≥ 1 sources searched together (search/batch_search.h)
    double length_normalization; // α ≥ 0; 0 compares log p itself
    bool with_alpha;             // keep the attention weights
    bool shortlist;              // score only candidate tokens, if the model has a shortlist
} SearchOptions;

typedef struct Hypothesis {
    int32_t *tokens; // (length), without <s>; </s> last if `ended`
    size_t length;
    bool ended;
    double log_p; // natural logarithm, summed over tokens
    double score;
    float *alpha;     // (matrices, length, S) attention weights; NULL unless asked for
    size_t matrices;  // SearchModel.matrices
    size_t positions; // S, </s> counted
} Hypothesis;

typedef struct Hypotheses {
    Hypothesis *items; // (count) best first; owned
    size_t count;      // at most the beam, at least 1
} Hypotheses;

/* Searches translations of `count` ≥ 1 sources together. Sets results (count), each freed by
 * hypotheses_free; on failure they are empty. */
Status beam_search(SearchModel *model, const TokenPair *sources, size_t count,
                   const SearchOptions *options, Hypotheses *results, Error *error);

void hypotheses_free(Hypotheses *hypotheses);

#endif
