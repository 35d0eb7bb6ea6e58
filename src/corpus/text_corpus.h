/* Sentence pairs as normalised text, all in memory. */
#ifndef REGARD_CORPUS_TEXT_CORPUS_H
#define REGARD_CORPUS_TEXT_CORPUS_H

#include "corpus/pair_reader.h"

#include <stdint.h>

typedef struct TextPair {
    const char *source, *target; // each followed by a NUL that its length does not count; not owned
    size_t source_length, target_length;
    const char *file; // the file it was read from, not owned; NULL if none
    size_t line;      // in that file (pair_reader.h)
    size_t number;    // among all lines (TMX: units) read for the corpus, from 0
} TextPair;

// Where a pair was read.
typedef struct TextPlace {
    const char *file;
    size_t line;
    size_t number;
} TextPlace;

// Start from {0}, end with text_corpus_free.
typedef struct TextCorpus {
    Bytes text;    // all sides of all pairs, each followed by a NUL
    size_t *begin; // (2 count + 1) source i at 2i, target i at 2i + 1
    size_t begin_capacity;
    TextPlace *places; // (count) of each pair
    size_t count;      // pairs
    size_t capacity;   // of places
    uint64_t hash;     // of all pairs in order; shows whether a corpus has changed
    ReadCounts counts; // of all files that were read
} TextCorpus;

/* Adds every pair of a file (pair_reader.h); pairs with an empty side are left out and counted.
 * `spec` must stay valid as long as the corpus is used. */
Status text_corpus_read(TextCorpus *corpus, const char *spec, Error *error);

// Adds a copy of a pair.
Status text_corpus_add(TextCorpus *corpus, const TextPair *pair, Error *error);

// Pair i; valid until the next add.
TextPair text_corpus_pair(const TextCorpus *corpus, size_t i);

/* Moves about min(most, share · count) of the pairs to the empty corpus `held_out`: those whose
 * source has the lowest hash, so that the choice does not depend on the order and equal sources
 * stay together. At least one pair moves and one stays; STATUS_ARGUMENT if all sources are
 * equal. */
Status text_corpus_split(TextCorpus *corpus, TextCorpus *held_out, size_t most, double share,
                         Error *error);

/* How many letters the two sides have in common: Σ over letters of min(share of the source's
 * letters, share of the target's), 0 … 1. */
Status text_corpus_common_letters(const TextCorpus *corpus, double *common, Error *error);

void text_corpus_free(TextCorpus *corpus);

#endif
