/* Beam search over a batch of sources (Graves 2012; Sutskever et al. 2014); with a beam of 1 it is
 * greedy search. Or sampling: hypotheses drawn from the model's distribution, token by token.
 *
 * A hypothesis that ends gives up its place in the beam, and a sentence is done when it has no
 * places left (as in Marian); it leaves the batch at once. The final order is by score = log p /
 * length^α, where length counts </s> (Wu et al. 2016 without their constant). Ties break by
 * hypothesis, then token id.
 *
 * <pad>, <unk> and <s> are never output, and no hypothesis is empty. A hypothesis of 2S + 10
 * tokens, for a source of S, ends there without </s>.
 *
 * With a prefix, only what it allows can be said, and it comes on top of the limit of length.
 * Probabilities remain those of the model: log p is that of the whole hypothesis, its prefix
 * included. */
#ifndef REGARD_SEARCH_BEAM_H
#define REGARD_SEARCH_BEAM_H

#include "base/cancel.h"
#include "search/prefix.h"
#include "search/search_model.h"

enum { MAX_BEAM = 1000 };

/* Draws `beam` hypotheses of each source instead of searching: each token that may follow with a
 * probability proportional to p^(1/temperature). They are results in the order drawn, may be equal,
 * and depend on the seed and the sentence alone. */
typedef struct Sampling {
    bool wanted;
    double temperature; // > 0; 1 draws from the model's own distribution
    uint64_t seed;
    uint64_t first;          // a sentence's number is this and its TokenPair.number
    const uint64_t *numbers; // or, by TokenPair.number, these; NULL: none
} Sampling;

typedef struct SearchOptions {
    size_t beam;                 // 1 … MAX_BEAM
    size_t batch;                // ≥ 1 sources searched together (search/batch_search.h)
    double length_normalization; // α ≥ 0; 0 compares log p itself
    bool with_alpha;             // keep the attention weights
    bool shortlist;              // score only candidate tokens, if the model has a shortlist
    const Prefix *prefixes;      // by TokenPair.number, finished; one without edges, or NULL: none
    Sampling sampling;
    const Cancel *cancel; // asked before each step; NULL: never cancelled
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
    Hypothesis *items; // (count) best first, or as they were drawn; owned
    size_t count;      // at most the beam, at least 1
} Hypotheses;

/* Searches translations of `count` ≥ 1 sources together (targets are ignored). Sets results (count),
 * each freed by hypotheses_free; on failure they are empty. */
Status beam_search(SearchModel *model, const TokenPair *sources, size_t count,
                   const SearchOptions *options, Hypotheses *results, Error *error);

void hypotheses_free(Hypotheses *hypotheses);

#endif
