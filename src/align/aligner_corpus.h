// Sentence pairs as numbers of types: what the aligner learns from.
#pragma once

#include "align/aligner_tokens.h"
#include "align/aligner_vocabulary.h"

typedef struct AlignerSide {
    uint32_t *tokens; // (ends[pairs - 1]) their types, pair after pair
    size_t token_count, token_capacity;
    size_t *ends; // (pairs)
    size_t ends_capacity;
} AlignerSide;

// Start from {0}, end with aligner_corpus_free. What has two is of source and target.
typedef struct AlignerCorpus {
    AlignerVocabulary vocabularies[2];
    AlignerSide sides[2];
    size_t pairs;
    uint32_t (*links)[2]; // (link_count) types that are known to translate each other
    size_t link_count, links_capacity;
} AlignerCorpus;

// The types of one pair; views into a corpus.
typedef struct AlignerPair {
    const uint32_t *tokens[2]; // (counts[0]), (counts[1])
    size_t counts[2];
} AlignerPair;

// Adds a pair, which may have an empty side. After a failure the corpus can only be freed.
Status aligner_corpus_add(AlignerCorpus *corpus, const AlignerTokens *source,
                          const AlignerTokens *target, Error *error);

/* Adds a link that is known between two types that stand in one pair. Learning counts it beside
 * those that it expects. */
Status aligner_corpus_add_link(AlignerCorpus *corpus, uint32_t source, uint32_t target,
                               Error *error);

AlignerPair aligner_corpus_pair(const AlignerCorpus *corpus, size_t pair);

void aligner_corpus_free(AlignerCorpus *corpus);
