/* The sufficient statistics of all scores: BLEU's counts, chrF2's, exact matches. They add up, so
 * those of one sentence, of all sentences of a length, of a resample (metrics/bootstrap.h) and of a
 * corpus are of one type. */
#ifndef REGARD_METRICS_SCORE_STATS_H
#define REGARD_METRICS_SCORE_STATS_H

#include "metrics/bleu.h"
#include "metrics/chrf.h"

// Start from {0}; nothing has to be freed.
typedef struct ScoreStats { // all members are size_t: score_stats_add adds them as an array
    size_t sentences;
    size_t exact; // those equal to one of their references (segment_is_exact)
    BleuCounts bleu;
    ChrfCounts chrf;
} ScoreStats;

// The scores that statistics give.
typedef enum ScoreMetric { SCORE_BLEU, SCORE_CHRF, SCORE_METRICS } ScoreMetric;

// Replaces `stats` by those of one segment. On failure it is as it was.
Status score_stats_of(ScoreStats *stats, const Segment *segment, BleuTokenizer tokenizer,
                      bool lowercase, Error *error);

// sum += one
void score_stats_add(ScoreStats *sum, const ScoreStats *one);

// BLEU or chrF2, 0 … 100.
double score_stats_score(const ScoreStats *stats, ScoreMetric metric);

#endif
