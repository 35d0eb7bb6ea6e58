#include "linalg/backend/backend.h"

#include "linalg/backend/scratch.h"

#include <stdio.h>

#ifdef REGARD_ONEDNN
#include "linalg/backend/onednn_guard.h"

extern const Backend backend_onednn_float32, backend_onednn_bf16;
#endif

const Backend *const backends[] = {
    &backend_openblas,
#ifdef REGARD_ONEDNN
    &backend_onednn_float32,
#endif
    &backend_bf16,
    &backend_int8,
#ifdef REGARD_ONEDNN
    &backend_onednn_bf16,
#endif
    NULL,
};

const char *const precision_names[] = {"auto", "float32", "bf16", "int8", NULL};
const char *const training_precision_names[] = {"auto", "float32", "bf16", NULL};

const char *compute_type_name(ComputeType type)
{
    return precision_names[precision_of(type)];
}

const Backend *backend_of(ComputeType type, bool wide)
{
    const Backend *best = NULL;
    for (size_t i = 0; backends[i]; i++)
        if (backends[i]->type == type && backends[i]->available() &&
            (wide || best != &backend_openblas))
            best = backends[i];
    return best;
}

Status backend_get(const Backend **backend, ComputeType type, bool wide, Error *error)
{
    *backend = backend_of(type, wide);
    if (*backend) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "precision %s: needs a processor with AVX512-BF16; use auto",
                     compute_type_name(type));
}

ComputeType backend_fastest_type(PackedPurpose purpose, bool wide)
{
    ComputeType type = backend_openblas.type;
    for (size_t i = 0; backends[i] && wide; i++)
        if (backends[i]->available() && backends[i]->chosen_for(purpose)) type = backends[i]->type;
    return type;
}

Status precision_resolve(ComputeType *resolved, Precision precision, PackedPurpose purpose,
                         bool wide, Error *error)
{
    const Backend *backend;
    *resolved = precision == PRECISION_AUTO ? backend_fastest_type(purpose, wide)
                                            : precision_type(precision);
    return backend_get(&backend, *resolved, wide, error);
}

Status backends_check(Error *error)
{
    bool for_factors = scratch_was_short();
#ifdef REGARD_ONEDNN
    if (guarded_memory_was_short())
        return error_set(
            error, STATUS_MEMORY,
            "out of memory: oneDNN needs more for its code; free some, raise the limit "
            "(ulimit -v) or set REGARD_GEMM=openblas");
#endif
    if (for_factors)
        return error_set(error, STATUS_MEMORY,
                         "out of memory: products need more for their factors; free some or raise "
                         "the limit (ulimit -v)");
    return STATUS_OK;
}

// `count` rows of an operand from `first` on, whose values or bf16 are used.
static Operand operand_rows(const Operand *operand, size_t first, size_t count)
{
    Matrix matrix = operand->matrix;
    if (matrix.values) return operand_of(matrix_rows(matrix, first, count));
    return (Operand){.matrix = matrix_with_rows(matrix, count),
                     .bf16 = operand->bf16 + first * matrix.columns};
}

bool backend_by_rows(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum, size_t at_once,
                     bool (*multiply)(Matrix, const Operand *, const Operand *, ProductSum))
{
    const size_t n = x->matrix.rows;
    if (n <= at_once) return multiply(dw, dy, x, sum);
    for (size_t row = 0, rows; row < n; row += rows) {
        rows = n - row < at_once ? n - row : at_once;
        const Operand some_dy = operand_rows(dy, row, rows), some_x = operand_rows(x, row, rows);
        if (!multiply(dw, &some_dy, &some_x, row ? PRODUCT_ADD : sum)) return false;
    }
    return true;
}

void backend_pick(void *out, const void *panels, const PickedColumns *columns)
{
    const size_t width = columns->panel, words = columns->words;
    memset(out, 0, (columns->count + width - 1) / width * words * sizeof(uint32_t));
    for (size_t i = 0; i < columns->count; i++) {
        const size_t pick = (size_t)columns->picks[i];
        const uint32_t *from = (const uint32_t *)panels + pick / width * words + pick % width;
        uint32_t *to = (uint32_t *)out + i / width * words + i % width;
        for (size_t k = 0; k < words; k += width) to[k] = from[k];
    }
}

void backend_describe(char *text, size_t size, const Backend *backend)
{
    char library[128];
    backend->describe(library, sizeof library);
    snprintf(text, size, "%s by %s", compute_type_name(backend->type), library);
}
