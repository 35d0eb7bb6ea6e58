/* Writes an open model again with its matrices in fewer bits: bf16, or int8 with a scale for each row (linalg/quantise.h).
 * Vectors stay as they are; there are few of them. Everything that opens models opens the file (model/stored_tensor.h). */
#ifndef REGARD_MODEL_QUANTISE_MODEL_H
#define REGARD_MODEL_QUANTISE_MODEL_H

#include "model/model_file.h"

/* `type` is TENSOR_BF16 or TENSOR_I8. The file at `path` is written whole or not at all, and may be the one the model was
 * opened from, `source`, which is for messages. STATUS_FORMAT if the model is quantised already, or if a number is too large for
 * bf16. */
Status quantise_model(const Model *model, const char *source, TensorType type, const char *path,
                      Error *error);

#endif
