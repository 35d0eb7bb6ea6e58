#include "metrics/length_table.h"

#include <stdint.h>
#include <string.h>

const LengthBucket length_buckets[LENGTH_BUCKETS] = {
    {0, 0}, {1, 5}, {6, 10}, {11, 15}, {16, 20}, {21, 30}, {31, 40}, {41, 50}, {51, SIZE_MAX},
};

static size_t bucket_of(size_t length)
{
    size_t bucket = 0;
    while (length > length_buckets[bucket].most) bucket++;
    return bucket;
}

Status length_table_add(LengthTable *table, const char *source, const ScoreStats *stats,
                        Error *error)
{
    size_t length = strlen(source), buckets[2];
    for (UnitKind kind = UNITS_WORDS; kind <= UNITS_CHARACTERS; kind++) {
        TRY(units_split(&table->units, kind, source, length, error));
        buckets[kind] = bucket_of(table->units.count);
    }
    for (size_t kind = 0; kind < 2; kind++)
        score_stats_add(&table->stats[kind][buckets[kind]], stats);
    units_count_han(source, length, &table->han, &table->letters);
    return STATUS_OK;
}

UnitKind length_table_unit(const LengthTable *table)
{
    return units_default(table->han, table->letters);
}

const ScoreStats *length_table_stats(const LengthTable *table)
{
    return table->stats[length_table_unit(table)];
}

void length_table_free(LengthTable *table)
{
    units_free(&table->units);
}
