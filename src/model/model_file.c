#include "model/model_file.h"

#include "base/array.h"
#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>

// Whether it is quantised; otherwise its values can be used in place.
static bool is_quantised(const StoredTensor *stored)
{
    return stored->type != WEIGHTS_REAL;
}

static void dequantise(real *values, const RoundedRows *rounded, size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        rounded_row_values(values + row * rounded->columns, rounded, row);
}

static bool begins_with(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

/* STATUS_FORMAT if a file has other tensors than those of the list, their scales, a shortlist's, a
 * lexicon's and an aligner's. */
static Status stored_tensors_only(const SafetensorsFile *file, const char *path,
                                  const ParamList *list, Error *error)
{
    for (size_t i = 0; i < safetensors_count(file); i++) {
        const char *name = safetensors_at(file, i)->name;
        if (!is_among(shortlist_tensors, name) && !is_among(lexicon_tensors, name) &&
            !param_list_find(list, name) && !stored_tensor_is_scale(file, list, name) &&
            !begins_with(name, MODEL_ALIGNER_PREFIX))
            return error_set(error, STATUS_FORMAT,
                             "%s: has a tensor %s that does not belong to its config", path, name);
    }
    return STATUS_OK;
}

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

Status model_read_metadata(const SafetensorsFile *file, const char *path, ModelConfig *config,
                           ModelTexts *texts, Error *error)
{
    const char *config_text;
    FREED_BY(json_decref_at) json_t *json = NULL;
    Error inner;
    *texts = (ModelTexts){0};
    TRY(check_version(file, path, error));
    TRY(metadata(file, path, "config", &config_text, error));
    TRY(metadata(file, path, "training", &texts->training, error));
    TRY(metadata(file, path, "source_vocabulary", &texts->source_vocabulary, error));
    TRY(json_parse(&json, config_text, strlen(config_text), path, "its config", error));
    Status status = config_from_json(config, json, &inner);
    if (status) return error_set(error, STATUS_FORMAT, "%s: %s", path, inner.text);
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
        if (is_quantised(&stored))
            return error_set(error, STATUS_FORMAT,
                             "%s: tensor %s is quantised, so training cannot continue from it",
                             path, stored.values->name);
        memcpy(block + info->offset, stored.values->data, info->count * sizeof(real));
    }
    return STATUS_OK;
}

// Memory for dequantised tensors, bounded by the size of the file whose tensors have those shapes.
static Status block_reserve(Seq2SeqParams *params, Error *error)
{
    size_t size = params->list.block_size;
    if (!params->block) params->block = memory_in_large_pages(size, sizeof(real));
    return params->block ? STATUS_OK
                         : error_memory(error, size * sizeof(real), "the model's parameters");
}

// Finds all tensors and checks their kinds and shapes.
static Status find_tensors(Model *model, const char *path, StoredTensor *stored, Error *error)
{
    const ParamList *list = &model->params.list;
    for (size_t i = 0; i < list->count; i++) {
        TRY(stored_tensor_find(&stored[i], model->file, path, &list->tensors[i], "", error));
        if (stored[i].type > model->weights) model->weights = stored[i].type;
    }
    if (safetensors_metadata(model->file, "state"))
        return error_set(error, STATUS_FORMAT,
                         "%s: is a checkpoint, not a model; the model is the file of the same name "
                         "without .checkpoint",
                         path);
    return stored_tensors_only(model->file, path, list, error);
}

/* Points the parameters into the file, or to what is dequantised, and checks every number once.
 * Matrices that stay as they were rounded have no values. */
static Status read_tensors(Model *model, const char *path, const ModelConfig *config, Error *error)
{
    FREED StoredTensor *stored = NULL;
    TRY(seq2seq_params_list(&model->params, config, error));
    const ParamList *list = &model->params.list;
    real **places = model->params.places;
    TRY(array_new(&stored, list->count, "the model's parameters", error));
    TRY(find_tensors(model, path, stored, error));
    TRY(array_new(&model->rounded, list->count, "the model's parameters", error));
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        const TensorView *view = stored[i].values;
        const RoundedRows rows = stored_tensor_rows(&stored[i], info);
        // products in int8 can use it as it is, and its numbers are all finite
        if (rounded_rows_exist(&rows) && rounded_rows_usable(&rows, info->shape[0])) {
            model->rounded[i] = rows;
            continue;
        }
        if (is_quantised(&stored[i])) TRY(block_reserve(&model->params, error));
        places[i] = is_quantised(&stored[i]) ? model->params.block + info->offset
                                             : (real *)(size_t)view->data;
        if (rounded_rows_exist(&rows))
            dequantise(places[i], &rows, info->shape[0]); // numbers too large become infinite
        else if (stored[i].type == WEIGHTS_BF16)
            kernels()->from_bf16(places[i], view->data, info->count);
        if (!kernels()->all_finite(places[i], info->count))
            return error_set(error, STATUS_FORMAT,
                             "%s: tensor %s has non-finite numbers; train the model again", path,
                             info->name);
    }
    seq2seq_params_place(&model->params, places);
    return STATUS_OK;
}

