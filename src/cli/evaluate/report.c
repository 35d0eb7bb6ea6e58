#include "cli/evaluate/report.h"

#include <stdint.h>
#include <stdio.h>

static void write_figures(Writer *out, const Evaluation *evaluation)
{
    const ScoreStats *sum = &evaluation->sums[SYSTEM_MEASURED];
    Bytes bleu = {0}, chrf = {0};
    out->status = evaluation_signature(evaluation, SCORE_BLEU, &bleu, out->error);
    if (!out->status) out->status = evaluation_signature(evaluation, SCORE_CHRF, &chrf, out->error);
    if (!out->status)
        writer_format(out,
                      "BLEU %.2f %s (brevity penalty %.3f, hypotheses %zu tokens, references %zu)\n"
                      "chrF2 %.2f %s\n"
                      "exact %.2f %% (%zu of %zu equal a reference)\n",
                      bleu_score(&sum->bleu), bleu.data, bleu_brevity_penalty(&sum->bleu),
                      sum->bleu.hypothesis_length, sum->bleu.reference_length,
                      chrf_score(&sum->chrf), chrf.data,
                      100 * (double)sum->exact / (double)sum->sentences, sum->exact,
                      sum->sentences);
    bytes_free(&bleu);
    bytes_free(&chrf);
}

static void write_intervals(Writer *out, const Evaluation *evaluation,
                            const EvaluationCertainty *certainty)
{
    writer_format(out,
                  "\n95 %% confidence (%d bootstrap resamples of the sentences)\n"
                  "            score     from       to\n",
                  BOOTSTRAP_RESAMPLES);
    for (ScoreMetric metric = 0; metric < SCORE_METRICS; metric++)
        writer_format(out, "  %-7s%8.2f %8.2f %8.2f\n", evaluation_metric_name(metric),
                      score_stats_score(&evaluation->sums[SYSTEM_MEASURED], metric),
                      certainty->intervals[metric].lower, certainty->intervals[metric].upper);
}

static void write_comparison(Writer *out, const Evaluation *evaluation,
                             const EvaluationCertainty *certainty)
{
    writer_format(out,
                  "\nagainst %s (paired bootstrap, %d resamples)\n"
                  "            score  against  difference  better in       p\n",
                  evaluation->against, BOOTSTRAP_RESAMPLES);
    for (ScoreMetric metric = 0; metric < SCORE_METRICS; metric++) {
        const BootstrapComparison *comparison = &certainty->comparisons[metric];
        writer_format(out, "  %-7s%8.2f %8.2f %+11.2f %8.1f %% %7.3f\n",
                      evaluation_metric_name(metric),
                      score_stats_score(&evaluation->sums[SYSTEM_MEASURED], metric),
                      score_stats_score(&evaluation->sums[SYSTEM_OTHER], metric),
                      comparison->difference, 100 * comparison->better, comparison->p);
    }
}

// A row: "1-5", "51+", and its figures.
static void write_bucket(Writer *out, LengthBucket bucket, const ScoreStats *stats)
{
    char name[64];
    if (bucket.most == SIZE_MAX)
        snprintf(name, sizeof name, "%zu+", bucket.least);
    else if (bucket.most > bucket.least)
        snprintf(name, sizeof name, "%zu-%zu", bucket.least, bucket.most);
    else
        snprintf(name, sizeof name, "%zu", bucket.least);
    writer_format(out, "  %-7s%10zu %8.2f %8.2f\n", name, stats->sentences,
                  score_stats_score(stats, SCORE_BLEU), score_stats_score(stats, SCORE_CHRF));
}

static void write_lengths(Writer *out, const Evaluation *evaluation)
{
    const LengthTable *lengths = &evaluation->lengths;
    const ScoreStats *stats = length_table_stats(lengths);
    writer_format(out,
                  "\nby length of the %s in %s\n"
                  "  length  sentences     BLEU    chrF2\n",
                  evaluation->length_of == LENGTH_OF_SOURCE ? "source"
                                                            : "first reference (no --source)",
                  units_kind_name(length_table_unit(lengths)));
    for (size_t i = 0; i < LENGTH_BUCKETS; i++)
        if (stats[i].sentences) write_bucket(out, length_buckets[i], &stats[i]);
}

Status evaluation_report(const Evaluation *evaluation, Output *output, Error *error)
{
    EvaluationCertainty certainty = {0};
    if (evaluation->confidence || evaluation->against) certainty = evaluation_resample(evaluation);
    Writer out = output_start(output, error);
    write_figures(&out, evaluation);
    if (evaluation->confidence) write_intervals(&out, evaluation, &certainty);
    if (evaluation->against) write_comparison(&out, evaluation, &certainty);
    if (evaluation->by_length) write_lengths(&out, evaluation);
    return output_end(output, &out);
}
