#include "linalg/precision.h"

const char *const precision_names[] = {"auto", "float32", "bf16", "int8", NULL};
const char *const training_precision_names[] = {"auto", "float32", "bf16", NULL};

ComputeType precision_type(Precision precision)
{
    return precision == PRECISION_AUTO ? COMPUTE_FLOAT32
                                       : (ComputeType)(precision - PRECISION_FLOAT32);
}

Precision precision_of(ComputeType type)
{
    return (Precision)(PRECISION_FLOAT32 + type);
}

Status precision_resolve(ComputeType *resolved, Precision precision, PackedPurpose purpose,
                         bool wide, Error *error)
{
    *resolved = precision == PRECISION_AUTO ? backend_fastest_type(purpose, wide)
                                            : precision_type(precision);
    const Backend *backend;
    return backend_get(&backend, *resolved, wide, error);
}