Status model_dequantise(Seq2SeqParams *params, const Model *model, Error *error)
{
    const ParamList *list = &params->list;
    real **places = params->places;
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        const RoundedRows *rounded = &model->rounded[i];
        places[i] = model->params.places[i];
        if (!rounded_rows_exist(rounded)) continue;
        TRY(block_reserve(params, error));
        places[i] = params->block + info->offset;
        dequantise(places[i], rounded, info->shape[0]);
    }
    seq2seq_params_place(params, places);
    return STATUS_OK;
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
    TRY(shortlist_read(&model->shortlist, model->file, path, &config, error));
    return lexicon_read(&model->lexicon, model->file, path, &config, error);
}

Status model_open(Model *model, const char *path, Error *error)
{
    Status status = model_open_unread(model, path, error);
    if (!status) status = model_read(model, path, error);
    if (!status) status = model_dequantise(&model->params, model, error);
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
    memory_free(model->rounded);
    shortlist_free(&model->shortlist);
    lexicon_free(&model->lexicon);
    seq2seq_params_free(&model->params);
    *model = (Model){0};
}

Status model_write_metadata(SafetensorsWriter *writer, const ModelConfig *config,
                            const ModelTexts *texts, Error *error)
{
    FREED char *text = NULL;
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
    for (size_t i = 0; i < count; i++)
        TRY(safetensors_writer_metadata(writer, entries[i][0], entries[i][1], error));
    return STATUS_OK;
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
        TRY(stored_tensor_write(writer, info, prefix, WEIGHTS_REAL, block + info->offset, error));
    }
    return STATUS_OK;
}

// What is saved must be a model before it takes a name.
static Status check(const char *path, Error *error)
{
    FREED_BY(model_close) Model model = {0};
    return model_open(&model, path, error);
}

// Adds an aligner to a writer: that given, or what an open model's file has of one.
static Status write_aligner(SafetensorsWriter *writer, const Model *model,
                            const ModelAddition *given, Error *error)
{
    if (given) return given->write(given->context, writer, error);
    const char *version = safetensors_metadata(model->file, MODEL_ALIGNER_KEY);
    if (version) TRY(safetensors_writer_metadata(writer, MODEL_ALIGNER_KEY, version, error));
    for (size_t i = 0; i < safetensors_count(model->file); i++) {
        const TensorView *view = safetensors_at(model->file, i);
        if (begins_with(view->name, MODEL_ALIGNER_PREFIX))
            TRY(safetensors_writer_tensor(writer, view, error));
    }
    return STATUS_OK;
}

Status model_save(const char *path, const Seq2SeqParams *params, const ModelTexts *texts,
                  const Model *words, Error *error)
{
    FREED_BY(safetensors_writer_free_at) SafetensorsWriter *writer = NULL;
    TRY(safetensors_writer_new(&writer, error));
    TRY(model_write_metadata(writer, &params->config, texts, error));
    TRY(model_write_block(writer, path, &params->list, params->block, "", error));
    if (words) {
        TRY(lexicon_write(&words->lexicon, writer, &params->config, error));
        TRY(write_aligner(writer, words, NULL, error));
    }
    return safetensors_writer_save(writer, path, check, error);
}

Status model_save_additions(const char *path, const Model *model, const Shortlist *shortlist,
                            const Lexicon *lexicon, const ModelAddition *aligner, Error *error)
{
    FREED_BY(safetensors_writer_free_at) SafetensorsWriter *writer = NULL;
    const ModelConfig *config = &model->params.config;
    TRY(safetensors_writer_new(&writer, error));
    TRY(model_write_metadata(writer, config, &model->texts, error));
    for (size_t i = 0; i < safetensors_count(model->file); i++) {
        const TensorView *view = safetensors_at(model->file, i);
        if (!begins_with(view->name, SHORTLIST_PREFIX) &&
            !begins_with(view->name, LEXICON_PREFIX) &&
            !begins_with(view->name, MODEL_ALIGNER_PREFIX))
            TRY(safetensors_writer_tensor(writer, view, error));
    }
    TRY(shortlist_write(shortlist, writer, config, error));
    TRY(lexicon_write(lexicon, writer, config, error));
    TRY(write_aligner(writer, model, aligner, error));
    return safetensors_writer_save(writer, path, check, error);
}

// The quantised matrices, in blocks that the writer refers to until it has saved.
typedef struct Quantised {
    WeightType type;
    char *values;  // one matrix after another, as they are stored
    float *scales; // (rows of all matrices) of int8 and int4
} Quantised;

