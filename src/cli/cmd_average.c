// regard average: one model of several.

#include "base/memory.h"
#include "base/version.h"
#include "cli/file_names.h"
#include "cli/model_names.h"
#include "cli/verbs.h"
#include "io/json.h"
#include "model/average.h"

typedef struct AverageValues {
    const char *output;
    bool overwrite, force;
} AverageValues;

static const Option options[] = {
    OPTION_TEXT(AverageValues, output, "output", "FILE", "the mean, a model file", .required = true,
                .letter = 'o'),
    OPTION_FLAG(AverageValues, overwrite, "overwrite", "replace a file that exists"),
    OPTION_FLAG(AverageValues, force, "force", "average models of different runs"),
};

// Leaves in an object only what another one has as well, also within objects.
static void keep_common(json_t *common, const json_t *other)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(common, next, key, value)
    {
        const json_t *found = json_object_get(other, key);
        if (json_is_object(value) && json_is_object(found))
            keep_common(value, found);
        else if (!json_equal(value, found))
            json_object_del(common, key);
    }
}

// The models while they are being averaged; the first stays open, the others one at a time.
typedef struct Averaging {
    const AverageValues *values;
    const OptionTexts *paths;
    Model first, next;
    ModelAverage average;
    json_t *common;
    json_t *origin; // of the first
    bool alike;     // so far all have it
    char *training;
} Averaging;

/* Models of one origin are of one run, or went on from it. The mean of others translates nothing: what one
 * unit does in one model, another does in the other. */
static Status check_origin(Averaging *averaging, const json_t *training, const char *path,
                           Error *error)
{
    const char *first = averaging->paths->items[0];
    json_t *origin = training_origin(training);
    if (!averaging->common) {
        averaging->origin = origin;
        averaging->alike = true;
        return STATUS_OK;
    }
    bool known = origin && averaging->origin, same = json_equal(origin, averaging->origin);
    json_decref(origin);
    averaging->alike = averaging->alike && known && same;
    if (known && !same && !averaging->values->force)
        return error_set(
            error, STATUS_ARGUMENT,
            "%s: is of another run than %s, without a common --init: their mean "
            "translates nothing; --force makes it, --model A --model B translates with "
            "both",
            path, first);
    if (!known)
        report_warning("average",
                       "whether %s is of the run of %s is not known; compare the mean's BLEU with "
                       "theirs",
                       path, first);
    return STATUS_OK;
}

// Adds a model's description of its training to what all have in common, NULL at first.
static Status add_training(Averaging *averaging, const Model *model, const char *path, Error *error)
{
    FREED_BY(json_decref_at) json_t *training = NULL;
    const char *text = model->texts.training;
    TRY(json_parse(&training, text, strlen(text), path, "the description of its training", error));
    if (!json_is_object(training))
        return error_set(error, STATUS_FORMAT,
                         "%s: the description of its training is not an object", path);
    TRY(check_origin(averaging, training, path, error));
    if (averaging->common)
        keep_common(averaging->common, training);
    else
        averaging->common = json_incref(training);
    return STATUS_OK;
}

/* How the mean came about, as text: what all parts have in common but their progress and scores, which
 * are not the mean's. */
static Status describe(Averaging *averaging, Error *error)
{
    const OptionTexts *paths = averaging->paths;
    json_t *common = averaging->common;
    static const char *const not_of_the_mean[] = {
        "run",   "confidence",      "length_normalization", "steps",
        "epoch", "validation_bleu", "validation_loss"};
    for (size_t i = 0; i < sizeof not_of_the_mean / sizeof *not_of_the_mean; i++)
        json_object_del(common, not_of_the_mean[i]);
    json_t *added = json_pack("{s:s, s:o, s:O*}", "program", "regard " REGARD_VERSION, "average_of",
                              file_names_to_json(paths->items, paths->count), "origin",
                              averaging->alike ? averaging->origin : NULL);
    bool failed = json_object_update(common, added) != 0;
    json_decref(added);
    return json_text(&averaging->training, failed ? NULL : json_incref(common),
                     JSON_COMPACT | JSON_REAL_PRECISION(6), error);
}

static Status add(Averaging *averaging, Model *model, const char *path, Error *error)
{
    TRY(model_open(model, path, error));
    if (model->weights != WEIGHTS_REAL)
        report_warning("average", "%s is quantised: the mean is of its rounded weights", path);
    TRY(model_average_add(&averaging->average, model, path, error));
    return add_training(averaging, model, path, error);
}

static Status save_mean(Averaging *averaging, Error *error)
{
    const OptionTexts *paths = averaging->paths;
    TRY(add(averaging, &averaging->first, paths->items[0], error));
    for (size_t i = 1; i < paths->count; i++) {
        TRY(add(averaging, &averaging->next, paths->items[i], error));
        model_close(&averaging->next);
    }
    TRY(describe(averaging, error));
    model_average_finish(&averaging->average);
    ModelTexts texts = averaging->first.texts;
    texts.training = averaging->training;
    return model_save(averaging->values->output, &averaging->average.params, &texts,
                      &averaging->first, error);
}

static void averaging_free(Averaging *averaging)
{
    model_average_free(&averaging->average);
    model_close(&averaging->next);
    model_close(&averaging->first);
    json_decref(averaging->common);
    json_decref(averaging->origin);
    memory_free(averaging->training);
}

static Status average(const Arguments *arguments, Output *output, Error *error)
{
    const AverageValues *values = arguments->values;
    const OptionTexts *paths = &arguments->operands;
    FREED_BY(averaging_free) Averaging averaging = {.values = values, .paths = paths};
    bool read = file_is_among(values->output, paths->items, paths->count);
    TRY(model_names_refuse(values->output, "output", error));
    TRY(output_file_check(values->output, "output", read, values->overwrite, error));
    TRY(save_mean(&averaging, error));
    return output_format(output, error, "%s: the mean of %zu models\n", values->output,
                         paths->count);
}

const Verb verb_average = {
    .name = "average",
    .summary = "make one model of several: the mean of their weights",
    .description =
        "Models that began alike, such as those of one --init with different seeds or corpora, or "
        "of one training at different times, often translate better together: as the mean of their "
        "weights, which is as fast as one of them. Vocabularies and sizes must be "
        "equal. The mean of models of different runs, without a common --init, translates "
        "nothing and is refused.\nQuantised models are averaged by their rounded weights; the mean "
        "is not "
        "quantised. It has the word aligner and the lexicon of the first model, if that carries "
        "them, but no "
        "shortlist, and no BLEU until it is evaluated.",
    VERB_OPTIONS(options, (const AverageValues){0}),
    .models = true,
    .operands = {"MODEL", "model files, at least two", 2, MAX_OPTION_TEXTS},
    .examples = "The mean of three models:\n"
                "  regard average a.safetensors b.safetensors c.safetensors -o mean.safetensors\n",
    .run = average,
};
