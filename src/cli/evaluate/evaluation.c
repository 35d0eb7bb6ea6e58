#include "cli/evaluate/evaluation.h"

#include "base/array.h"
#include "base/memory.h"

// Whether the tallies of single sentences are resampled at the end.
static bool resamples(const Evaluation *evaluation)
{
    return evaluation->confidence || evaluation->against;
}

static size_t system_count(const Evaluation *evaluation)
{
    return evaluation->against ? SYSTEMS : 1;
}

// Makes room for one more sentence's tallies.
static Status reserve(Evaluation *evaluation, Error *error)
{
    size_t needed = evaluation->sums[SYSTEM_MEASURED].sentences + 1;
    size_t capacity = evaluation->capacity;
    Status status = STATUS_OK;
    for (size_t s = 0; s < system_count(evaluation) && !status; s++) {
        capacity = evaluation->capacity;
        status = array_reserve(&evaluation->tallies[s], &capacity, needed, "the sentences' counts",
                               error);
    }
    if (!status) evaluation->capacity = capacity;
    return status;
}

Status evaluation_add(Evaluation *evaluation, const EvaluationSentence *sentence, Error *error)
{
    Tally tallies[SYSTEMS];
    Status status = STATUS_OK;
    for (size_t s = 0; s < system_count(evaluation) && !status; s++)
        status = tally_sentence(&tallies[s], sentence->hypotheses[s], sentence->references,
                                sentence->reference_count, evaluation->tokenizer,
                                evaluation->lowercase, error);
    if (!status && resamples(evaluation)) status = reserve(evaluation, error);
    if (!status && evaluation->by_length)
        status = length_table_add(&evaluation->lengths, sentence->source, &tallies[SYSTEM_MEASURED],
                                  error);
    if (status) return status;
    size_t place = evaluation->sums[SYSTEM_MEASURED].sentences;
    for (size_t s = 0; s < system_count(evaluation); s++) {
        if (resamples(evaluation)) evaluation->tallies[s][place] = tallies[s];
        tally_add(&evaluation->sums[s], &tallies[s]);
    }
    if (sentence->reference_count > evaluation->references)
        evaluation->references = sentence->reference_count;
    return STATUS_OK;
}

Status evaluation_signature(const Evaluation *evaluation, TallyMetric metric, Bytes *out,
                            Error *error)
{
    const char *cased = evaluation->lowercase ? "lc" : "mixed";
    if (metric == TALLY_BLEU)
        return bytes_append_format(out, error, "nrefs:%zu|case:%s|eff:no|tok:%s|smooth:exp",
                                   evaluation->references, cased,
                                   bleu_tokenizer_name(evaluation->tokenizer));
    return bytes_append_format(out, error, "nrefs:%zu|case:%s|eff:yes|nc:6|nw:0|space:no",
                               evaluation->references, cased);
}

EvaluationCertainty evaluation_resample(const Evaluation *evaluation)
{
    EvaluationCertainty certainty = {0};
    Bootstrap resampled[SYSTEMS] = {0};
    const Tally *sums = evaluation->sums;
    for (size_t s = 0; s < system_count(evaluation); s++)
        bootstrap_resample(&resampled[s], evaluation->tallies[s], sums[s].sentences,
                           BOOTSTRAP_SEED);
    for (TallyMetric metric = 0; metric < TALLY_METRICS; metric++) {
        const double *measured = resampled[SYSTEM_MEASURED].scores[metric];
        certainty.intervals[metric] = bootstrap_interval(measured);
        if (!evaluation->against) continue;
        double difference =
            tally_score(&sums[SYSTEM_MEASURED], metric) - tally_score(&sums[SYSTEM_OTHER], metric);
        certainty.comparisons[metric] =
            bootstrap_compare(measured, resampled[SYSTEM_OTHER].scores[metric], difference);
    }
    return certainty;
}

const char *evaluation_metric_name(TallyMetric metric)
{
    return metric == TALLY_BLEU ? "BLEU" : "chrF2";
}

void evaluation_free(Evaluation *evaluation)
{
    for (size_t s = 0; s < SYSTEMS; s++) memory_free(evaluation->tallies[s]);
    length_table_free(&evaluation->lengths);
    *evaluation = (Evaluation){0};
}
