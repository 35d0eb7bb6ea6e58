#include "linalg/precision.h"

const char *const precision_names[] = {"auto", "float32", "bf16", NULL};

Status precision_resolve(GemmPrecision *resolved, Precision precision, bool wide, Error *error)
{
    bool available = packed_possible(GEMM_BF16);
    bool wanted = precision == PRECISION_BF16 || (precision == PRECISION_AUTO && wide);
    *resolved = available && wanted ? GEMM_BF16 : GEMM_FLOAT32;
    if (available || precision != PRECISION_BF16) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "--precision bf16: needs a processor with AMX and a program built with "
                     "oneDNN; use auto");
}
