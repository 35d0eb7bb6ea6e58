/* Translations that are known: sources with the translation that each is to have, such as a user's
 * corrections, and the one whose source is most like a text.
 *
 * Texts are compared as tokens (align/aligner_tokens.h), whatever their case. The similarity of two
 * is 1 − d / max(n, m), with n and m tokens and d the edit distance between them. As a similarity of
 * at least 0.7 leaves at most 0.3 n of the text's tokens without a partner, every such source is in
 * the lists of the sources that have one of the text's ⌊0.3 n⌋ + 1 rarest tokens; those alone are
 * compared. */
#pragma once

#include "base/bytes.h"

enum { MAX_MEMORY_TOKENS = 100 }; // a longer text is found only as it stands

#define LEAST_SIMILARITY 0.7

// May be used by several threads at a time.
typedef struct TranslationMemory TranslationMemory;

// An empty one, freed by translation_memory_free.
Status translation_memory_new(TranslationMemory **memory, Error *error);

/* Adds a pair, of any bytes; one with an empty side is left out. Of pairs with the same source the
 * last counts. On failure the memory is as it was, or without the source. */
Status translation_memory_add(TranslationMemory *memory, TextView source, TextView target,
                              Error *error);

// Start from {0}, end with memory_match_free.
typedef struct MemoryMatch {
    /* 1: the source is the text itself; at least LEAST_SIMILARITY and less than 1: it is like the
     * text, and only its case is another if that is CASE_SIMILARITY; 0: there is none */
    double similarity;
    Bytes source, target; // in normal form
    // (count) of each token of the source the text's that it is paired with, the same, or -1; of a
    // source that is like the text
    int32_t partners[MAX_MEMORY_TOKENS];
    size_t count;
} MemoryMatch;

#define CASE_SIMILARITY 0.994

// Sets the match of a text in normal form; of several that are as similar, the source added last.
Status translation_memory_find(TranslationMemory *memory, TextView text, MemoryMatch *match,
                               Error *error);

void memory_match_free(MemoryMatch *match);

void translation_memory_free(TranslationMemory *memory); // NULL is allowed
