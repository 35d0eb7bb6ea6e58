#include "cli/evaluate/evaluation.h"

#include "base/array.h"

// Whether the stats of single sentences are resampled at the end.
static bool resamples(const Evaluation *evaluation)
{
    return evaluation->options.confidence || evaluation->options.against;
}

static size_t system_count(const Evaluation *evaluation)
{
    return evaluation->options.against ? SYSTEMS : 1;
}

static void count_references(Evaluation *evaluation, const EvaluationSentence *sentence, bool first)
{
    const Segment segment = {NULL, sentence->references, sentence->reference_count};
    size_t count = segment_reference_count(&segment);
    if (first || count < evaluation->least_references) evaluation->least_references = count;
    if (first || count > evaluation->most_references) evaluation->most_references = count;
}

Status evaluation_add(Evaluation *evaluation, const EvaluationSentence *sentence, Error *error)
{
    const EvaluationOptions *options = &evaluation->options;
    size_t place = evaluation->sums[SYSTEM_MEASURED].sentences;
    ScoreStats stats[SYSTEMS];
    for (size_t s = 0; s < system_count(evaluation); s++) {
        Segment segment = {sentence->hypotheses[s], sentence->references,
                           sentence->reference_count};
        TRY(score_stats_of(&stats[s], &segment, options->tokenizer, options->lowercase, error));
        if (!resamples(evaluation)) continue;
        TRY(array_reserve(&evaluation->stats[s], &evaluation->capacity[s], place + 1,
                          "the sentences' counts", error));
        evaluation->stats[s][place] = stats[s];
    }
    if (options->by_length)
        TRY(length_table_add(&evaluation->lengths, sentence->source, &stats[SYSTEM_MEASURED],
                             error));
    for (size_t s = 0; s < system_count(evaluation); s++)
        score_stats_add(&evaluation->sums[s], &stats[s]);
    count_references(evaluation, sentence, place == 0);
    return STATUS_OK;
}

EvaluationCertainty evaluation_resample(const Evaluation *evaluation)
{
    EvaluationCertainty certainty = {0};
    Bootstrap resampled[SYSTEMS] = {0};
    const ScoreStats *sums = evaluation->sums;
    if (!resamples(evaluation)) return certainty;
    for (size_t s = 0; s < system_count(evaluation); s++)
        bootstrap_resample(&resampled[s], evaluation->stats[s], sums[s].sentences, BOOTSTRAP_SEED);
    for (ScoreMetric metric = 0; metric < SCORE_METRICS; metric++) {
        const double *measured = resampled[SYSTEM_MEASURED].scores[metric];
        certainty.intervals[metric] = bootstrap_interval(measured);
        if (!evaluation->options.against) continue;
        double difference = score_stats_score(&sums[SYSTEM_MEASURED], metric) -
                            score_stats_score(&sums[SYSTEM_OTHER], metric);
        certainty.comparisons[metric] =
            bootstrap_compare(measured, resampled[SYSTEM_OTHER].scores[metric], difference);
    }
    return certainty;
}

void evaluation_free(Evaluation *evaluation)
{
    for (size_t s = 0; s < SYSTEMS; s++) memory_free(evaluation->stats[s]);
    length_table_free(&evaluation->lengths);
    file_writer_abandon(evaluation->translations);
    *evaluation = (Evaluation){0};
}
