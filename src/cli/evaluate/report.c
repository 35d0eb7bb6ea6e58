#include "cli/evaluate/evaluation.h"

#include "base/version.h"

#include <stdio.h>

// As it is printed.
static const char *metric_name(ScoreMetric metric)
{
    return metric == SCORE_BLEU ? "BLEU" : "chrF2";
}

/* A metric's settings in the form of sacreBLEU's signatures (Post 2018), with the version of this
 * program: "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:regard-0.1.0". */
typedef struct Signature {
    char text[160];
} Signature;

static Signature signature(const Evaluation *evaluation, ScoreMetric metric)
{
    Signature made;
    char references[24] = "var";
    if (evaluation->least_references == evaluation->most_references)
        snprintf(references, sizeof references, "%zu", evaluation->most_references);
    int used = snprintf(made.text, sizeof made.text, "nrefs:%s|case:%s|", references,
                        evaluation->options.lowercase ? "lc" : "mixed");
    char *rest = made.text + used;
    size_t room = sizeof made.text - (size_t)used;
    if (metric == SCORE_BLEU)
        snprintf(rest, room, "eff:no|tok:%s|smooth:exp|version:regard-" REGARD_VERSION,
                 bleu_tokenizer_names[evaluation->options.tokenizer]);
    else
        snprintf(rest, room, "eff:yes|nc:6|nw:0|space:no|version:regard-" REGARD_VERSION);
    return made;
}

static void write_figures(Writer *out, const Evaluation *evaluation)
{
    const ScoreStats *sum = &evaluation->sums[SYSTEM_MEASURED];
    double p[4];
    bleu_precisions(p, &sum->bleu);
    writer_format(out,
                  "BLEU %.2f %s (precisions %.1f/%.1f/%.1f/%.1f, brevity penalty %.3f, hypotheses "
                  "%zu tokens, references %zu)\n",
                  bleu_score(&sum->bleu), signature(evaluation, SCORE_BLEU).text, 100 * p[0],
                  100 * p[1], 100 * p[2], 100 * p[3], bleu_brevity_penalty(&sum->bleu),
                  sum->bleu.hypothesis_length, sum->bleu.reference_length);
    writer_format(out, "chrF2 %.2f %s\n", chrf_score(&sum->chrf),
                  signature(evaluation, SCORE_CHRF).text);
    writer_format(out, "exact %.2f %% (%zu of %zu equal a reference)\n",
                  100 * (double)sum->exact / (double)sum->sentences, sum->exact, sum->sentences);
}

static void write_intervals(Writer *out, const Evaluation *evaluation,
                            const EvaluationCertainty *certainty)
{
    writer_format(out,
                  "\n95 %% confidence (%d bootstrap resamples of the sentences)\n"
                  "            score     from       to\n",
                  BOOTSTRAP_RESAMPLES);
    for (ScoreMetric metric = 0; metric < SCORE_METRICS; metric++)
        writer_format(out, "  %-7s%8.2f %8.2f %8.2f\n", metric_name(metric),
                      score_stats_score(&evaluation->sums[SYSTEM_MEASURED], metric),
                      certainty->intervals[metric].lower, certainty->intervals[metric].upper);
}

