/* Sentence pairs as normalised text, all in memory. */
#ifndef REGARD_CORPUS_TEXT_CORPUS_H
#define REGARD_CORPUS_TEXT_CORPUS_H

#include "corpus/pair_reader.h"

#include <stdint.h>

typedef struct TextPair {
    const char *source, *target; // each followed by a NUL that its length does not count; not owned
    size_t source_length, target_length;
    const char *file; // the corpus it was read from, not owned; NULL if none
    size_t line;      // its place there (pair_reader.h)
    size_t number;    // its line (a TMX: unit) among all that were read for the corpus, from 0
} TextPair;

// Where a pair was read.
typedef struct TextPlace {
    const char *file;
    size_t line;
    size_t number;
} TextPlace;

// Start from {0}, end with text_corpus_free.
typedef struct TextCorpus {
    Bytes text;        // all sides of all pairs, each with a NUL behind it
    size_t *begin;     // (2 count + 1) source i at 2i, target i at 2i + 1
    TextPlace *places; // of each pair
    size_t count;      // pairs
    size_t capacity;   // of places; begin has room for 2 capacity + 1
    uint64_t hash;     // of every pair in order: tells whether a corpus is still the same
    PairCounts counts; // of all files that were read
} TextCorpus;

/* Reads every pair of a file (pair_reader.h) into the corpus; pairs with an empty side are left out and counted. `spec`
 * must stay where it is as long as the corpus is used. */
Status text_corpus_read(TextCorpus *corpus, const char *spec, Error *error);

// Copies a pair's texts behind the others.
Status text_corpus_add(TextCorpus *corpus, const TextPair *pair, Error *error);

// Pair i; valid until the next add.
TextPair text_corpus_pair(const TextCorpus *corpus, size_t i);

/* Moves about min(most, share) of the pairs from one corpus to an empty one: those whose source text has the lowest hash, so
 * that the same sentences are chosen whatever their order, and equal sources stay together. At least one pair moves and at
 * least one stays, or, if all sources are equal, STATUS_ARGUMENT. */
Status text_corpus_split(TextCorpus *corpus, TextCorpus *held_out, size_t most, double share,
                         Error *error);

/* How alike the letters of the two sides are: Σ over letters of the smaller of their shares on either side, 0 … 1. */
Status text_corpus_overlap(const TextCorpus *corpus, double *overlap, Error *error);

void text_corpus_free(TextCorpus *corpus);

#endif
