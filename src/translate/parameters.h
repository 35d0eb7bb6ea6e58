/* A model's parameters as decoding multiplies them: packed (linalg/packed.h) once for each precision that is asked for, when
 * it is asked for first, and then shared by everyone. */
#ifndef REGARD_TRANSLATE_PARAMETERS_H
#define REGARD_TRANSLATE_PARAMETERS_H

#include "base/threads.h"
#include "model/model_file.h"

typedef struct Parameters Parameters;

// Freed by parameters_free, after everything that was got of it.
Status parameters_new(Parameters **parameters, Error *error);

void parameters_free(Parameters *parameters); // NULL is allowed

/* The parameters of `model`, always the same one, for products in that precision. Where packing gains nothing and the
 * precision is float32, they are the model's own; else all of `threads` pack them. May be called by several threads, each
 * with a team of its own. STATUS_ARGUMENT if this program or processor has no such precision. */
Status parameters_get(Parameters *parameters, const Model *model, GemmPrecision precision,
                      Threads *threads, const Seq2SeqParams **params, Error *error);

#endif
