// regard calibrate: what a model learns of its own translations: how sure it is of them, and how
// hypotheses of different lengths compare.

#include "cli/model_options.h"
#include "cli/verbs.h"
#include "translate/confidence_learning.h"

typedef struct CalibrateValues {
    ModelOptions model;
    PairOptions pairs;
    bool check, json;
} CalibrateValues;

static const Option options[] = {
    MODEL_OPTION(CalibrateValues),
    OPTION_FLAG(CalibrateValues, check, "check",
                "only measure the confidence that the model has; write nothing"),
    OPTION_FLAG(CalibrateValues, json, "json",
                "print one JSON object, which tools/reliability draws"),
    COLUMNS_OPTION(CalibrateValues, 0),
    THREADS_OPTION(CalibrateValues, 0),
};

static Status write_measure(Output *output, const char *what, const ConfidenceMeasure *measure,
                            Error *error)
{
    TRY(output_format(
        output, error, "%s: %zu, %.1f %% right; expected calibration error %.3f, AUC %.3f", what,
        measure->count, 100 * measure->right, measure->calibration_error, measure->auc));
    if (measure->certain == 0) return output_format(output, error, "; none has 0.8\n");
    return output_format(output, error, "; of the %.1f %% with at least 0.8, %.1f %% right\n",
                         100 * measure->certain, 100 * measure->certain_right);
}

static json_t *measure_json(const ConfidenceMeasure *measure)
{
    json_t *bins = json_array();
    for (size_t i = 0; i < CONFIDENCE_BINS; i++)
        json_append(&bins, json_pack("{s:I, s:o, s:o}", "count", (json_int_t)measure->bins[i].count,
                                     "probability", json_number(measure->bins[i].probability),
                                     "right", json_number(measure->bins[i].right)));
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "count", (json_int_t)measure->count,
                     "right", json_number(measure->right), "calibration_error",
                     json_number(measure->calibration_error), "auc", json_number(measure->auc),
                     "certain", json_number(measure->certain), "certain_right",
                     json_number(measure->certain_right), "bins", bins);
}

// `choice` is NULL where nothing was chosen.
static Status write_all(Output *output, const ConfidenceMeasure measures[2],
                        const NormalizationChoice *choice, bool json, Error *error)
{
    if (json)
        return output_json(output,
                           json_pack("{s:o, s:o, s:o*}", "texts", measure_json(&measures[0]),
                                     "words", measure_json(&measures[1]), "length_normalization",
                                     choice ? json_number(choice->alpha) : NULL),
                           JSON_INDENT(2) | JSON_REAL_PRECISION(6), error);
    if (choice)
        TRY(output_format(output, error, "length normalization: %g, BLEU %.2f; with 1: %.2f\n",
                          choice->alpha, choice->bleu, choice->bleu_of_1));
    TRY(write_measure(output, "texts", &measures[0], error));
    return write_measure(output, "words", &measures[1], error);
}

static Status calibrate(const Arguments *arguments, Output *output, Error *error)
{
    const CalibrateValues *values = arguments->values;
    const char *path = values->model.path, *pairs = arguments->operands.items[0];
    ConfidenceMeasure measures[2];
    NormalizationChoice choice;
    FREED_BY(text_corpus_free) TextCorpus corpus = {0};
    size_t threads = model_threads(&values->model);
    TRY(pair_options_check(&values->pairs, &pairs, 1, error));
    TRY(text_corpus_open(&corpus, NULL, error));
    TRY(text_corpus_read(&corpus, pairs, &values->pairs, error));
    if (corpus.count == 0) return error_set(error, STATUS_FORMAT, "%s: has no pairs", pairs);
    if (!values->check) TRY(confidence_learn(path, &corpus, threads, &choice, error));
    TRY(confidence_measure(measures, path, &corpus, threads, error));
    return write_all(output, measures, values->check ? NULL : &choice, values->json, error);
}

static const CalibrateValues defaults = {.model = MODEL_OPTIONS_DEFAULT};

const Verb verb_calibrate = {
    .name = "calibrate",
    .summary = "fit how sure a model is, and its search, to pairs it has not seen",
    .description =
        "Translates the sources of the first 1000 pairs, compares the translations with the "
        "targets, and keeps in the model's file what the probability that a text or a word is "
        "right follows from. regard train does this with its validation pairs; here it is done "
        "anew, for a model without it or for texts of another kind. Printed is how good the "
        "probabilities are for these pairs: measure with others than it was fitted to.\n"
        "Before that, it tries --length-normalization 0.6 to 1.6, and keeps in the model's file "
        "the value with the best BLEU if that has 0.5 more than 1, of N < 1000 pairs 0.5 sqrt(1000 "
        "/ N): less comes and goes with the pairs. From then on it is the model's default.",
    VERB_OPTIONS(options, defaults),
    .models = true,
    .operands = {"PAIRS", "FILE.tsv, FILE.csv, SOURCE,TARGET or FILE.tmx", 1, 1},
    .examples = "Fit to one's own kind of text:\n"
                "  regard calibrate --model en-fr.safetensors valid.tsv\n"
                "See how far the confidence can be trusted:\n"
                "  regard calibrate --model en-fr.safetensors test.tsv --check\n",
    .run = calibrate,
};
