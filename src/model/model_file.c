#include "model/model_file.h"

#include "base/array.h"
#include "base/memory.h"
#include "io/json.h"
#include "math/kernels.h"
#include "model/stored_tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The metadata of that key; a file without it is no model. */
static Status metadata(const SafetensorsFile *file, const char *path, const char *key,
                       const char **value, Error *error)
{
    *value = safetensors_metadata(file, key);
    if (*value) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: has no \"%s\" in its metadata; it was not written by Regard", path, key);
}

static Status check_version(const SafetensorsFile *file, const char *path, Error *error)
{
    const char *format, *version;
    TRY(metadata(file, path, "format", &format, error));
    TRY(metadata(file, path, "format_version", &version, error));
    char *end;
    unsigned long number = strtoul(version, &end, 10);
    if (strcmp(format, "regard") || *end || end == version || number == 0)
        return error_set(error, STATUS_FORMAT, "%s: is not a model written by Regard", path);
    if (number == MODEL_FORMAT_VERSION) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: is of format %lu, and this program reads format %d; %s", path, number,
                     MODEL_FORMAT_VERSION,
                     number > MODEL_FORMAT_VERSION ? "use a newer Regard" : "train it again");
}

static Status read_config(ModelConfig *config, const char *text, const char *path, Error *error)
{
    Error inner;
    json_t *json;
    TRY(json_parse(&json, text, strlen(text), path, "its config", error));
    Status status = config_from_json(config, json, &inner);
    json_decref(json);
    return status ? error_set(error, STATUS_FORMAT, "%s: %s", path, inner.text) : STATUS_OK;
}

Status model_read_metadata(const SafetensorsFile *file, const char *path, ModelConfig *config,
                           ModelTexts *texts, Error *error)
{
    const char *config_text;
    *texts = (ModelTexts){0};
    TRY(check_version(file, path, error));
    TRY(metadata(file, path, "config", &config_text, error));
    TRY(metadata(file, path, "training", &texts->training, error));
    TRY(metadata(file, path, "source_vocabulary", &texts->source_vocabulary, error));
    TRY(read_config(config, config_text, path, error));
    texts->target_vocabulary = texts->source_vocabulary;
    if (config->joint) return STATUS_OK;
    return metadata(file, path, "target_vocabulary", &texts->target_vocabulary, error);
}

Status model_read_block(const SafetensorsFile *file, const char *path, const ParamList *list,
                        real *block, const char *prefix, Error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        StoredTensor stored;
        TRY(stored_tensor_find(&stored, file, path, info, prefix, error));
        if (stored_tensor_quantised(&stored))
            return error_set(error, STATUS_FORMAT,
                             "%s: tensor %s is quantised, so training cannot continue from it",
                             path, stored.values->name);
        memcpy(block + info->offset, stored.values->data, info->count * sizeof(real));
    }
    return STATUS_OK;
}

/* Finds all tensors and checks their kinds and shapes, so that the memory for dequantised ones is
 * bounded by the size of the file. */
static Status find_tensors(Model *model, const char *path, StoredTensor *stored, Error *error)
{
    const ParamList *list = &model->params.list;
    model->weights = REAL_TYPE;
    for (size_t i = 0; i < list->count; i++) {
        TRY(stored_tensor_find(&stored[i], model->file, path, &list->tensors[i], "", error));
        if (stored_tensor_quantised(&stored[i])) model->weights = stored[i].values->type;
    }
    if (safetensors_metadata(model->file, "state"))
        return error_set(error, STATUS_FORMAT,
                         "%s: is a checkpoint, not a model; the model is the file of the same name "
                         "without .checkpoint",
                         path);
    return stored_tensors_only(model->file, path, list, shortlist_tensors, MODEL_ALIGNER_PREFIX,
                               error);
}

static Status make_room(Model *model, Error *error)
{
    const ParamList *list = &model->params.list;
    TRY(array_new(&model->rounded, list->count, "the model's parameters", error));
    if (model->weights == REAL_TYPE) return STATUS_OK;
    model->dequantised = memory_in_large_pages(list->block_size, sizeof(real));
    if (model->dequantised) return STATUS_OK;
    return error_memory(error, list->block_size * sizeof(real), "the model's parameters");
}

/* Points the parameters into the file, or to what is or will be dequantised, and checks every
 * number once. */
static Status place_tensors(Model *model, const char *path, StoredTensor *stored, Error *error)
{
    ParamList *list = &model->params.list;
    real **places = model->params.places;
    TRY(find_tensors(model, path, stored, error));
    TRY(make_room(model, error));
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        model->rounded[i] = stored_tensor_rounded(&stored[i]);
        if (stored_tensor_quantised(&stored[i])) {
            places[i] = model->dequantised + info->offset;
            if (model->rounded[i].steps) continue;
            stored_tensor_read(places[i], &stored[i]);
        } else {
            places[i] = (real *)(size_t)stored[i].values->data;
        }
        if (!kernels()->all_finite(places[i], info->count))
            return error_set(error, STATUS_FORMAT,
                             "%s: tensor %s has non-finite numbers; train the model again", path,
                             info->name);
    }
    seq2seq_params_place(&model->params, places);
    return STATUS_OK;
}

static Status read_tensors(Model *model, const char *path, const ModelConfig *config, Error *error)
{
    StoredTensor *stored;
    TRY(seq2seq_params_list(&model->params, config, error));
    TRY(array_new(&stored, model->params.list.count, "the model's parameters", error));
    Status status = place_tensors(model, path, stored, error);
    memory_free(stored);
    return status;
}

