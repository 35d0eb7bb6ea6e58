#include "model/quantise_model.h"

#include "base/memory.h"
#include "linalg/quantise.h"
#include "math/kernels.h"
#include "model/stored_tensor.h"

#include <stdio.h>

// The quantised tensors, in one block that the writer refers to until it has saved.
typedef struct Quantised {
    TensorType type;
    char *values; // tensor after tensor
    size_t value_bytes;
    float *scales; // of I8
    size_t scale_count;
} Quantised;

static const real *values_of(const Model *model, const ParamInfo *info)
{
    return safetensors_find(model->file, info->name)->data;
}

static Status allocate(Quantised *quantised, const ParamList *list, Error *error)
{
    size_t bytes = 0, rows = 0;
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        if (info->rank != 2) continue;
        bytes += info->count * tensor_type_size(quantised->type);
        rows += info->shape[0];
    }
    quantised->values = memory_aligned(bytes, 1);
    quantised->scales = memory_new(rows, sizeof *quantised->scales);
    if (quantised->values && quantised->scales) return STATUS_OK;
    return error_memory(error, bytes, "the quantised model");
}

static Status add_plain(SafetensorsWriter *writer, const Model *model, Error *error)
{
    const ParamList *list = &model->params.list;
    Status status = STATUS_OK;
    for (size_t i = 0; i < list->count && !status; i++) {
        const ParamInfo *info = &list->tensors[i];
        if (info->rank != 2)
            status =
                safetensors_writer_tensor(writer,
                                          &(TensorView){.name = info->name,
                                                        .type = REAL_TYPE,
                                                        .rank = info->rank,
                                                        .shape = {info->shape[0], info->shape[1]},
                                                        .data = values_of(model, info)},
                                          error);
    }
    return status;
}

/* Rounds a matrix's rows to int8 and lists the scales; the writer wants wider types before narrower
 * ones. */
static Status add_scales(SafetensorsWriter *writer, Quantised *quantised, const ParamInfo *info,
                         const real *values, Error *error)
{
    char name[STORED_NAME_SIZE];
    float *scales = quantised->scales + quantised->scale_count;
    int8_t *rows = (int8_t *)quantised->values + quantised->value_bytes;
    size_t columns = info->shape[1];
    for (size_t i = 0; i < info->shape[0]; i++)
        scales[i] = quantise_int8(rows + i * columns, values + i * columns, columns);
    quantised->scale_count += info->shape[0];
    snprintf(name, sizeof name, "%s" SCALE_SUFFIX, info->name);
    return safetensors_writer_tensor(
        writer,
        &(TensorView){
            .name = name, .type = TENSOR_F32, .rank = 1, .shape = {info->shape[0]}, .data = scales},
        error);
}

/* Rounds a matrix to bf16. Its largest number is a little smaller than float32's, so rounding may
 * give infinity. */
static Status round_to_bf16(Quantised *quantised, const ParamInfo *info, const real *values,
                            const char *source, Error *error)
{
    uint16_t *rounded = (uint16_t *)(void *)(quantised->values + quantised->value_bytes);
    kernels()->to_bf16(rounded, values, info->count);
    for (size_t i = 0; i < info->count; i++)
        if ((rounded[i] & 0x7f80u) == 0x7f80u) // all bits of the exponent: infinite
            return error_set(error, STATUS_FORMAT,
                             "%s: tensor %s has a number too large for bf16; use --type int8",
                             source, info->name);
    return STATUS_OK;
}

/* Rounds all matrices, then lists them after everything wider, so that every tensor is aligned in
 * the file. */
static Status add_matrices(SafetensorsWriter *writer, Quantised *quantised, const Model *model,
                           const char *source, Error *error)
{
    const ParamList *list = &model->params.list;
    size_t bytes = 0; // of the matrices listed so far
    Status status = STATUS_OK;
    for (size_t i = 0; i < list->count && !status; i++) {
        const ParamInfo *info = &list->tensors[i];
        if (info->rank != 2) continue;
        const real *values = values_of(model, info);
        status = quantised->type == TENSOR_I8
                     ? add_scales(writer, quantised, info, values, error)
                     : round_to_bf16(quantised, info, values, source, error);
        quantised->value_bytes += info->count * tensor_type_size(quantised->type);
    }
    if (!status) status = shortlist_write(&model->shortlist, writer, &model->config, error);
    for (size_t i = 0; i < list->count && !status; i++) {
        const ParamInfo *info = &list->tensors[i];
        if (info->rank != 2) continue;
        status = safetensors_writer_tensor(writer,
                                           &(TensorView){.name = info->name,
                                                         .type = quantised->type,
                                                         .rank = 2,
                                                         .shape = {info->shape[0], info->shape[1]},
                                                         .data = quantised->values + bytes},
                                           error);
        bytes += info->count * tensor_type_size(quantised->type);
    }
    return status;
}

Status quantise_model(const Model *model, const char *source, TensorType type, const char *path,
                      Error *error)
{
    if (model->weights != REAL_TYPE)
        return error_set(error, STATUS_FORMAT,
                         "%s: its weights are already %s; quantise the original model", source,
                         tensor_type_name(model->weights));
    Quantised quantised = {.type = type};
    SafetensorsWriter *writer = NULL;
    Status status = allocate(&quantised, &model->params.list, error);
    if (!status) status = safetensors_writer_new(&writer, error);
    if (!status) status = model_write_metadata(writer, &model->config, &model->texts, error);
    if (!status) status = add_plain(writer, model, error);
    if (!status) status = add_matrices(writer, &quantised, model, source, error);
    if (!status) status = safetensors_writer_save(writer, path, error);
    safetensors_writer_free(writer);
    memory_free(quantised.values);
    memory_free(quantised.scales);
    return status;
}
