/* Sentence pairs as token ids, for training: in memory, or in a file with 16 bytes of each pair in
 * memory (corpus/corpus_store.h). */
#pragma once

#include "corpus/corpus_store.h"
#include "corpus/what_if.h"

/* A link of a word alignment between a source and a target token, both counted from 0, with 16
 * bits for each number; sentences are shorter (MAX_SUBWORD_LINK). Weights, at least 1, are compared
 * among the links of one target token only; those of links made by hand are all 1. */
typedef struct SubwordLink {
    uint16_t source, target;
    uint16_t weight;
} SubwordLink;

enum { MAX_SUBWORD_LINK = UINT16_MAX };

// One pair; no array is owned. Both sides end with </s>, so lengths are at least 1.
typedef struct TokenPair {
    const int32_t *source; // (source_length)
    const int32_t *target; // (target_length), NULL where only sources are wanted
    uint32_t source_length;
    uint32_t target_length;
    // its index in the batch, not in a shard of it; selects dropout masks, prefixes and samples
    uint32_t number;
    uint32_t link_count;
    const SubwordLink *links; // (link_count) by target, then source, unique; NULL if none
    const WhatIf *what_if;    // of a source to search; NULL: nothing
} TokenPair;

// Where a pair begins in the store, and how long its sides are, each with its </s>.
typedef struct TokenSpan {
    size_t begin;
    uint32_t source_length, target_length;
} TokenSpan;

/* Start from {0}, or with `store` open (corpus_store_open) for a corpus in a file; end with
 * token_corpus_free. */
typedef struct TokenCorpus {
    CorpusStore store; // of each pair its source, its target and its links
    TokenSpan *spans;  // (count)
    size_t count;      // pairs
    size_t mixed; // of them, the last ones: mixed in, and an epoch has only some (batch_plan.h)
    size_t drawn; // of the mixed pairs for an epoch; 0 if there are none
    size_t capacity;
} TokenCorpus;

// Adds a pair, and </s> to both sides. On failure the corpus is as it was.
Status token_corpus_add(TokenCorpus *corpus, const int32_t *source, size_t source_length,
                        const int32_t *target, size_t target_length, Error *error);

/* Sets the links of the pair added last, at most once: by target, then source, unique, all inside
 * the pair. On failure the corpus is as it was. */
Status token_corpus_link(TokenCorpus *corpus, const SubwordLink *links, size_t count, Error *error);

// Pair i of a corpus in memory; valid until the next add or link.
TokenPair token_corpus_pair(const TokenCorpus *corpus, size_t i);

// Pair i of any corpus; valid until then, and until the window is used again.
Status token_corpus_view(const TokenCorpus *corpus, StoreWindow *window, TokenPair *pair, size_t i,
                         Error *error);

/* Pair i of any corpus, which is copied to `room` (token_corpus_pair_bytes) from a file, and stays
 * where it is in memory. */
Status token_corpus_copy(const TokenCorpus *corpus, void *room, TokenPair *pair, size_t i,
                         Error *error);

// How much room the copy of pair i needs, a multiple of 4; 0 if the corpus is in memory.
size_t token_corpus_pair_bytes(const TokenCorpus *corpus, size_t i);

// Says that pair i will be read soon (corpus_store_expect).
void token_corpus_expect(const TokenCorpus *corpus, size_t i);

void token_corpus_free(TokenCorpus *corpus);
