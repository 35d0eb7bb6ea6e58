// regard score: the log-probability of given pairs.

#include "cli/model_options.h"
#include "cli/pairs.h"
#include "cli/verbs.h"
#include "translate/subword_labels.h"

typedef struct ScoreValues {
    ModelOptions model;
    PairOptions pairs;
    bool json;
} ScoreValues;

static const Option options[] = {
    MODEL_OPTION(ScoreValues),
    OPTION_FLAG(ScoreValues, json, "json",
                "print one JSON object for each pair, with the log-probability of each token"),
    COLUMNS_OPTION(ScoreValues, 0),
    THREADS_OPTION(ScoreValues, 0),
    PRECISION_OPTION(ScoreValues, 0),
};

typedef struct ScoreRun {
    OpenModel model;
    bool json;
    SubwordLabels labels; // of the pair being written
    Output *output;
} ScoreRun;

// The target's tokens, </s> last, with their log-probabilities; NULL if out of memory.
static json_t *tokens_json(const ScoreRun *run, const float *log_ps)
{
    Labels target = subword_labels(&run->labels, 1);
    json_t *list = json_array();
    for (size_t t = 0; t < target.units->count; t++) {
        json_t *log_p = json_number((double)log_ps[t]);
        json_append(&list, json_pack("{s:o, s:o}", "token", label_json(target, t),
                                     "log_probability", log_p));
    }
    return list;
}

static Status write_json(ScoreRun *run, const Translation *pair, size_t number, Error *error)
{
    const Rendering *target = &pair->renderings[0];
    TRY(subword_labels_set(&run->labels, &run->model.translator, pair, target, error));
    json_t *json = json_pack("{s:I, s:s%, s:s%, s:o, s:o}",                            //
                             "pair", (json_int_t)number - 1,                           //
                             "source", bytes_text(&pair->source), pair->source.length, //
                             "target", bytes_text(&target->text), target->text.length, //
                             "log_probability", json_number(target->log_p),            //
                             "tokens", tokens_json(run, target->log_ps));
    return output_json(run->output, json, JSON_COMPACT | JSON_REAL_PRECISION(9), error);
}

static Status write_score(void *context, const Translation *pair, size_t number, Error *error)
{
    ScoreRun *run = context;
    if (pair->cut)
        report_warning("score", "pair %zu is longer than %d subwords; the rest is not scored",
                       number, MAX_TRANSLATION_SUBWORDS);
    if (run->json) return write_json(run, pair, number, error);
    return output_format(run->output, error, "%.6f\n", pair->renderings[0].log_p);
}

static Status score(const Arguments *arguments, Output *output, Error *error)
{
    const ScoreValues *values = arguments->values;
    ScoreRun run = {.json = values->json, .output = output};
    const PairInput input = {.verb = "score",
                             .spec = arguments->operands.items[0],
                             .options = &values->pairs,
                             .translator = &run.model.translator,
                             .output = output};
    TRY(pair_options_check(&values->pairs, &input.spec, 1, error));
    TRY(open_model(&run.model, &values->model, false, error));
    Status status = force_pairs(run.model.session, input, false, write_score, &run, error);
    subword_labels_free(&run.labels);
    close_model(&run.model);
    return status;
}

static const ScoreValues defaults = {.model = MODEL_OPTIONS_DEFAULT};

const Verb verb_score = {
    .name = "score",
    .summary = "print the log-probability of given pairs",
    .description = "Prints one number for each pair: the natural logarithm of the "
                   "probability of the target and its end of sentence, given the source. "
                   "Neither is ever split into sentences.",
    VERB_OPTIONS(options, defaults),
    .operands = PAIRS_OPERAND(1),
    .examples = "The log-probability of each pair of two aligned files:\n"
                "  regard score --model model.safetensors test.en,test.fr\n"
                "The same for each token of the targets:\n"
                "  regard score --model model.safetensors --json test.en,test.fr\n",
    .run = score,
};
