/* A parameter as a model file has it: F32 (F64 in a double build), or a matrix (rows, columns) in
 * fewer bits,
 *
 *     bf16   BF16 (rows, columns)
 *     int8   I8 (rows, columns) with NAME.scale, F32 (rows): each row's steps times its scale
 *     int4   U8 (rows, ⌈columns / 2⌉) with NAME.scale: likewise, two steps to a byte
 *            (linalg/quantise.h)
 *
 * In an int4 file that is how the embeddings of the source are; the others are as in int8. Those of the
 * target make the output, too, and would lose by it. */
#pragma once

#include "io/safetensors.h"
#include "layers/params.h"
#include "linalg/quantise.h"

// From most bits to fewest.
typedef enum WeightType { WEIGHTS_REAL, WEIGHTS_BF16, WEIGHTS_INT8, WEIGHTS_INT4 } WeightType;

extern const char *const weight_type_names[]; // by WeightType; ends with NULL

typedef struct StoredTensor {
    WeightType type;
    const TensorView *values;
    const float *scales; // (rows) of int8 and int4, else NULL
} StoredTensor;

/* Finds prefix + info->name in a file and checks its kind, its shape, and that its scales exist and
 * are finite. `path` is for messages. */
Status stored_tensor_find(StoredTensor *stored, const SafetensorsFile *file, const char *path,
                          const ParamInfo *info, const char *prefix, Error *error);

// The rows of a matrix in int8 or int4, as they are in the file; none of others.
RoundedRows stored_tensor_rows(const StoredTensor *stored, const ParamInfo *info);

// Whether `name` is NAME.scale of a tensor NAME of the list that has scales in the file.
bool stored_tensor_is_scale(const SafetensorsFile *file, const ParamList *list, const char *name);

/* Adds prefix + info->name to a writer, with values of that type, or the scales of its rows, which
 * must stay until it has saved. */
Status stored_tensor_write(SafetensorsWriter *writer, const ParamInfo *info, const char *prefix,
                           WeightType type, const void *values, Error *error);
Status stored_tensor_write_scales(SafetensorsWriter *writer, const ParamInfo *info,
                                  const float *scales, Error *error);

// What a parameter is in a file of that type; an int4 file has matrices in int8, too.
WeightType stored_tensor_type(const ParamInfo *info, WeightType type);

// Bytes of a parameter's values of that type.
size_t stored_tensor_bytes(const ParamInfo *info, WeightType type);
