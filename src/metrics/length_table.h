/* Scores by the length of the source: where a translator without attention breaks down (Bahdanau et
 * al. 2014, figure 2). */
#ifndef REGARD_METRICS_LENGTH_TABLE_H
#define REGARD_METRICS_LENGTH_TABLE_H

#include "align/units.h"
#include "metrics/tally.h"

// Buckets of lengths: 0 (empty sources), 1–5, 6–10, 11–15, 16–20, 21–30, 31–40, 41–50, 51+.
enum { LENGTH_BUCKETS = 9 };

typedef struct LengthBucket {
    size_t least, most; // both included; SIZE_MAX in the last
} LengthBucket;

extern const LengthBucket length_buckets[LENGTH_BUCKETS];

/* The unit is known only when all sources have been seen, so both are counted. Start from {0}, end
 * with length_table_free. */
typedef struct LengthTable {
    Tally tallies[2][LENGTH_BUCKETS]; // of each UnitKind
    size_t han, letters;              // of all sources
    Units units;                      // of the source at hand
} LengthTable;

/* Adds a sentence's tally to the buckets of its source's length. Sources over 2^32 bytes are a
 * mistake of the caller. On failure the tallies are as they were. */
Status length_table_add(LengthTable *table, const char *source, const Tally *tally, Error *error);

// What the lengths count: characters if more than half of the sources' letters are Han, else words.
UnitKind length_table_unit(const LengthTable *table);

// The tallies of the buckets, in that unit.
const Tally *length_table_tallies(const LengthTable *table);

void length_table_free(LengthTable *table);

#endif
