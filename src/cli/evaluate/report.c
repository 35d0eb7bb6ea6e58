#include "cli/evaluate/report.h"

#include <stdint.h>

static Status write_figures(const Evaluation *evaluation, Output *output, Error *error)
{
    const Tally *sum = &evaluation->sums[SYSTEM_MEASURED];
    Bytes bleu = {0}, chrf = {0};
    Status status = evaluation_signature(evaluation, TALLY_BLEU, &bleu, error);
    if (!status) status = evaluation_signature(evaluation, TALLY_CHRF, &chrf, error);
    if (!status)
        status = output_format(
            output, error,
            "BLEU %.2f %s (brevity penalty %.3f, hypotheses %zu tokens, references %zu)\n"
            "chrF2 %.2f %s\n"
            "exact %.2f %% (%zu of %zu equal a reference)\n",
            bleu_score(&sum->bleu), bleu.data, bleu_brevity_penalty(&sum->bleu),
            sum->bleu.hypothesis_length, sum->bleu.reference_length, chrf_score(&sum->chrf),
            chrf.data, 100 * (double)sum->exact / (double)sum->sentences, sum->exact,
            sum->sentences);
    bytes_free(&bleu);
    bytes_free(&chrf);
    return status;
}

static Status write_intervals(const Evaluation *evaluation, const EvaluationCertainty *certainty,
                              Output *output, Error *error)
{
    Status status = output_format(output, error,
                                  "\n95 %% confidence (%d bootstrap resamples of the sentences)\n"
                                  "            score     from       to\n",
                                  BOOTSTRAP_RESAMPLES);
    for (TallyMetric metric = 0; metric < TALLY_METRICS && !status; metric++)
        status = output_format(
            output, error, "  %-7s%8.2f %8.2f %8.2f\n", evaluation_metric_name(metric),
            tally_score(&evaluation->sums[SYSTEM_MEASURED], metric),
            certainty->intervals[metric].lower, certainty->intervals[metric].upper);
    return status;
}

static Status write_comparison(const Evaluation *evaluation, const EvaluationCertainty *certainty,
                               Output *output, Error *error)
{
    Status status = output_format(output, error,
                                  "\nagainst %s (paired bootstrap, %d resamples)\n"
                                  "            score  against  difference  better in       p\n",
                                  evaluation->against, BOOTSTRAP_RESAMPLES);
    for (TallyMetric metric = 0; metric < TALLY_METRICS && !status; metric++) {
        const BootstrapComparison *comparison = &certainty->comparisons[metric];
        status = output_format(output, error, "  %-7s%8.2f %8.2f %+11.2f %8.1f %% %7.3f\n",
                               evaluation_metric_name(metric),
                               tally_score(&evaluation->sums[SYSTEM_MEASURED], metric),
                               tally_score(&evaluation->sums[SYSTEM_OTHER], metric),
                               comparison->difference, 100 * comparison->better, comparison->p);
    }
    return status;
}

// A row: "1-5", "51+", and its figures.
static Status write_bucket(LengthBucket bucket, const Tally *tally, Output *output, Error *error)
{
    Bytes name = {0};
    Status status = bytes_append_format(&name, error, "%zu", bucket.least);
    if (!status && bucket.most == SIZE_MAX)
        status = bytes_append_string(&name, "+", error);
    else if (!status && bucket.most > bucket.least)
        status = bytes_append_format(&name, error, "-%zu", bucket.most);
    if (!status)
        status =
            output_format(output, error, "  %-7s%10zu %8.2f %8.2f\n", name.data, tally->sentences,
                          tally_score(tally, TALLY_BLEU), tally_score(tally, TALLY_CHRF));
    bytes_free(&name);
    return status;
}

static Status write_lengths(const Evaluation *evaluation, Output *output, Error *error)
{
    const LengthTable *lengths = &evaluation->lengths;
    const Tally *tallies = length_table_tallies(lengths);
    Status status = output_format(
        output, error,
        "\nby length of the %s in %s\n"
        "  length  sentences     BLEU    chrF2\n",
        evaluation->length_of == LENGTH_OF_SOURCE ? "source" : "first reference (no --source)",
        units_kind_name(length_table_unit(lengths)));
    for (size_t i = 0; i < LENGTH_BUCKETS && !status; i++)
        if (tallies[i].sentences)
            status = write_bucket(length_buckets[i], &tallies[i], output, error);
    return status;
}

Status evaluation_report(const Evaluation *evaluation, Output *output, Error *error)
{
    EvaluationCertainty certainty = {0};
    if (evaluation->confidence || evaluation->against) certainty = evaluation_resample(evaluation);
    Status status = write_figures(evaluation, output, error);
    if (!status && evaluation->confidence)
        status = write_intervals(evaluation, &certainty, output, error);
    if (!status && evaluation->against)
        status = write_comparison(evaluation, &certainty, output, error);
    if (!status && evaluation->by_length) status = write_lengths(evaluation, output, error);
    return status;
}
