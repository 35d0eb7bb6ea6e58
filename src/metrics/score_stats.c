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

double score_stats_score(const ScoreStats *stats, ScoreMetric metric)
{
    return metric == SCORE_BLEU ? bleu_score(&stats->bleu) : chrf_score(&stats->chrf);
}
