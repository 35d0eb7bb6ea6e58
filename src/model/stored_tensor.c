#include "model/stored_tensor.h"

#include "math/kernels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const TensorType REAL_TYPE = sizeof(real) == sizeof(float) ? TENSOR_F32 : TENSOR_F64;

enum { SHAPE_SIZE = 24 * MAX_TENSOR_RANK };

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

/* The scales of an I8 tensor. */
static Status find_scales(StoredTensor *stored, const SafetensorsFile *file, const char *path,
                          Error *error)
{
    char name[STORED_NAME_SIZE + sizeof SCALE_SUFFIX];
    const TensorView *values = stored->values;
    snprintf(name, sizeof name, "%s" SCALE_SUFFIX, values->name);
    const TensorView *scales = stored->scales = safetensors_find(file, name);
    if (!scales)
        return error_set(
            error, STATUS_FORMAT,
            "%s: tensor %s is I8, but %s, the scales of its rows, is missing; quantise "
            "the model again",
            path, values->name, name);
    if (scales->type != TENSOR_F32)
        return error_set(error, STATUS_FORMAT, "%s: tensor %s is %s; it must be F32", path, name,
                         tensor_type_name(scales->type));
    TRY(check_shape(scales, path, 1, values->shape, error));
    const float *numbers = scales->data;
    for (size_t i = 0; i < scales->shape[0]; i++)
        if (!isfinite(numbers[i]) || numbers[i] < 0)
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
    *stored = (StoredTensor){.values = view};
    if (!view) return error_set(error, STATUS_FORMAT, "%s: tensor %s is missing", path, name);
    bool quantised = info->rank == 2 && (view->type == TENSOR_BF16 || view->type == TENSOR_I8);
    if (view->type != REAL_TYPE && !quantised)
        return error_set(error, STATUS_FORMAT, "%s: tensor %s is %s; it must be %s%s", path, name,
                         tensor_type_name(view->type), tensor_type_name(REAL_TYPE),
                         info->rank == 2 ? ", BF16 or I8" : "");
    Status status = check_shape(view, path, info->rank, info->shape, error);
    if (status || view->type != TENSOR_I8) return status;
    return find_scales(stored, file, path, error);
}

Status stored_tensor_write(SafetensorsWriter *writer, const ParamInfo *info, const char *prefix,
                           TensorType type, const void *values, Error *error)
{
    char name[STORED_NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", prefix, info->name);
    const TensorView view = {.name = name,
                             .type = type,
                             .rank = info->rank,
                             .shape = {info->shape[0], info->shape[1]},
                             .data = values};
    return safetensors_writer_tensor(writer, &view, error);
}

bool stored_tensor_quantised(const StoredTensor *stored)
{
    return stored->values->type != REAL_TYPE;
}

RoundedRows stored_tensor_rounded(const StoredTensor *stored)
{
    const TensorView *view = stored->values;
    if (view->type != TENSOR_I8) return (RoundedRows){0};
    const RoundedRows rows = {view->data, stored->scales->data, view->shape[1]};
    return rounded_rows_usable(&rows, view->shape[0]) ? rows : (RoundedRows){0};
}

void stored_tensor_read(real *values, const StoredTensor *stored)
{
    const Kernels *k = kernels();
    const TensorView *view = stored->values;
    size_t rows = view->shape[0], columns = view->shape[1];
    if (view->type == TENSOR_BF16) {
        k->from_bf16(values, view->data, rows * columns);
        return;
    }
    const int8_t *steps = view->data;
    const float *scales = stored->scales->data;
    for (size_t i = 0; i < rows; i++)
        k->from_int8(values + i * columns, steps + i * columns, scales[i], columns);
}

/* Whether `name` is NAME.scale of an I8 tensor NAME of the list. */
static bool is_scale(const SafetensorsFile *file, const ParamList *list, const char *name)
{
    const size_t suffix = sizeof SCALE_SUFFIX - 1, length = strlen(name);
    char of[STORED_NAME_SIZE];
    if (length <= suffix || length - suffix >= sizeof of) return false;
    if (strcmp(name + length - suffix, SCALE_SUFFIX) != 0) return false;
    memcpy(of, name, length - suffix);
    of[length - suffix] = '\0';
    const TensorView *values = safetensors_find(file, of);
    return values && values->type == TENSOR_I8 && param_list_find(list, of);
}

static bool is_among(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0) return true;
    return false;
}

Status stored_tensors_only(const SafetensorsFile *file, const char *path, const ParamList *list,
                           const char *const *others, const char *carried, Error *error)
{
    for (size_t i = 0; i < safetensors_count(file); i++) {
        const char *name = safetensors_at(file, i)->name;
        if (!param_list_find(list, name) && !is_among(others, name) &&
            !is_scale(file, list, name) && strncmp(name, carried, strlen(carried)) != 0)
            return error_set(error, STATUS_FORMAT,
                             "%s: has a tensor %s that does not belong to its config", path, name);
    }
    return STATUS_OK;
}
