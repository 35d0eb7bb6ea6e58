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
 * included.
 *
 * What a source's what_if (corpus/what_if.h) asks for, attention and search do; a forced word comes
 * on top of the limit of length.
 *
 * With constraints a hypothesis ends only where it contains every phrase, and the beam is shared
 * out (search/banks.h): a source whose phrases have C tokens has at least C + 1 places, whatever
 * the beam, but no more than MAX_BANKS for that. The C tokens come on top of the limit of length.
 * Where the likeliest hypothesis would have ended, were it complete, the search has C + 10 steps
 * left; a hypothesis that ends gives up its place only if without constraints it would have had
 * one. Hypotheses that lack a phrase are results only if no other was found. Their score is that of
 * search/banks.h. */
#pragma once

#include "base/cancel.h"
#include "search/constraints.h"
#include "search/hypotheses.h"
#include "search/prefix.h"
#include "search/search_model.h"

enum { MAX_BEAM = 1000, MAX_NORMALIZATION = 10 };

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
    double length_normalization; // α, 0 … MAX_NORMALIZATION; 0 compares log p itself
    bool with_alpha;             // keep the attention weights
    bool with_tree; // keep what was tried; not with sampling, and the sources one by one
    Scoring scoring;
    const Prefix *prefixes; // by TokenPair.number, finished; one without edges, or NULL: none
    const Constraints *constraints; // by TokenPair.number; some without phrases, or NULL: none. Not
                                    // with sampling
    Sampling sampling;
    const Cancel *cancel; // asked before each step; NULL: never cancelled
} SearchOptions;

/* Searches translations of `count` ≥ 1 sources together (targets are ignored). Sets results
 * (count), each freed by hypotheses_free; on failure they are empty. */
Status beam_search(SearchModel *model, const TokenPair *sources, size_t count,
                   const SearchOptions *options, Hypotheses *results, Error *error);
