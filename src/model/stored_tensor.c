#include "model/stored_tensor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const TensorType REAL_TYPE = sizeof(real) == sizeof(float) ? TENSOR_F32 : TENSOR_F64;

#define SCALE_SUFFIX ".scale"
enum { STORED_NAME_SIZE = 2 * PARAM_NAME_SIZE, SHAPE_SIZE = 24 * MAX_TENSOR_RANK };

const char *const weight_type_names[] = {"float32", "bf16", "int8", "int4", NULL};

static TensorType tensor_type(WeightType type)
{
    static const TensorType types[] = {
        [WEIGHTS_BF16] = TENSOR_BF16, [WEIGHTS_INT8] = TENSOR_I8, [WEIGHTS_INT4] = TENSOR_U8};
    return type == WEIGHTS_REAL ? REAL_TYPE : types[type];
}

// Numbers of that type in a row as the file has it.
static size_t columns_of(const ParamInfo *info, WeightType type)
{
    return type == WEIGHTS_INT4 ? int4_bytes(info->shape[1]) : info->shape[1];
}

WeightType stored_tensor_type(const ParamInfo *info, WeightType type)
{
    if (info->rank != 2) return WEIGHTS_REAL;
    return type == WEIGHTS_INT4 && strcmp(info->name, "source_embedding.weight") ? WEIGHTS_INT8
                                                                                 : type;
}

size_t stored_tensor_bytes(const ParamInfo *info, WeightType type)
{
    return info->shape[0] * columns_of(info, type) * tensor_type_size(tensor_type(type));
}

// "3 x 2"
static const char *shape_text(char text[SHAPE_SIZE], size_t rank, const size_t *shape)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < rank; i++)
        length +=
            (size_t)snprintf(text + length, SHAPE_SIZE - length, "%s%zu", i ? " x " : "", shape[i]);
    return text;
}

static Status check_shape(const TensorView *view, const char *path, size_t rank,
                          const size_t *shape, Error *error)
{
    bool fits = view->rank == rank && view->shape[0] == shape[0] &&
                (rank == 1 || view->shape[1] == shape[1]);
    if (fits) return STATUS_OK;
    char shapes[2][SHAPE_SIZE];
    return error_set(error, STATUS_FORMAT,
                     "%s: tensor %s has the shape (%s) instead of (%s), which its config requires; "
                     "copy the file again, or train the model again",
                     path, view->name, shape_text(shapes[0], view->rank, view->shape),
                     shape_text(shapes[1], rank, shape));
}

static Status find_scales(StoredTensor *stored, const SafetensorsFile *file, const char *path,
                          Error *error)
{
    char name[STORED_NAME_SIZE + sizeof SCALE_SUFFIX];
    const TensorView *values = stored->values;
    snprintf(name, sizeof name, "%s" SCALE_SUFFIX, values->name);
    const TensorView *scales = safetensors_find(file, name);
    if (!scales)
        return error_set(error, STATUS_FORMAT,
                         "%s: tensor %s is %s, but %s, the scales of its rows, is missing; "
                         "quantise the model again",
                         path, values->name, tensor_type_name(values->type), name);
    if (scales->type != TENSOR_F32)
        return error_set(error, STATUS_FORMAT, "%s: tensor %s is %s; it must be F32", path, name,
                         tensor_type_name(scales->type));
    TRY(check_shape(scales, path, 1, values->shape, error));
    stored->scales = scales->data;
    for (size_t i = 0; i < scales->shape[0]; i++)
        if (!isfinite(stored->scales[i]) || stored->scales[i] < 0)
            return error_set(error, STATUS_FORMAT,
                             "%s: tensor %s has a negative or non-finite scale in row %zu; "
                             "quantise the model again",
                             path, name, i);
    return STATUS_OK;
}

Status stored_tensor_find(StoredTensor *stored, const SafetensorsFile *file, const char *path,
                          const ParamInfo *info, const char *prefix, Error *error)
{
    char name[STORED_NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", prefix, info->name);
    const TensorView *view = safetensors_find(file, name);
    if (!view) return error_set(error, STATUS_FORMAT, "%s: tensor %s is missing", path, name);
    WeightType type = WEIGHTS_REAL;
    while (type <= WEIGHTS_INT4 && tensor_type(type) != view->type) type++;
    if (type > WEIGHTS_INT4 || (type != WEIGHTS_REAL && stored_tensor_type(info, type) != type))
        return error_set(error, STATUS_FORMAT, "%s: tensor %s is %s; it must be %s%s", path, name,
                         tensor_type_name(view->type), tensor_type_name(REAL_TYPE),
                         info->rank == 2 ? ", BF16 or I8" : "");
    *stored = (StoredTensor){.type = type, .values = view};
    const size_t shape[MAX_TENSOR_RANK] = {info->shape[0], columns_of(info, type)};
    TRY(check_shape(view, path, info->rank, shape, error));
    return type < WEIGHTS_INT8 ? STATUS_OK : find_scales(stored, file, path, error);
}

RoundedRows stored_tensor_rows(const StoredTensor *stored, const ParamInfo *info)
{
    const void *data = stored->values->data;
    return (RoundedRows){.steps = stored->type == WEIGHTS_INT8 ? data : NULL,
                         .pairs = stored->type == WEIGHTS_INT4 ? data : NULL,
                         .scales = stored->scales,
                         .columns = info->shape[1]};
}

bool stored_tensor_is_scale(const SafetensorsFile *file, const ParamList *list, const char *name)
{
    const size_t suffix = sizeof SCALE_SUFFIX - 1, length = strlen(name);
    char of[STORED_NAME_SIZE];
    if (length <= suffix || length - suffix >= sizeof of) return false;
    if (strcmp(name + length - suffix, SCALE_SUFFIX) != 0) return false;
    memcpy(of, name, length - suffix);
    of[length - suffix] = '\0';
    const TensorView *values = safetensors_find(file, of);
    return values && (values->type == TENSOR_I8 || values->type == TENSOR_U8) &&
           param_list_find(list, of);
}

Status stored_tensor_write(SafetensorsWriter *writer, const ParamInfo *info, const char *prefix,
                           WeightType type, const void *values, Error *error)
{
    char name[STORED_NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", prefix, info->name);
    const TensorView view = {.name = name,
                             .type = tensor_type(type),
                             .rank = info->rank,
                             .shape = {info->shape[0], columns_of(info, type)},
                             .data = values};
    return safetensors_writer_tensor(writer, &view, error);
}

Status stored_tensor_write_scales(SafetensorsWriter *writer, const ParamInfo *info,
                                  const float *scales, Error *error)
{
    char name[STORED_NAME_SIZE];
    snprintf(name, sizeof name, "%s" SCALE_SUFFIX, info->name);
    const TensorView view = {
        .name = name, .type = TENSOR_F32, .rank = 1, .shape = {info->shape[0]}, .data = scales};
    return safetensors_writer_tensor(writer, &view, error);
}
