/* Sentence pairs as the network reads them: longest first on either side, time-major, without
 * padding.
 *
 * The encoder's order is by source length, the decoder's by target length, or without targets the
 * order in which the pairs were given. Sorting is stable, so equal lengths keep that order. N_s and
 * N_t are the tokens of either side, </s> counted. */
#pragma once

#include "corpus/token_corpus.h"
#include "layers/ragged.h"

typedef struct Batch {
    Ragged source;
    Ragged target;          // empty if there are no targets
    int32_t *source_tokens; // (N_s) time-major
    int32_t *input_tokens;  // (N_t) time-major: <s>, y_1, …: what the decoder reads
    int32_t *target_tokens; // (N_t) time-major: y_1, …, </s>: what it should say
    uint32_t *source_pair;  // (B) the pair that stands at each place of the encoder's order
    uint32_t *target_pair;  // (B) and of the decoder's
    uint32_t *source_place; // (B) the place of each pair in the encoder's order
    uint32_t *source_of;    // (B) for each place of the decoder's order, its place in the encoder's
    const TokenPair *pairs; // (B) not owned
    size_t links;           // Σ link_count of the pairs: 0 if nothing guides their alignment
} Batch;

typedef struct BatchForm {
    bool with_targets;
    size_t row_multiple; // 1 in training (layers/ragged.h)
} BatchForm;

/* Lays out and fills a batch of `count` ≥ 1 pairs in an arena of its own, which is resized first;
 * valid until the arena is used again. */
Status batch_fill(Batch *batch, Arena *arena, const TokenPair *pairs, size_t count, BatchForm form,
                  Error *error);
