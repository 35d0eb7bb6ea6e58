/* Counts the n-grams that a hypothesis shares with its references: of words for BLEU, of characters
 * for chrF. */
#pragma once

#include "base/status.h"

// A text as an array of numbers, equal for equal words or characters.
typedef struct SymbolText {
    uint32_t *symbols;
    size_t length;
} SymbolText;

/* matches[n-1], n = 1 … orders: the hypothesis' n-grams that occur in a reference, each counted at
 * most as often as in the reference that has most of it. Time and memory are linear in the texts'
 * total length. */
Status ngrams_matches(SymbolText hypothesis, const SymbolText *references, size_t count,
                      size_t orders, size_t *matches, Error *error);

// The n-grams of a text of `length` symbols.
static inline size_t ngrams_total(size_t length, size_t n)
{
    return length >= n ? length - n + 1 : 0;
}
