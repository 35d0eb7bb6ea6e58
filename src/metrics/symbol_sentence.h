/* A hypothesis and its references as rows of numbers, for metrics that count n-grams. */
#ifndef REGARD_METRICS_SYMBOL_SENTENCE_H
#define REGARD_METRICS_SYMBOL_SENTENCE_H

#include "metrics/ngrams.h"

// Start from `SymbolSentence sentence = {0};`, end with symbol_sentence_free.
typedef struct SymbolSentence {
    SymbolText hypothesis;
    SymbolText *references;
    size_t count; // of references
} SymbolSentence;

/* Turns a text into symbols, which it allocates; equal words or characters of one sentence get
 * equal numbers. */
typedef Status SymbolReader(void *context, const char *text, SymbolText *symbols, Error *error);

/* Reads a sentence. References that are the empty string are left out, as sacreBLEU does for
 * sentences that have fewer references than others; if all are empty, one stays. On failure the
 * sentence must still be freed. */
Status symbol_sentence_read(SymbolSentence *sentence, const char *hypothesis,
                            const char *const *references, size_t count, SymbolReader *reader,
                            void *context, Error *error);

void symbol_sentence_free(SymbolSentence *sentence);

#endif
