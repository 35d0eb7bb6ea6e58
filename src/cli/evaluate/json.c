#include "cli/evaluate/json.h"

#include "io/json.h"

#include <stdint.h>

/* Jansson's functions take over what they are given and accept NULL as a failure, so that only the
 * end has to be looked at. */

static json_t *count_json(size_t count)
{
    return json_integer((json_int_t)count);
}

static json_t *metric_json(const Evaluation *evaluation, ScoreMetric metric,
                           const EvaluationCertainty *certainty)
{
    const ScoreStats *sum = &evaluation->sums[SYSTEM_MEASURED];
    const BootstrapInterval *interval = &certainty->intervals[metric];
    const BootstrapComparison *comparison = &certainty->comparisons[metric];
    Bytes signature = {0};
    bool failed = evaluation_signature(evaluation, metric, &signature, NULL) != STATUS_OK;
    json_t *json = failed ? NULL
                          : json_pack("{sfss}", "score", score_stats_score(sum, metric),
                                      "signature", signature.data);
    bytes_free(&signature);
    failed = !json;
    if (metric == SCORE_BLEU && !failed)
        failed =
            json_object_update_new(
                json, json_pack("{sfsoso}", "brevity_penalty", bleu_brevity_penalty(&sum->bleu),
                                "hypothesis_tokens", count_json(sum->bleu.hypothesis_length),
                                "reference_tokens", count_json(sum->bleu.reference_length))) != 0;
    if (evaluation->confidence && !failed)
        failed = json_object_set_new(json, "confidence",
                                     json_pack("[ff]", interval->lower, interval->upper)) != 0;
    if (evaluation->against && !failed)
        failed = json_object_set_new(
                     json, "against",
                     json_pack("{sfsfsfsf}", "score",
                               score_stats_score(&evaluation->sums[SYSTEM_OTHER], metric),
                               "difference", comparison->difference, "better", comparison->better,
                               "p", comparison->p)) != 0;
    if (!failed) return json;
    json_decref(json);
    return NULL;
}

static json_t *bucket_json(LengthBucket bucket, const ScoreStats *stats)
{
    return json_pack("{sosososfsf}", "least", count_json(bucket.least), "most",
                     bucket.most == SIZE_MAX ? json_null() : count_json(bucket.most), "sentences",
                     count_json(stats->sentences), "bleu", score_stats_score(stats, SCORE_BLEU),
                     "chrf2", score_stats_score(stats, SCORE_CHRF));
}

static json_t *lengths_json(const Evaluation *evaluation)
{
    const ScoreStats *stats = length_table_stats(&evaluation->lengths);
    json_t *buckets = json_array();
    bool failed = !buckets;
    for (size_t i = 0; i < LENGTH_BUCKETS && !failed; i++)
        if (stats[i].sentences)
            failed = json_array_append_new(buckets, bucket_json(length_buckets[i], &stats[i])) != 0;
    if (!failed)
        return json_pack("{ssssso}", "of",
                         evaluation->length_of == LENGTH_OF_SOURCE ? "source" : "first reference",
                         "unit", units_kind_name(length_table_unit(&evaluation->lengths)),
                         "buckets", buckets);
    json_decref(buckets);
    return NULL;
}

static json_t *whole_json(const Evaluation *evaluation)
{
    const ScoreStats *sum = &evaluation->sums[SYSTEM_MEASURED];
    EvaluationCertainty certainty = {0};
    if (evaluation->confidence || evaluation->against) certainty = evaluation_resample(evaluation);
    json_t *json =
        json_pack("{sososos{sosf}}", "sentences", count_json(sum->sentences), "bleu",
                  metric_json(evaluation, SCORE_BLEU, &certainty), "chrf2",
                  metric_json(evaluation, SCORE_CHRF, &certainty), "exact", "count",
                  count_json(sum->exact), "share", (double)sum->exact / (double)sum->sentences);
    if (!json || !evaluation->by_length) return json;
    if (json_object_set_new(json, "by_length", lengths_json(evaluation)) == 0) return json;
    json_decref(json);
    return NULL;
}

Status evaluation_json(const Evaluation *evaluation, Output *output, Error *error)
{
    Writer out = output_start(output, error);
    json_write(&out, whole_json(evaluation), JSON_REAL_PRECISION(9));
    writer_string(&out, "\n");
    return output_end(output, &out);
}
