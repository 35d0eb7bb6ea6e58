#include "model/model_file.h"

#include "base/memory.h"
#include "tensor/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const TensorType REAL_TYPE = sizeof(real) == sizeof(float) ? TENSOR_F32 : TENSOR_F64;

/* The metadata of that key, or an error that says what kind of file this is not. */
static Status metadata(const SafetensorsFile *file, const char *path, const char *key,
                       const char **value, Error *error)
{
    *value = safetensors_metadata(file, key);
    if (*value) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: has no \"%s\" in its metadata: not a model that Regard wrote", path, key);
}

static Status check_version(const SafetensorsFile *file, const char *path, Error *error)
{
    const char *format, *version;
    Status status = metadata(file, path, "format", &format, error);
    if (!status) status = metadata(file, path, "format_version", &version, error);
    if (status) return status;
    char *end;
    unsigned long number = strtoul(version, &end, 10);
    if (strcmp(format, "regard") || *end || end == version || number == 0)
        return error_set(error, STATUS_FORMAT, "%s: not a model that Regard wrote", path);
    if (number > MODEL_FORMAT_VERSION)
        return error_set(error, STATUS_FORMAT,
                         "%s: is of format %lu, and this program knows formats up to %d; use a "
                         "newer Regard",
                         path, number, MODEL_FORMAT_VERSION);
    return STATUS_OK;
}

static Status read_config(ModelConfig *config, const char *text, const char *path, Error *error)
{
    json_error_t at;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &at);
    if (!json) return error_set(error, STATUS_FORMAT, "%s: config: %s", path, at.text);
    Error inner;
    Status status = config_from_json(config, json, &inner);
    json_decref(json);
    return status ? error_set(error, STATUS_FORMAT, "%s: %s", path, inner.text) : STATUS_OK;
}

Status model_read_metadata(const SafetensorsFile *file, const char *path, ModelConfig *config,
                           ModelTexts *texts, Error *error)
{
    const char *config_text;
    *texts = (ModelTexts){0};
    Status status = check_version(file, path, error);
    if (!status) status = metadata(file, path, "config", &config_text, error);
    if (!status) status = metadata(file, path, "training", &texts->training, error);
    if (!status)
        status = metadata(file, path, "source_vocabulary", &texts->source_vocabulary, error);
    if (!status) status = read_config(config, config_text, path, error);
    if (status) return status;
    texts->target_vocabulary = texts->source_vocabulary;
    if (config->joint) return STATUS_OK;
    return metadata(file, path, "target_vocabulary", &texts->target_vocabulary, error);
}

enum { SHAPE_SIZE = 24 * TENSOR_RANK_MOST };

// A shape as people write it, "3 x 2".
static const char *shape_text(char text[SHAPE_SIZE], size_t rank, const size_t *shape)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < rank; i++)
        length +=
            (size_t)snprintf(text + length, SHAPE_SIZE - length, "%s%zu", i ? " x " : "", shape[i]);
    return text;
}

/* The tensor that the list wants, checked for kind and shape. */
static Status find_tensor(const SafetensorsFile *file, const char *path, const ParamInfo *info,
                          const char *prefix, const TensorView **found, Error *error)
{
    char name[2 * PARAM_NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", prefix, info->name);
    const TensorView *view = *found = safetensors_find(file, name);
    if (!view) return error_set(error, STATUS_FORMAT, "%s: tensor %s is missing", path, name);
    if (view->type != REAL_TYPE)
        return error_set(error, STATUS_FORMAT, "%s: tensor %s is %s; it must be %s", path, name,
                         tensor_type_name(view->type), tensor_type_name(REAL_TYPE));
    bool fits = view->rank == info->rank && view->shape[0] == info->shape[0] &&
                (info->rank == 1 || view->shape[1] == info->shape[1]);
    if (fits) return STATUS_OK;
    char shapes[2][SHAPE_SIZE];
    return error_set(error, STATUS_FORMAT,
                     "%s: tensor %s has a shape that its config does not give it: (%s) and not "
                     "(%s); the file was put together wrongly: get it anew or train it again",
                     path, name, shape_text(shapes[0], view->rank, view->shape),
                     shape_text(shapes[1], info->rank, info->shape));
}

Status model_read_block(const SafetensorsFile *file, const char *path, const ParamList *list,
                        real *block, const char *prefix, Error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        const TensorView *view;
        Status status = find_tensor(file, path, info, prefix, &view, error);
        if (status) return status;
        memcpy(block + info->offset, view->data, info->count * sizeof(real));
    }
    return STATUS_OK;
}