static const real *values_of(const Model *model, const ParamInfo *info)
{
    return safetensors_find(model->file, info->name)->data;
}

/* Rounds a matrix to bf16. Its largest number is a little smaller than float32's, so rounding may
 * give infinity. */
static Status round_to_bf16(uint16_t *out, const ParamInfo *info, const real *values,
                            const char *source, Error *error)
{
    kernels()->to_bf16(out, values, info->count);
    for (size_t i = 0; i < info->count; i++)
        if ((out[i] & 0x7f80u) == 0x7f80u) // all bits of the exponent: infinite
            return error_set(error, STATUS_FORMAT,
                             "%s: tensor %s has a number too large for bf16; use --type int8",
                             source, info->name);
    return STATUS_OK;
}

/* Rounds the rows of a matrix to int8, and those steps to int4 if it is of that type. */
static void round_to_int(int8_t *out, float *scales, const ParamInfo *info, const real *values,
                         WeightType type)
{
    const size_t rows = info->shape[0], columns = info->shape[1];
    for (size_t row = 0; row < rows; row++)
        scales[row] = quantise_int8(out + row * columns, values + row * columns, columns);
    if (type == WEIGHTS_INT4) int4_pack((uint8_t *)out, out, rows, columns);
}

// Rounds all matrices, and lists the scales of their rows.
static Status add_scales(SafetensorsWriter *writer, const Quantised *quantised, const Model *model,
                         const char *source, Error *error)
{
    const ParamList *list = &model->params.list;
    float *scales = quantised->scales;
    char *out = quantised->values;
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        const WeightType type = stored_tensor_type(info, quantised->type);
        if (type == WEIGHTS_REAL) continue;
        const real *values = values_of(model, info);
        if (type == WEIGHTS_BF16) {
            TRY(round_to_bf16((uint16_t *)(void *)out, info, values, source, error));
        } else {
            round_to_int((int8_t *)out, scales, info, values, type);
            TRY(stored_tensor_write_scales(writer, info, scales, error));
            scales += info->shape[0];
        }
        out += stored_tensor_bytes(info, type);
    }
    return STATUS_OK;
}

/* Everything wider comes before the quantised matrices, so that every tensor is aligned in the
 * file. */
static Status write_quantised(SafetensorsWriter *writer, const Quantised *quantised,
                              const Model *model, const char *source, const ModelAddition *aligner,
                              Error *error)
{
    const ParamList *list = &model->params.list;
    const char *values = quantised->values;
    TRY(model_write_metadata(writer, &model->params.config, &model->texts, error));
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        if (info->rank == 1)
            TRY(stored_tensor_write(writer, info, "", WEIGHTS_REAL, values_of(model, info), error));
    }
    TRY(add_scales(writer, quantised, model, source, error));
    TRY(shortlist_write(&model->shortlist, writer, &model->params.config, error));
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        const WeightType type = stored_tensor_type(info, quantised->type);
        if (type == WEIGHTS_REAL) continue;
        TRY(stored_tensor_write(writer, info, "", type, values, error));
        values += stored_tensor_bytes(info, type);
    }
    TRY(lexicon_write(&model->lexicon, writer, &model->params.config, error));
    return write_aligner(writer, model, aligner, error);
}

Status quantise_model(const Model *model, const char *source, WeightType type,
                      const ModelAddition *aligner, const char *path, Error *error)
{
    const ParamList *list = &model->params.list;
    if (model->weights != WEIGHTS_REAL)
        return error_set(error, STATUS_FORMAT,
                         "%s: already quantised to %s; quantise the original model", source,
                         weight_type_names[model->weights]);
    if (type == WEIGHTS_INT4 && model->params.config.joint)
        return error_set(error, STATUS_FORMAT,
                         "%s: has one vocabulary for both languages, whose embeddings int4 would "
                         "harm; use --type int8",
                         source);
    size_t bytes = 0, rows = 0;
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        if (info->rank != 2) continue;
        rows += info->shape[0];
        // rounded to int8 first
        bytes += stored_tensor_bytes(info, type == WEIGHTS_BF16 ? type : WEIGHTS_INT8);
    }
    FREED char *values = memory_aligned(bytes, 1);
    FREED float *scales = memory_new(rows, sizeof *scales);
    FREED_BY(safetensors_writer_free_at) SafetensorsWriter *writer = NULL;
    if (!values || !scales) return error_memory(error, bytes, "the quantised model");
    const Quantised quantised = {type, values, scales};
    TRY(safetensors_writer_new(&writer, error));
    TRY(write_quantised(writer, &quantised, model, source, aligner, error));
    return safetensors_writer_save(writer, path, check, error);
}
