// Scores of translations against references; cli/evaluate/report.h and json.h write them.
#ifndef REGARD_CLI_EVALUATE_EVALUATION_H
#define REGARD_CLI_EVALUATE_EVALUATION_H

#include "base/bytes.h"
#include "metrics/bootstrap.h"
#include "metrics/length_table.h"

// Whose length --by-length counts.
typedef enum LengthOf { LENGTH_OF_SOURCE, LENGTH_OF_REFERENCE } LengthOf;

// The system being evaluated, and that of --against.
typedef enum System { SYSTEM_MEASURED, SYSTEM_OTHER, SYSTEMS } System;

/* Start from `Evaluation e = {…}` with the first group of members set, end with evaluation_free. */
typedef struct Evaluation {
    BleuTokenizer tokenizer;
    bool lowercase;
    bool confidence;     // compute confidence intervals
    bool by_length;      // compute scores by length
    LengthOf length_of;  // of these texts
    const char *against; // file of the other system, or NULL; not owned

    size_t references; // the most of any sentence
    ScoreStats sums[SYSTEMS];
    LengthTable lengths;
    ScoreStats *stats[SYSTEMS]; // (sums[0].sentences) of each sentence, if they will be resampled
    size_t capacity;            // of either
} Evaluation;

// One sentence; nothing is owned.
typedef struct EvaluationSentence {
    const char *hypotheses[SYSTEMS]; // the other's is NULL without --against
    const char *const *references;
    size_t reference_count; // ≥ 1
    const char *source;     // whose length counts for by_length
} EvaluationSentence;

Status evaluation_add(Evaluation *evaluation, const EvaluationSentence *sentence, Error *error);

// Appends sacreBLEU's signature of a metric (Post 2018): "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp".
Status evaluation_signature(const Evaluation *evaluation, ScoreMetric metric, Bytes *out,
                            Error *error);

// Results of resampling for each metric; `comparisons` only with --against.
typedef struct EvaluationCertainty {
    BootstrapInterval intervals[SCORE_METRICS];
    BootstrapComparison comparisons[SCORE_METRICS];
} EvaluationCertainty;

/* Resamples, which takes a moment for many sentences. Needs at least one sentence, and `confidence`
 * or `against`. */
EvaluationCertainty evaluation_resample(const Evaluation *evaluation);

// The name of a metric as it is printed: "BLEU", "chrF2".
const char *evaluation_metric_name(ScoreMetric metric);

void evaluation_free(Evaluation *evaluation);

#endif