/* Every tensor of the file is one of the list, which are all there. */
static Status refuse_others(const SafetensorsFile *file, const char *path, const ParamList *list,
                            Error *error)
{
    for (size_t i = 0; i < safetensors_count(file); i++) {
        const char *name = safetensors_at(file, i)->name;
        if (!param_list_find(list, name))
            return error_set(error, STATUS_FORMAT,
                             "%s: holds a tensor %s that its config does not call for", path, name);
    }
    return STATUS_OK;
}

// Whether all numbers of a tensor are finite: writer and reader must be of one mind.
static bool is_finite(const real *values, size_t count)
{
    return isfinite(kernels()->sum_squares(values, count));
}

/* Points the parameters into the file and looks at every number once. */
static Status place_tensors(Model *model, const char *path, Error *error)
{
    ParamList *list = &model->params.list;
    real *places[PARAM_TENSORS_MOST];
    Status status = STATUS_OK;
    seq2seq_params_list(&model->params, &model->config);
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        const TensorView *view;
        status = find_tensor(model->file, path, info, "", &view, error);
        if (status) return status;
        places[i] = (real *)(size_t)view->data;
        if (!is_finite(places[i], info->count))
            return error_set(error, STATUS_FORMAT,
                             "%s: tensor %s holds numbers that are not finite; train it again",
                             path, info->name);
    }
    if (safetensors_metadata(model->file, "state"))
        return error_set(error, STATUS_FORMAT,
                         "%s: is a checkpoint and not a model; the model is the file beside it "
                         "whose name lacks .checkpoint",
                         path);
    status = refuse_others(model->file, path, list, error);
    if (status) return status;
    seq2seq_params_place(&model->params, &model->config, places);
    return STATUS_OK;
}

Status model_open(Model *model, const char *path, Error *error)
{
    *model = (Model){0};
    gemm_start();
    Status status = safetensors_open(&model->file, path, error);
    if (!status)
        status = model_read_metadata(model->file, path, &model->config, &model->texts, error);
    if (!status) status = place_tensors(model, path, error);
    if (status) model_close(model);
    return status;
}

void model_close(Model *model)
{
    safetensors_close(model->file);
    *model = (Model){0};
}

Status model_write_metadata(SafetensorsWriter *writer, const ModelConfig *config,
                            const ModelTexts *texts, Error *error)
{
    json_t *json = config_to_json(config);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
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
    Status status = text ? STATUS_OK : error_memory(error, 1, "a model's config");
    for (size_t i = 0; i < count && !status; i++)
        status = safetensors_writer_metadata(writer, entries[i][0], entries[i][1], error);
    free(text); // Jansson's
    json_decref(json);
    return status;
}

Status model_write_block(SafetensorsWriter *writer, const char *path, const ParamList *list,
                         const real *block, const char *prefix, Error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        char name[2 * PARAM_NAME_SIZE];
        snprintf(name, sizeof name, "%s%s", prefix, info->name);
        if (!is_finite(block + info->offset, info->count))
            return error_set(error, STATUS_FORMAT,
                             "%s: is not saved, and what was there before is kept: tensor %s has "
                             "come to hold numbers that are not finite; train again with a lower "
                             "--learning-rate",
                             path, name);
        Status status = safetensors_writer_tensor(writer, name, REAL_TYPE, info->rank, info->shape,
                                                  block + info->offset, error);
        if (status) return status;
    }
    return STATUS_OK;
}

Status model_save(const char *path, const ModelConfig *config, const Seq2SeqParams *params,
                  const ModelTexts *texts, Error *error)
{
    SafetensorsWriter *writer = NULL;
    Status status = safetensors_writer_new(&writer, error);
    if (!status) status = model_write_metadata(writer, config, texts, error);
    if (!status) status = model_write_block(writer, path, &params->list, params->block, "", error);
    if (!status) status = safetensors_writer_save(writer, path, error);
    safetensors_writer_free(writer);
    return status;
}
