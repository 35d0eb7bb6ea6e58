/* Beam search over a batch of sources (Graves 2012; Sutskever et al. 2014); with a beam of 1 it is
 * greedy search.
 *
 * A hypothesis that ends takes one of its sentence's beam places with it, and a sentence is done
 * when it has none left (as Marian does); a done sentence leaves the batch at once. The final order
 * is by score = log p / length^α, where length counts </s> (length normalisation, Wu et al. 2016
 * without their constant). Ties, everywhere, break by score, then hypothesis, then token id.
 *
 * <pad>, <unk> and <s> are never said, and no hypothesis is empty. A hypothesis that reaches its
 * sentence's longest output, 2S + 10 tokens for a source of S, ends there without </s>. */
#ifndef REGARD_SEARCH_BEAM_H
#define REGARD_SEARCH_BEAM_H

#include "model/inference.h"

enum { MAX_BEAM = 1000 };

typedef struct SearchOptions {
    size_t beam;                 // 1 … MAX_BEAM
    double length_normalization; // α ≥ 0; 0 compares log p itself
    bool with_alpha;             // keep the attention weights
    const Shortlist *shortlist;  // say its candidates alone (model/shortlist.h); NULL: anything
} SearchOptions;

typedef struct Hypothesis {
    int32_t *tokens; // (length), without <s>; </s> last if `ended`
    size_t length;
    bool ended;
    double log_p; // natural logarithm, summed over tokens
    double score;
    float *alpha;     // (matrices, length, S) what each token looked at, NULL unless asked for
    size_t matrices;  // of attention: inference_matrices
    size_t positions; // S, </s> counted
} Hypothesis;

typedef struct Hypotheses {
    Hypothesis *items; // (count) best first; owned
    size_t count;      // at most the beam, at least 1
} Hypotheses;

/* Searches translations of `count` ≥ 1 sources. results (count), which need not be set before, are
 * filled, and freed by hypotheses_free each; on failure they are left empty. */
Status beam_search(Inference *inference, const TokenPair *sources, size_t count,
                   const SearchOptions *options, Hypotheses *results, Error *error);

void hypotheses_free(Hypotheses *hypotheses);

#endif
