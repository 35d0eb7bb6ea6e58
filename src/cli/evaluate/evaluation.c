#include "cli/evaluate/evaluation.h"

#include "base/array.h"
#include "base/memory.h"

// Whether the stats of single sentences are resampled at the end.
static bool resamples(const Evaluation *evaluation)
{
    return evaluation->options.confidence || evaluation->options.against;
}

static size_t system_count(const Evaluation *evaluation)
{
    return evaluation->options.against ? SYSTEMS : 1;
}

// Makes room for one more sentence's stats.
static Status reserve(Evaluation *evaluation, Error *error)
{
    size_t needed = evaluation->sums[SYSTEM_MEASURED].sentences + 1;
    size_t capacity = evaluation->capacity;
    Status status = STATUS_OK;
    for (size_t s = 0; s < system_count(evaluation) && !status; s++) {
        capacity = evaluation->capacity;
        status =
            array_reserve(&evaluation->stats[s], &capacity, needed, "the sentences' counts", error);
    }
    if (!status) evaluation->capacity = capacity;
    return status;
}

Status evaluation_add(Evaluation *evaluation, const EvaluationSentence *sentence, Error *error)
{
    ScoreStats stats[SYSTEMS];
    Status status = STATUS_OK;
    for (size_t s = 0; s < system_count(evaluation) && !status; s++)
        status = score_stats_of(
            &stats[s],
            &(Segment){sentence->hypotheses[s], sentence->references, sentence->reference_count},
            evaluation->options.tokenizer, evaluation->options.lowercase, error);
    if (!status && resamples(evaluation)) status = reserve(evaluation, error);
    if (!status && evaluation->options.by_length)
        status = length_table_add(&evaluation->lengths, sentence->source, &stats[SYSTEM_MEASURED],
                                  error);
    if (status) return status;
    size_t place = evaluation->sums[SYSTEM_MEASURED].sentences;
    for (size_t s = 0; s < system_count(evaluation); s++) {
        if (resamples(evaluation)) evaluation->stats[s][place] = stats[s];
        score_stats_add(&evaluation->sums[s], &stats[s]);
    }
    if (sentence->reference_count > evaluation->references)
        evaluation->references = sentence->reference_count;
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
    *evaluation = (Evaluation){0};
}
