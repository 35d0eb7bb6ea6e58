// regard average: one model of several.

#include "base/memory.h"
#include "base/version.h"
#include "cli/file_names.h"
#include "cli/verbs.h"
#include "io/file_writer.h"
#include "io/json.h"
#include "model/average.h"

#include <string.h>

typedef struct AverageValues {
    const char *output;
    bool overwrite;
} AverageValues;

static const Option options[] = {
    OPTION_TEXT(AverageValues, output, "output", "FILE", "the mean, a model file", .required = true,
                .letter = 'o'),
    OPTION_FLAG(AverageValues, overwrite, "overwrite", "replace a file that exists"),
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

// Adds a model's description of its training to what all have in common, NULL at first.
static Status add_training(json_t **common, const Model *model, const char *path, Error *error)
{
    json_t *training;
    const char *text = model->texts.training;
    TRY(json_parse(&training, text, strlen(text), path, "the description of its training", error));
    bool valid = json_is_object(training);
    if (valid && *common) keep_common(*common, training);
    if (valid && !*common) *common = json_incref(training);
    json_decref(training);
    if (valid) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "%s: the description of its training is not an object",
                     path);
}

/* How the mean came about, as text: what all parts have in common but their progress and scores, which
 * are not the mean's. */
static Status describe(char **text, json_t *common, const OptionTexts *paths, Error *error)
{
    static const char *const not_of_the_mean[] = {"run",   "confidence",      "steps",
                                                  "epoch", "validation_bleu", "validation_loss"};
    for (size_t i = 0; i < sizeof not_of_the_mean / sizeof *not_of_the_mean; i++)
        json_object_del(common, not_of_the_mean[i]);
    json_t *added = json_pack("{s:s, s:o}", "program", "regard " REGARD_VERSION, "average_of",
                              file_names_to_json(paths->items, paths->count));
    bool failed = json_object_update(common, added) != 0;
    json_decref(added);
    return json_text(text, failed ? NULL : json_incref(common),
                     JSON_COMPACT | JSON_REAL_PRECISION(6), error);
}

// The models while they are being averaged; the first stays open, the others one at a time.
typedef struct Averaging {
    Model first, next;
    ModelAverage average;
    json_t *common;
    char *training;
} Averaging;

static Status add(Averaging *averaging, Model *model, const char *path, Error *error)
{
    TRY(model_open(model, path, error));
    if (model->dequantised)
        report_warning("average", "%s is quantised: the mean is of its rounded weights", path);
    TRY(add_training(&averaging->common, model, path, error));
    return model_average_add(&averaging->average, model, path, error);
}

static Status run(Averaging *averaging, const OptionTexts *paths, const char *output, Error *error)
{
    TRY(add(averaging, &averaging->first, paths->items[0], error));
    for (size_t i = 1; i < paths->count; i++) {
        TRY(add(averaging, &averaging->next, paths->items[i], error));
        model_close(&averaging->next);
    }
    TRY(describe(&averaging->training, averaging->common, paths, error));
    model_average_finish(&averaging->average);
    ModelTexts texts = averaging->first.texts;
    texts.training = averaging->training;
    return model_save_with_aligner(output, &averaging->average.params, &texts, &averaging->first,
                                   error);
}

static Status average(const Arguments *arguments, Output *output, Error *error)
{
    const AverageValues *values = arguments->values;
    const OptionTexts *paths = &arguments->operands;
    Averaging averaging = {0};
    bool read = false;
    for (size_t i = 0; i < paths->count; i++)
        read = read || file_is_same(paths->items[i], values->output);
    TRY(output_file_check(values->output, "output", read, values->overwrite, error));
    Status status = run(&averaging, paths, values->output, error);
    model_average_free(&averaging.average);
    model_close(&averaging.next);
    model_close(&averaging.first);
    json_decref(averaging.common);
    memory_free(averaging.training);
    TRY(status);
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
        "equal.\nQuantised models are averaged by their rounded weights; the mean is not "
        "quantised. It has the word aligner of the first model, if that carries one, but no "
        "shortlist, and no BLEU until it is evaluated.",
    VERB_OPTIONS(options, (const AverageValues){0}),
    .models = true,
    .operands = {"MODEL", "model files, at least two", 2, MAX_OPTION_TEXTS},
    .examples = "The mean of three models:\n"
                "  regard average a.safetensors b.safetensors c.safetensors -o mean.safetensors\n",
    .run = average,
};
