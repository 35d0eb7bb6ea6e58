#include "model/model_file.h"

#include "base/memory.h"
#include "linalg/quantise.h"
#include "math/kernels.h"
#include "model/stored_tensor.h"

#include <stdio.h>

// The quantised matrices, in blocks that the writer refers to until it has saved.
typedef struct Quantised {
    TensorType type;
    char *values;  // (list.block_size) of that type, at the offsets of the list
    float *scales; // (rows of all matrices) of I8
} Quantised;

static void *values_at(const Quantised *quantised, const ParamInfo *info)
{
    return quantised->values + info->offset * tensor_type_size(quantised->type);
}

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

// Rounds all matrices, and lists the scales of their rows.
static Status add_scales(SafetensorsWriter *writer, const Quantised *quantised, const Model *model,
                         const char *source, Error *error)
{
    const ParamList *list = &model->params.list;
    float *scales = quantised->scales;
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        size_t rows = info->shape[0], columns = info->shape[1];
        if (info->rank != 2) continue;
        const real *values = values_of(model, info);
        if (quantised->type == TENSOR_BF16) {
            TRY(round_to_bf16(values_at(quantised, info), info, values, source, error));
            continue;
        }
        int8_t *out = values_at(quantised, info);
        char name[STORED_NAME_SIZE];
        for (size_t row = 0; row < rows; row++)
            scales[row] = quantise_int8(out + row * columns, values + row * columns, columns);
        snprintf(name, sizeof name, "%s" SCALE_SUFFIX, info->name);
        const TensorView view = {
            .name = name, .type = TENSOR_F32, .rank = 1, .shape = {rows}, .data = scales};
        TRY(safetensors_writer_tensor(writer, &view, error));
        scales += rows;
    }
    return STATUS_OK;
}

/* Everything wider comes before the quantised matrices, so that every tensor is aligned in the
 * file. */
static Status add_all(SafetensorsWriter *writer, const Quantised *quantised, const Model *model,
                      const char *source, const ModelAddition *aligner, Error *error)
{
    const ParamList *list = &model->params.list;
    TRY(model_write_metadata(writer, &model->params.config, &model->texts, error));
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        if (info->rank == 1)
            TRY(stored_tensor_write(writer, info, "", REAL_TYPE, values_of(model, info), error));
    }
    TRY(add_scales(writer, quantised, model, source, error));
    TRY(shortlist_write(&model->shortlist, writer, &model->params.config, error));
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        if (info->rank == 2)
            TRY(stored_tensor_write(writer, info, "", quantised->type, values_at(quantised, info),
                                    error));
    }
    return aligner ? aligner->write(aligner->context, writer, error)
                   : model_write_aligner(writer, model, error);
}

Status quantise_model(const Model *model, const char *source, TensorType type,
                      const ModelAddition *aligner, const char *path, Error *error)
{
    const ParamList *list = &model->params.list;
    if (model->weights != REAL_TYPE)
        return error_set(error, STATUS_FORMAT,
                         "%s: already quantised to %s; quantise the original model", source,
                         model->weights == TENSOR_I8 ? "int8" : "bf16");
    size_t bytes = list->block_size * tensor_type_size(type), rows = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->tensors[i].rank == 2) rows += list->tensors[i].shape[0];
    const Quantised quantised = {type, memory_aligned(bytes, 1),
                                 memory_new(rows, sizeof *quantised.scales)};
    SafetensorsWriter *writer = NULL;
    Status status = quantised.values && quantised.scales
                        ? safetensors_writer_new(&writer, error)
                        : error_memory(error, bytes, "the quantised model");
    if (!status) status = add_all(writer, &quantised, model, source, aligner, error);
    if (!status) status = safetensors_writer_save(writer, path, model_check, error);
    safetensors_writer_free(writer);
    memory_free(quantised.values);
    memory_free(quantised.scales);
    return status;
}
