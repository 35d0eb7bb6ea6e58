/* The precision of matrix products as a user chooses it. */
#ifndef REGARD_LINALG_PRECISION_H
#define REGARD_LINALG_PRECISION_H

#include "linalg/backend/backend.h"

typedef enum Precision {
    PRECISION_AUTO,
    PRECISION_FLOAT32,
    PRECISION_BF16,
    PRECISION_INT8
} Precision;
extern const char *const precision_names[];          // "auto", "float32", "bf16", "int8", NULL
extern const char *const training_precision_names[]; // without "int8"

// The type of products, and back; auto counts as float32.
ComputeType precision_type(Precision precision);
Precision precision_of(ComputeType type);

/* Resolves auto: the fastest type here for that purpose and a model that is `wide`
 * (linalg/backend/backend.h). STATUS_ARGUMENT if a type is demanded and not available. */
Status precision_resolve(ComputeType *resolved, Precision precision, PackedPurpose purpose,
                         bool wide, Error *error);

#endif
