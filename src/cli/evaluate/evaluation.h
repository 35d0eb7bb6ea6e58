// `regard evaluate`: scores of translations against references.
#pragma once

#include "cli/args/options.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "cli/pairs.h"
#include "io/file_writer.h"
#include "io/line_reader.h"
#include "metrics/bootstrap.h"
#include "metrics/score_stats.h"

// The system being evaluated, and that of --against.
typedef enum System { SYSTEM_MEASURED, SYSTEM_OTHER, SYSTEMS } System;

typedef struct EvaluationOptions {
    BleuTokenizer tokenizer;
    bool lowercase;
    bool confidence;     // compute confidence intervals
    bool by_length;      // compute scores by length
    const char *against; // file of the other system, or NULL
} EvaluationOptions;

/* Start from `Evaluation e = {.options = …}`, fill by evaluate_model or evaluate_files, end with
 * evaluation_free. */
typedef struct Evaluation {
    EvaluationOptions options;
    bool of_reference; // by_length counts the first reference, not the source
    size_t least_references, most_references; // of a sentence (segment_reference_count)
    FileWriter *translations; // where those of evaluate_model are written; NULL for nowhere
    ScoreStats sums[SYSTEMS];
    LengthTable lengths;
    ScoreStats *stats[SYSTEMS]; // (sums[0].sentences) of each sentence, if they will be resampled
    size_t capacity[SYSTEMS];
} Evaluation;

// One sentence; nothing is owned.
typedef struct EvaluationSentence {
    const char *hypotheses[SYSTEMS]; // the other's is NULL without --against
    const char *const *references;
    size_t reference_count; // ≥ 1
    const char *source;     // whose length counts for by_length
} EvaluationSentence;

Status evaluation_add(Evaluation *evaluation, const EvaluationSentence *sentence, Error *error);

// Results of resampling for each metric; `comparisons` only with --against.
typedef struct EvaluationCertainty {
    BootstrapInterval intervals[SCORE_METRICS];
    BootstrapComparison comparisons[SCORE_METRICS];
} EvaluationCertainty;

/* Resamples if `confidence` or `against` is set, which takes a moment for many sentences.
 * Needs at least one. */
EvaluationCertainty evaluation_resample(const Evaluation *evaluation);

/* Translates the sources of PAIRS (corpus/pair_reader.h; pairs with an empty side are left out) and
 * adds each translation with its target; with `group_source`, the targets of all rows with the same
 * source are references of one sentence. The evaluation's file of another system must have a line
 * for each sentence, in their order. Translations that are written are not yet committed. */
Status evaluate_model(const OpenModel *model, const PairInput *pairs, bool group_source,
                      const TranslateOptions *options, Evaluation *evaluation, Error *error);

/* The lines of a file as strings, one at a time, for metrics, which read up to a NUL. Start from
 * {0}, open the reader, end with text_lines_close. `line` is the current one; a NUL in it becomes
 * the byte FF, which reads as U+FFFD like every other byte that is not text. */
typedef struct TextLines {
    LineReader *reader; // NULL until it is opened
    Bytes line;
    size_t count; // read so far
} TextLines;

// Reads the next line; *more = false at the end.
Status text_lines_next(TextLines *lines, bool *more, Error *error);

void text_lines_close(TextLines *lines);

/* Adds every line of `hypothesis` with those of the same number of `references` (count ≥ 1), of the
 * evaluation's file of another system, and of `source`, if there are any; with by_length and
 * without `source` the first reference's length counts. Files of different length are
 * STATUS_FORMAT, with both lengths named; `-` is standard input, for one of the files. */
Status evaluate_files(const char *hypothesis, const OptionTexts *references, const char *source,
                      Evaluation *evaluation, Error *error);

/* Writes three lines, which begin "BLEU 34.20", "chrF2 57.31" and "exact 12.50 %", with the
 * signatures, and for BLEU the precisions, the brevity penalty and the lengths in tokens.
 *
 * Then, if requested, each after an empty line: the intervals, the comparison with the other
 * system, and the table by length, without empty buckets.
 *
 * For programs, `json`: one object on one line, described in docs/formats.md. */
Status evaluation_write(const Evaluation *evaluation, bool json, Output *output, Error *error);

void evaluation_free(Evaluation *evaluation);
