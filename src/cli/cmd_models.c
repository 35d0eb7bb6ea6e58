// regard models: the models that a name finds.

#include "cli/languages.h"
#include "cli/verbs.h"
#include "model/model_file.h"
#include "text/utf8.h"
#include "translate/model_folders.h"

#include <stdio.h>

typedef struct ModelsValues {
    bool json;
} ModelsValues;

static const Option options[] = {
    OPTION_FLAG(ModelsValues, json, "json", "print one JSON object for each model"),
};

// What a model's file says of itself. Start from {0}, end with summary_free.
typedef struct Summary {
    const NamedModel *model;
    SafetensorsFile *file;
    json_t *training;
    const char *languages[2]; // tags of source and target; NULL if not known
    const json_t *bleu;       // on its validation part; NULL if not known
    Error error;              // why the file is no model
    Status status;
} Summary;

static Status read_summary(Summary *summary, Error *error)
{
    const char *path = summary->model->path;
    static const char *const keys[2] = {"source_language", "target_language"};
    ModelConfig config;
    ModelTexts texts;
    TRY(safetensors_open(&summary->file, path, error));
    TRY(model_read_metadata(summary->file, path, &config, &texts, error));
    TRY(json_parse(&summary->training, texts.training, strlen(texts.training), path,
                   "the description of its training", error));
    for (int side = 0; side < 2; side++) {
        const char *tag = json_string_value(json_object_get(summary->training, keys[side]));
        summary->languages[side] = tag && language_is_tag(tag) ? tag : NULL;
    }
    const json_t *bleu = json_object_get(summary->training, "validation_bleu");
    summary->bleu = json_is_number(bleu) ? bleu : NULL;
    return STATUS_OK;
}

static void summary_free(Summary *summary)
{
    json_decref(summary->training);
    safetensors_close(summary->file);
}

static json_t *summary_json(const Summary *summary)
{
    const char *unreadable = summary->status ? summary->error.text : NULL;
    json_t *bytes = unreadable ? NULL : json_integer((json_int_t)safetensors_size(summary->file));
    return json_pack("{ss so* ss* ss* so* ss ss*}", "name", summary->model->name, "bytes", bytes,
                     "source_language", summary->languages[0], "target_language",
                     summary->languages[1], "validation_bleu",
                     summary->bleu ? json_number(json_number_value(summary->bleu)) : NULL, "file",
                     summary->model->path, "error", unreadable);
}

// A cell of the table, filled up to `width` columns.
static void write_cell(Writer *out, const char *text, size_t width)
{
    writer_string(out, text);
    size_t columns = utf8_text_width(text, strlen(text));
    writer_repeat(out, " ", columns < width + 2 ? width + 2 - columns : 0);
}

static Status write_text(const Summary *summary, size_t name_width, Output *output, Error *error)
{
    enum { LANGUAGES = 20, SIZE = 9, BLEU = 20 };
    char languages[2 * LANGUAGE_SIZE + 8], size[32], bleu[32] = "";
    Writer out = output_start(output, error);
    write_cell(&out, summary->model->name, name_width);
    if (summary->status) {
        writer_format(&out, "cannot be used: %s\n", summary->error.text);
        return output_end(output, &out);
    }
    (void)snprintf(languages, sizeof languages, "%s → %s", language_label(summary->languages[0]),
                   language_label(summary->languages[1]));
    (void)snprintf(size, sizeof size, "%.1f MB", (double)safetensors_size(summary->file) / 1e6);
    if (summary->bleu)
        (void)snprintf(bleu, sizeof bleu, "validation BLEU %.1f", json_number_value(summary->bleu));
    write_cell(&out, languages, LANGUAGES);
    write_cell(&out, size, SIZE);
    write_cell(&out, bleu, BLEU);
    writer_format(&out, "%s\n", summary->model->path);
    return output_end(output, &out);
}

// A damaged file is listed as such; short memory and what cannot be read are failures.
static Status write_model(const NamedModel *model, bool json, size_t name_width, Output *output,
                          Error *error)
{
    FREED_BY(summary_free) Summary summary = {.model = model};
    summary.status = read_summary(&summary, &summary.error);
    if (summary.status && summary.status != STATUS_FORMAT) {
        if (error) *error = summary.error;
        return summary.status;
    }
    return json ? output_json(output, summary_json(&summary), JSON_COMPACT | JSON_REAL_PRECISION(6),
                              error)
                : write_text(&summary, name_width, output, error);
}

static Status models(const Arguments *arguments, Output *output, Error *error)
{
    const ModelsValues *values = arguments->values;
    FREED_BY(model_folders_free) ModelFolders folders = {0};
    FREED_BY(bytes_free) Bytes places = {0};
    TRY(model_folders_read(&folders, error));
    size_t width = 0;
    for (size_t i = 0; i < folders.model_count; i++) {
        const char *name = folders.models[i].name;
        size_t columns = utf8_text_width(name, strlen(name));
        if (columns > width) width = columns;
    }
    if (folders.model_count == 0) {
        TRY(model_folders_describe(&places, &folders, error));
        report_warning("models", "there are no models in %s", bytes_text(&places));
    }
    for (size_t i = 0; i < folders.model_count; i++)
        TRY(write_model(&folders.models[i], values->json, width, output, error));
    return STATUS_OK;
}

const Verb verb_models = {
    .name = "models",
    .summary = "list the models that are found by name",
    .description =
        "Prints for each its name, languages, size, BLEU on its validation part, and file. Every "
        "verb that takes a model takes such a name, as in regard translate en-fr: the file "
        "NAME.safetensors in the first of these folders that has it.\n$REGARD_MODELS, several with "
        "colons between them; $XDG_DATA_HOME/regard/models or ~/.local/share/regard/models; "
        "share/regard/models where Regard is installed; models beside the program.",
    VERB_OPTIONS(options, (const ModelsValues){0}),
    .examples = "What there is:\n"
                "  regard models\n"
                "The same for a program:\n"
                "  regard models --json\n",
    .run = models,
};