void model_dequantise(const Model *model)
{
    const ParamList *list = &model->params.list;
    for (size_t i = 0; i < list->count; i++) {
        const RoundedRows *rounded = &model->rounded[i];
        for (size_t row = 0; rounded->steps && row < list->tensors[i].shape[0]; row++)
            kernels()->from_int8(model->params.places[i] + row * rounded->columns,
                                 rounded_row(rounded, row), rounded->scales[row], rounded->columns);
    }
}

Status model_open_unread(Model *model, const char *path, Error *error)
{
    *model = (Model){0};
    return safetensors_open_header(&model->file, path, error);
}

Status model_read(Model *model, const char *path, Error *error)
{
    ModelConfig config;
    TRY(safetensors_read_data(model->file, path, error));
    TRY(model_read_metadata(model->file, path, &config, &model->texts, error));
    TRY(read_tensors(model, path, &config, error));
    return shortlist_read(&model->shortlist, model->file, path, &config, error);
}

Status model_open(Model *model, const char *path, Error *error)
{
    Status status = model_open_unread(model, path, error);
    if (!status) status = model_read(model, path, error);
    if (!status) model_dequantise(model);
    if (status) model_close(model);
    return status;
}

void model_copy_values(real *block, const Model *model)
{
    const ParamList *list = &model->params.list;
    for (size_t i = 0; i < list->count; i++)
        memcpy(block + list->tensors[i].offset, model->params.places[i],
               list->tensors[i].count * sizeof(real));
}

void model_close(Model *model)
{
    safetensors_close(model->file);
    memory_free(model->dequantised);
    memory_free(model->rounded);
    seq2seq_params_free(&model->params);
    *model = (Model){0};
}

Status model_write_metadata(SafetensorsWriter *writer, const ModelConfig *config,
                            const ModelTexts *texts, Error *error)
{
    char *text;
    TRY(json_text(&text, config_to_json(config), JSON_COMPACT, error));
    char version[16];
    snprintf(version, sizeof version, "%d", MODEL_FORMAT_VERSION);
    const char *const entries[][2] = {
        {"format", "regard"},
        {"format_version", version},
        {"config", text},
        {"training", texts->training},
        {"source_vocabulary", texts->source_vocabulary},
        {"target_vocabulary", texts->target_vocabulary},
    };
    size_t count = sizeof entries / sizeof *entries - (config->joint ? 1 : 0);
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = safetensors_writer_metadata(writer, entries[i][0], entries[i][1], error);
    memory_free(text);
    return status;
}

Status model_write_block(SafetensorsWriter *writer, const char *path, const ParamList *list,
                         const real *block, const char *prefix, Error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        if (!kernels()->all_finite(block + info->offset, info->count))
            return error_set(error, STATUS_FORMAT,
                             "%s: is not saved, and an existing file is unchanged: tensor %s%s has "
                             "non-finite numbers; train again with a lower --learning-rate",
                             path, prefix, info->name);
        TRY(stored_tensor_write(writer, info, prefix, REAL_TYPE, block + info->offset, error));
    }
    return STATUS_OK;
}

Status model_check(const char *path, Error *error)
{
    Model model;
    TRY(model_open(&model, path, error));
    model_close(&model);
    return STATUS_OK;
}

static bool begins_with(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

Status model_write_aligner(SafetensorsWriter *writer, const Model *model, Error *error)
{
    const char *version = safetensors_metadata(model->file, MODEL_ALIGNER_KEY);
    if (version) TRY(safetensors_writer_metadata(writer, MODEL_ALIGNER_KEY, version, error));
    for (size_t i = 0; i < safetensors_count(model->file); i++) {
        const TensorView *view = safetensors_at(model->file, i);
        if (begins_with(view->name, MODEL_ALIGNER_PREFIX))
            TRY(safetensors_writer_tensor(writer, view, error));
    }
    return STATUS_OK;
}

Status model_save_with_aligner(const char *path, const Seq2SeqParams *params,
                               const ModelTexts *texts, const Model *aligned, Error *error)
{
    SafetensorsWriter *writer = NULL;
    Status status = safetensors_writer_new(&writer, error);
    if (!status) status = model_write_metadata(writer, &params->config, texts, error);
    if (!status) status = model_write_block(writer, path, &params->list, params->block, "", error);
    if (!status && aligned) status = model_write_aligner(writer, aligned, error);
    if (!status) status = safetensors_writer_save(writer, path, model_check, error);
    safetensors_writer_free(writer);
    return status;
}

Status model_save(const char *path, const Seq2SeqParams *params, const ModelTexts *texts,
                  Error *error)
{
    return model_save_with_aligner(path, params, texts, NULL, error);
}

static Status write_with_additions(SafetensorsWriter *writer, const Model *model,
                                   const Shortlist *shortlist, const ModelAddition *aligner,
                                   Error *error)
{
    const ModelConfig *config = &model->params.config;
    TRY(model_write_metadata(writer, config, &model->texts, error));
    for (size_t i = 0; i < safetensors_count(model->file); i++) {
        const TensorView *view = safetensors_at(model->file, i);
        if (!begins_with(view->name, SHORTLIST_PREFIX) &&
            !begins_with(view->name, MODEL_ALIGNER_PREFIX))
            TRY(safetensors_writer_tensor(writer, view, error));
    }
    TRY(shortlist_write(shortlist, writer, config, error));
    return aligner ? aligner->write(aligner->context, writer, error)
                   : model_write_aligner(writer, model, error);
}

Status model_save_additions(const char *path, const Model *model, const Shortlist *shortlist,
                            const ModelAddition *aligner, Error *error)
{
    SafetensorsWriter *writer = NULL;
    Status status = safetensors_writer_new(&writer, error);
    if (!status) status = write_with_additions(writer, model, shortlist, aligner, error);
    if (!status) status = safetensors_writer_save(writer, path, model_check, error);
    safetensors_writer_free(writer);
    return status;
}
