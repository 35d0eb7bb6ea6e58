/* Scores by the length of the source, which show where a translator without attention breaks down
 * (Bahdanau et al. 2014, figure 2). */
#ifndef REGARD_METRICS_LENGTH_TABLE_H
#define REGARD_METRICS_LENGTH_TABLE_H

#include "align/units.h"
#include "metrics/score_stats.h"

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
    Units units;                         // of the current source
} LengthTable;

/* Adds a sentence's statistics to the buckets of its source's length; a source has less than 2^32
 * bytes. On failure the statistics are as they were. */
Status length_table_add(LengthTable *table, const char *source, const ScoreStats *stats,
                        Error *error);

// The unit of the lengths: characters if most letters of the sources are Han, else words.
UnitKind length_table_unit(const LengthTable *table);

// The statistics of the buckets, in that unit.
const ScoreStats *length_table_stats(const LengthTable *table);

void length_table_free(LengthTable *table);

#endif
