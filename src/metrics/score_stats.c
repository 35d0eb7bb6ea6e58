#include "metrics/score_stats.h"

Status score_stats_of(ScoreStats *stats, const Segment *segment, BleuTokenizer tokenizer,
                      bool lowercase, Error *error)
{
    ScoreStats one = {.sentences = 1};
    bool exact = false;
    TRY(bleu_add(&one.bleu, segment, tokenizer, lowercase, error));
    TRY(chrf_add(&one.chrf, segment, lowercase, error));
    TRY(segment_is_exact(&exact, segment, lowercase, error));
    one.exact = exact;
    *stats = one;
    return STATUS_OK;
}

void score_stats_add(ScoreStats *sum, const ScoreStats *one)
{
    size_t *sums = (size_t *)sum;
    const size_t *counts = (const size_t *)one;
    for (size_t i = 0; i < sizeof *sum / sizeof *sums; i++) sums[i] += counts[i];
}

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
