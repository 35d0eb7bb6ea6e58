/* The sufficient statistics of all scores: BLEU's counts, chrF2's, exact matches. They add up, so
 * those of one sentence, of all sentences of a length, of a resample (metrics/bootstrap.h) and of a
 * corpus are of one type. */
#pragma once

#include "align/units.h"
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
static inline double score_stats_score(const ScoreStats *stats, ScoreMetric metric)
{
    return metric == SCORE_BLEU ? bleu_score(&stats->bleu) : chrf_score(&stats->chrf);
}

/* Scores by the length of the source, which show where a translator without attention breaks down
 * (Bahdanau et al. 2014, figure 2). */

// Buckets of lengths: 0 (empty sources), 1–5, 6–10, 11–15, 16–20, 21–30, 31–40, 41–50, 51+.
enum { LENGTH_BUCKETS = 9 };

typedef struct LengthBucket {
    size_t least, most; // both included; SIZE_MAX in the last
} LengthBucket;

extern const LengthBucket length_buckets[LENGTH_BUCKETS];

/* Lengths are counted in both units, as the choice depends on all sources. Start from {0}, end with
 * length_table_free. */
typedef struct LengthTable {
    ScoreStats stats[2][LENGTH_BUCKETS]; // of each UnitKind
    size_t han, letters;                 // of all sources
    Spans units;                         // of the current source
} LengthTable;

/* Adds a sentence's statistics to the buckets of its source's length; a source has less than 2^32
 * bytes. On failure the statistics are as they were. */
Status length_table_add(LengthTable *table, const char *source, const ScoreStats *stats,
                        Error *error);

// The unit of the lengths: characters if most letters of the sources are Han, else words.
static inline UnitKind length_table_unit(const LengthTable *table)
{
    return units_default(table->han, table->letters);
}

// The statistics of the buckets, in that unit.
static inline const ScoreStats *length_table_stats(const LengthTable *table)
{
    return table->stats[length_table_unit(table)];
}

static inline void length_table_free(LengthTable *table)
{
    spans_free(&table->units);
}
