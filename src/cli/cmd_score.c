// regard score: the log-probability of given pairs.

#include "cli/model_options.h"
#include "cli/pairs.h"
#include "cli/verbs.h"

typedef struct ScoreValues {
    ModelOptions model;
    PairOptions pairs;
} ScoreValues;

static const Option options[] = {MODEL_OPTION(ScoreValues), PAIR_OPTIONS(ScoreValues),
                                 COMPUTE_OPTIONS(ScoreValues)};

static Status write_score(void *context, const Translation *pair, size_t number, Error *error)
{
    Output *output = context;
    if (pair->cut)
        report_warning("score", "pair %zu is longer than %d subwords; the rest is not scored",
                       number, MAX_TRANSLATION_SUBWORDS);
    return output_format(output, error, "%.6f\n", pair->renderings[0].log_p);
}

static Status score(const Arguments *arguments, Output *output, Error *error)
{
    const ScoreValues *values = arguments->values;
    const PairInput input = {"score", arguments->operands.items[0], &values->pairs};
    OpenModel model;
    TRY(pair_options_check(&values->pairs, &input.spec, 1, error));
    TRY(open_model(&model, &values->model, false, error));
    Status status = force_pairs(model.session, &input, false, write_score, output, error);
    close_model(&model);
    return status;
}

static const ScoreValues defaults = {.model = MODEL_OPTIONS_DEFAULT};

const Verb verb_score = {
    .syntax =
        {
            .verb = "score",
            .summary = "print the log-probability of given pairs",
            .description = "Prints one number for each pair: the natural logarithm of the "
                           "probability of the target and its end of sentence, given the source.",
            SYNTAX_OPTIONS(options, defaults),
            .operands = PAIRS_OPERAND(1),
            .examples = "The log-probability of each pair of two aligned files:\n"
                        "  regard score --model model.safetensors test.en,test.fr\n",
        },
    .run = score,
};
