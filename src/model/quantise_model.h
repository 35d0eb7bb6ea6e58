/* Writes an open model again with its matrices in bf16, or in int8 with a scale for each row
 * (linalg/quantise.h). Vectors, which are few, stay as they are. Everything that opens models opens
 * the file (model/stored_tensor.h). */
#ifndef REGARD_MODEL_QUANTISE_MODEL_H
#define REGARD_MODEL_QUANTISE_MODEL_H

#include "model/model_file.h"

/* `type` is TENSOR_BF16 or TENSOR_I8. The file at `path` is replaced atomically and may be
 * `source`, which the model was opened from. STATUS_FORMAT if the model is already quantised, or a
 * number is too large for bf16. */
Status quantise_model(const Model *model, const char *source, TensorType type, const char *path,
                      Error *error);

#endif
