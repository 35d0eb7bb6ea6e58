/* All that is counted of translations against their references: BLEU's sums, chrF2's, exact
 * matches. A tally of one sentence, of the sentences of one length, of a resampled corpus and of
 * the whole corpus are the same thing, because all its members add up. */
#ifndef REGARD_METRICS_TALLY_H
#define REGARD_METRICS_TALLY_H

#include "metrics/bleu.h"
#include "metrics/chrf.h"

// Start from {0}; nothing has to be freed.
typedef struct Tally {
    size_t sentences;
    size_t exact; // those equal to one of their references (metrics/exact_match.h)
    BleuCounts bleu;
    ChrfCounts chrf;
} Tally;

// What a tally comes to, for a metric chosen at run time.
typedef enum TallyMetric { TALLY_BLEU, TALLY_CHRF, TALLY_METRICS } TallyMetric;

/* The tally of one sentence and its `count` ≥ 1 references, which replaces what is in `tally`. On
 * failure that is as it was. */
Status tally_sentence(Tally *tally, const char *hypothesis, const char *const *references,
                      size_t count, BleuTokenizer tokenizer, bool lowercase, Error *error);

// sum += one
void tally_add(Tally *sum, const Tally *one);

// BLEU or chrF2, 0 … 100.
double tally_score(const Tally *tally, TallyMetric metric);

#endif
