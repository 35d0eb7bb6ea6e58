/* BLEU (Papineni et al. 2002) as sacreBLEU 2 computes it (Post 2018): n-grams to 4, exponential smoothing, the closest
 * reference length, no effective order. */
#ifndef REGARD_METRICS_BLEU_H
#define REGARD_METRICS_BLEU_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum BleuTokenizer { BLEU_13A, BLEU_ZH, BLEU_NONE } BleuTokenizer;

// The sums over a corpus; adding two gives those of both, so that one can resample sentences.
typedef struct BleuCounts {
    size_t matches[4]; // clipped n-gram matches, n = 1 … 4
    size_t totals[4];  // n-grams in the hypotheses
    size_t hypothesis_length;
    size_t reference_length; // the closest of each sentence's references, the shorter on a tie
} BleuCounts;

/* Adds one sentence. Texts are UTF-8 (invalid parts read as U+FFFD); `references` has `count` ≥ 1 strings. Empty
 * references are left out unless all are. On failure the counts are as they were. */
Status bleu_add(BleuCounts *counts, const char *hypothesis, const char *const *references,
                size_t count, BleuTokenizer tokenizer, bool lowercase, Error *error);

// 0 … 100.
double bleu_score(const BleuCounts *counts);

double bleu_brevity_penalty(const BleuCounts *counts);

// "13a", "zh", "none" → the tokenizer; false if it is none of them.
bool bleu_tokenizer_from(const char *name, BleuTokenizer *tokenizer);
const char *bleu_tokenizer_name(BleuTokenizer tokenizer);

#endif
