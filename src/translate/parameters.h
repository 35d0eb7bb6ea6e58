/* A model's parameters as decoding multiplies them: packed (linalg/weight.h) once for each type of
 * products, when that is first needed, and then shared. */
#ifndef REGARD_TRANSLATE_PARAMETERS_H
#define REGARD_TRANSLATE_PARAMETERS_H

#include "base/threads.h"
#include "model/model_file.h"

typedef struct Parameters Parameters;

// Freed by parameters_free, after everything that was got of it.
Status parameters_new(Parameters **parameters, Error *error);

void parameters_free(Parameters *parameters); // NULL is allowed

/* The parameters of `model`, always the same one, for products of that type. Where the backend does
 * not pack, they are the model's own; else all of `threads` pack them. May be called by several
 * threads, each with a team of its own. STATUS_ARGUMENT if this program or processor does not have
 * the type. */
Status parameters_get(Parameters *parameters, const Model *model, ComputeType type,
                      Threads *threads, const Seq2SeqParams **params, Error *error);

#endif
