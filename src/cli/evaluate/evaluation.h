/* Sentences in, sums out: translations measured against references, wherever both come from.
 * evaluation_report.h and evaluation_json.h write what has come together. */
#ifndef REGARD_CLI_EVALUATE_EVALUATION_H
#define REGARD_CLI_EVALUATE_EVALUATION_H

#include "base/bytes.h"
#include "metrics/bootstrap.h"
#include "metrics/length_table.h"

// Whose length --by-length counts.
typedef enum LengthOf { LENGTH_OF_SOURCE, LENGTH_OF_REFERENCE } LengthOf;

// The two systems: the one that is measured, and the one of --against.
typedef enum System { SYSTEM_MEASURED, SYSTEM_OTHER, SYSTEMS } System;

/* Start from `Evaluation e = {…}` with the first group of members set, end with evaluation_free. */
typedef struct Evaluation {
    BleuTokenizer tokenizer;
    bool lowercase;
    bool confidence;     // intervals are wanted
    bool by_length;      // scores by length are wanted
    LengthOf length_of;  // and of this
    const char *against; // the file of the other system, or NULL; not owned

    size_t references; // of the sentence that has most
    Tally sums[SYSTEMS];
    LengthTable lengths;
    Tally *tallies[SYSTEMS]; // (sums[0].sentences) each sentence's, kept if it will be resampled
    size_t capacity;         // of either
} Evaluation;

// One sentence; nothing is owned.
typedef struct EvaluationSentence {
    const char *hypotheses[SYSTEMS]; // the other's is NULL without --against
    const char *const *references;
    size_t reference_count; // ≥ 1
    const char *source;     // whose length counts, with by_length
} EvaluationSentence;

Status evaluation_add(Evaluation *evaluation, const EvaluationSentence *sentence, Error *error);

/* Appends how a figure came about, in the words of sacreBLEU's signatures (Post 2018):
 * "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp". */
Status evaluation_signature(const Evaluation *evaluation, TallyMetric metric, Bytes *out,
                            Error *error);

// What resampling says, of each metric; `comparisons` only with --against.
typedef struct EvaluationCertainty {
    BootstrapInterval intervals[TALLY_METRICS];
    BootstrapComparison comparisons[TALLY_METRICS];
} EvaluationCertainty;

/* Resamples, which takes a moment for many sentences. There must be one at least, and confidence or
 * against must have been asked for. */
EvaluationCertainty evaluation_resample(const Evaluation *evaluation);

// The name of a metric as it is printed: "BLEU", "chrF2".
const char *evaluation_metric_name(TallyMetric metric);

void evaluation_free(Evaluation *evaluation);

#endif
