/* Sentence pairs as numbers: what the aligner learns from. A type is a spelling, numbered in the
 * order of its first appearance; types whose first letters agree share a stem, from which rare
 * types borrow (aligner.h). */
#ifndef REGARD_ALIGN_ALIGNER_CORPUS_H
#define REGARD_ALIGN_ALIGNER_CORPUS_H

#include "align/aligner_tokens.h"
#include "base/string_map.h"

enum { ALIGNER_STEM_LETTERS = 5 };

// What a type shares with others.
typedef struct AlignerClass {
    uint32_t stem;
    bool han; // a Han character: part of a word rather than one
} AlignerClass;

typedef struct AlignerSide {
    StringMap types;       // value: how often it occurs
    StringMap stems;       // value: its number
    AlignerClass *classes; // (types.count)
    size_t classes_capacity;
    uint32_t *tokens; // (ends[pairs - 1]) their types, pair after pair
    size_t token_count, token_capacity;
    size_t *ends; // (pairs)
    size_t ends_capacity;
} AlignerSide;

// Start from {0}, end with aligner_corpus_free.
typedef struct AlignerCorpus {
    AlignerSide sides[2]; // source, target
    size_t pairs;
} AlignerCorpus;

// The types of one pair; views into a corpus.
typedef struct AlignerPair {
    const uint32_t *tokens[2]; // (counts[0]), (counts[1])
    size_t counts[2];
} AlignerPair;

// Adds a pair, which may have an empty side. After a failure the corpus can only be freed.
Status aligner_corpus_add(AlignerCorpus *corpus, const AlignerTokens *source,
                          const AlignerTokens *target, Error *error);

AlignerPair aligner_corpus_pair(const AlignerCorpus *corpus, size_t pair);

void aligner_corpus_free(AlignerCorpus *corpus);

#endif
