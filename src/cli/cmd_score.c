// regard score: the log-probability of given pairs.

#include "cli/model_options.h"
#include "cli/pairs.h"
#include "cli/verbs.h"

typedef struct ScoreValues {
    const char *model;
    size_t threads;
    Precision precision;
} ScoreValues;

static const Option options[] = {
    OPTION_TEXT(ScoreValues, model, "model", "FILE", "the model", .required = true),
    OPTION_SIZE(ScoreValues, threads, "threads", "N", 1, 1024, "number of threads",
                .otherwise = "all processors"),
    OPTION_CHOICE(ScoreValues, precision, "precision", precision_names, PRECISION_HELP),
};

static Status write_score(void *context, const Translation *pair, size_t number, Output *output,
                          Error *error)
{
    (void)context;
    if (pair->cut)
        report_warning("score", "pair %zu is longer than %d subwords; the rest is not scored",
                       number, MAX_TRANSLATION_SUBWORDS);
    return output_format(output, error, "%.6f\n", pair->renderings[0].log_p);
}

static Status score(const Arguments *arguments, Output *output, Error *error)
{
    const ScoreValues *values = arguments->values;
    OpenModel model;
    Status status = open_model(&model, values->model, values->threads, values->precision, error);
    if (status) return status;
    PairWriter writer = {write_score, NULL, output};
    status = force_pairs(model.session, arguments->operands.items[0], false, &writer, error);
    close_model(&model);
    return status;
}

static const ScoreValues defaults = {.precision = PRECISION_FLOAT32};

const Verb verb_score = {
    .syntax =
        {
            .verb = "score",
            .summary = "print the log-probability of given pairs",
            .description = "Prints one number for each pair: the natural logarithm of the "
                           "probability of the target and its end of sentence, given the source.",
            .options = options,
            .option_count = sizeof options / sizeof *options,
            .defaults = &defaults,
            .values_size = sizeof defaults,
            .operands = {"PAIRS", "FILE.tsv, SOURCE,TARGET, FILE.tmx, or - for standard input", 1,
                         1},
            .examples = "The log-probability of each pair of two aligned files:\n"
                        "  regard score --model model.safetensors test.en,test.fr\n",
        },
    .run = score,
};