static void write_comparison(Writer *out, const Evaluation *evaluation,
                             const EvaluationCertainty *certainty)
{
    writer_format(out,
                  "\nagainst %s (paired bootstrap, %d resamples)\n"
                  "            score  against  difference  better in       p\n",
                  evaluation->options.against, BOOTSTRAP_RESAMPLES);
    for (ScoreMetric metric = 0; metric < SCORE_METRICS; metric++) {
        const BootstrapComparison *comparison = &certainty->comparisons[metric];
        writer_format(out, "  %-7s%8.2f %8.2f %+11.2f %8.1f %% %7.3f\n", metric_name(metric),
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
                  evaluation->of_reference ? "first reference" : "source",
                  unit_kind_names[length_table_unit(lengths)]);
    for (size_t i = 0; i < LENGTH_BUCKETS; i++)
        if (stats[i].sentences) write_bucket(out, length_buckets[i], &stats[i]);
}

/* Jansson's functions take over what they are given and accept NULL as a failure; output_json finds
 * out whether memory was short on the way. */

static json_t *bleu_parts_json(const BleuCounts *counts)
{
    double p[4];
    bleu_precisions(p, counts);
    return json_pack("{s[ffff]sfsIsI}", "precisions", 100 * p[0], 100 * p[1], 100 * p[2],
                     100 * p[3], "brevity_penalty", bleu_brevity_penalty(counts),
                     "hypothesis_tokens", (json_int_t)counts->hypothesis_length, "reference_tokens",
                     (json_int_t)counts->reference_length);
}

static json_t *metric_json(const Evaluation *evaluation, ScoreMetric metric,
                           const EvaluationCertainty *certainty)
{
    const ScoreStats *sum = &evaluation->sums[SYSTEM_MEASURED];
    const BootstrapInterval *interval = &certainty->intervals[metric];
    const BootstrapComparison *comparison = &certainty->comparisons[metric];
    json_t *json = json_pack("{sfss}", "score", score_stats_score(sum, metric), "signature",
                             signature(evaluation, metric).text);
    if (metric == SCORE_BLEU) json_object_update_new(json, bleu_parts_json(&sum->bleu));
    if (evaluation->options.confidence)
        json_object_set_new(json, "confidence",
                            json_pack("[ff]", interval->lower, interval->upper));
    if (evaluation->options.against)
        json_object_set_new(json, "against",
                            json_pack("{sfsfsfsf}", "score",
                                      score_stats_score(&evaluation->sums[SYSTEM_OTHER], metric),
                                      "difference", comparison->difference, "better",
                                      comparison->better, "p", comparison->p));
    return json;
}

static json_t *bucket_json(LengthBucket bucket, const ScoreStats *stats)
{
    json_t *most = bucket.most == SIZE_MAX ? json_null() : json_integer((json_int_t)bucket.most);
    return json_pack("{sIsosIsfsf}", "least", (json_int_t)bucket.least, "most", most, "sentences",
                     (json_int_t)stats->sentences, "bleu", score_stats_score(stats, SCORE_BLEU),
                     "chrf2", score_stats_score(stats, SCORE_CHRF));
}

static json_t *lengths_json(const Evaluation *evaluation)
{
    const ScoreStats *stats = length_table_stats(&evaluation->lengths);
    json_t *buckets = json_array();
    for (size_t i = 0; i < LENGTH_BUCKETS; i++)
        if (stats[i].sentences) json_append(&buckets, bucket_json(length_buckets[i], &stats[i]));
    return json_pack("{ssssso}", "of", evaluation->of_reference ? "first reference" : "source",
                     "unit", unit_kind_names[length_table_unit(&evaluation->lengths)], "buckets",
                     buckets);
}

static json_t *whole_json(const Evaluation *evaluation, const EvaluationCertainty *certainty)
{
    const ScoreStats *sum = &evaluation->sums[SYSTEM_MEASURED];
    json_t *json =
        json_pack("{sIsosos{sIsf}}", "sentences", (json_int_t)sum->sentences, "bleu",
                  metric_json(evaluation, SCORE_BLEU, certainty), "chrf2",
                  metric_json(evaluation, SCORE_CHRF, certainty), "exact", "count",
                  (json_int_t)sum->exact, "share", (double)sum->exact / (double)sum->sentences);
    if (evaluation->options.by_length)
        json_object_set_new(json, "by_length", lengths_json(evaluation));
    return json;
}

Status evaluation_write(const Evaluation *evaluation, bool json, Output *output, Error *error)
{
    const EvaluationOptions *options = &evaluation->options;
    EvaluationCertainty certainty = evaluation_resample(evaluation);
    if (json)
        return output_json(output, whole_json(evaluation, &certainty), JSON_REAL_PRECISION(9),
                           error);
    Writer out = output_start(output, error);
    write_figures(&out, evaluation);
    if (options->confidence) write_intervals(&out, evaluation, &certainty);
    if (options->against) write_comparison(&out, evaluation, &certainty);
    if (options->by_length) write_lengths(&out, evaluation);
    return output_end(output, &out);
}
