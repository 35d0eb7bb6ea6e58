/* A tensor in a model file. Vectors are float32 (float64 in a double build), and so are the
 * matrices of a trained model; a quantised matrix (model/quantise_model.c) is
 *
 *     BF16, or
 *     I8 (rows, columns) with NAME.scale, float32 (rows): each row's numbers times its scale.
 *
 * Everything else is refused by name. */
#ifndef REGARD_MODEL_STORED_TENSOR_H
#define REGARD_MODEL_STORED_TENSOR_H

#include "io/safetensors.h"
#include "layers/params.h"
#include "linalg/quantise.h"

#include <stdbool.h>

extern const TensorType REAL_TYPE; // of `real`

#define SCALE_SUFFIX ".scale"
enum { STORED_NAME_SIZE = 2 * PARAM_NAME_SIZE };

typedef struct StoredTensor {
    const TensorView *values;
    const TensorView *scales; // of I8, else NULL
} StoredTensor;

/* Finds prefix + info->name in a file and checks its kind, its shape, and that its scales exist and
 * are finite. `path` is for messages. */
Status stored_tensor_find(StoredTensor *stored, const SafetensorsFile *file, const char *path,
                          const ParamInfo *info, const char *prefix, Error *error);

/* Adds prefix + info->name to a writer, with values of that type, which must stay until it has
 * saved. */
Status stored_tensor_write(SafetensorsWriter *writer, const ParamInfo *info, const char *prefix,
                           TensorType type, const void *values, Error *error);

/* A matrix in int8 whose numbers are all finite, and which products in int8 can use as it is: its
 * rows; else none. */
RoundedRows stored_tensor_rounded(const StoredTensor *stored);

// Whether it is quantised; otherwise its values can be used in place.
bool stored_tensor_quantised(const StoredTensor *stored);

// Dequantises a tensor into values (info->count); numbers too large become infinite.
void stored_tensor_read(real *values, const StoredTensor *stored);

/* STATUS_FORMAT if a file has other tensors than those of the list, their scales, those that
 * `others` (ended by NULL) names, and those whose names begin with `carried`. */
Status stored_tensors_only(const SafetensorsFile *file, const char *path, const ParamList *list,
                           const char *const *others, const char *carried, Error *error);

#endif
