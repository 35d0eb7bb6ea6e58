/* The precision of matrix products as a user chooses it. */
#ifndef REGARD_LINALG_PRECISION_H
#define REGARD_LINALG_PRECISION_H

#include "linalg/packed.h"

typedef enum Precision { PRECISION_AUTO, PRECISION_FLOAT32, PRECISION_BF16 } Precision;
extern const char *const precision_names[]; // "auto", "float32", "bf16", NULL

/* Resolves auto: bf16 where the processor multiplies it fast, unless the model is too narrow (not `wide`) to gain by it.
 * STATUS_ARGUMENT if bf16 is demanded and not available. */
Status precision_resolve(GemmPrecision *resolved, Precision precision, bool wide, Error *error);

#endif
