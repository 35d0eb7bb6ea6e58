/* The backends of matrix products, as a table. A new one needs a file of its own and a line in
 * backend.c.
 *
 * A backend computes the three products of a linear layer y = x·wᵀ, on the caller's thread alone:
 * threads belong to the caller (base/threads.h). OpenBLAS, the first in the table, is always there,
 * multiplies any matrices and cannot fail. The others multiply packed weights (linalg/weight.h).
 * Where one has no packed form of a weight, linalg/product.c falls back on OpenBLAS; where one runs
 * out of memory, on OpenBLAS or, for forward products, on dot products. */
#pragma once

#include "linalg/operand.h"
#include "linalg/weight.h"

// What factors are rounded to; sums are float32 (double in tests), of int8 exact.
typedef enum ComputeType { COMPUTE_FLOAT32, COMPUTE_BF16, COMPUTE_INT8 } ComputeType;
enum { COMPUTE_TYPES = COMPUTE_INT8 + 1 };
const char *compute_type_name(ComputeType type); // "float32", "bf16", "int8"

// The same as a user chooses it.
typedef enum Precision {
    PRECISION_AUTO,
    PRECISION_FLOAT32,
    PRECISION_BF16,
    PRECISION_INT8
} Precision;
extern const char *const precision_names[];          // "auto", "float32", "bf16", "int8", NULL
extern const char *const training_precision_names[]; // without "int8"

// The type of a precision, and back; auto counts as float32.
static inline ComputeType precision_type(Precision precision)
{
    return precision == PRECISION_AUTO ? COMPUTE_FLOAT32
                                       : (ComputeType)(precision - PRECISION_FLOAT32);
}

static inline Precision precision_of(ComputeType type)
{
    return (Precision)(PRECISION_FLOAT32 + type);
}

// Which of the two products of a packed weight a form is for.
typedef enum PackedUse { PACKED_FORWARD, PACKED_BACKWARD } PackedUse;

struct Backend {
    const char *name;  // one word, for files: "onednn_bf16"
    const char *title; // for people: "oneDNN bf16"
    ComputeType type;
    bool bf16_operands; // it reads operands kept in bf16 (linalg/operand.h)

    // Whether this processor and environment have it.
    bool (*available)(void);
    // Whether auto chooses it for that purpose, where no faster one is available.
    bool (*chosen_for)(PackedPurpose purpose);
    /* A row of x·wᵀ has the same bits for any number of rows that is a multiple of row_multiple,
     * if rows_exact(): so decoding pads its rows, and a sentence's translation does not depend
     * on its batch. tests/linalg/test_backends.c measures it. */
    size_t row_multiple;
    bool (*rows_exact)(void);
    // The library and the processor's features it uses, for `regard info` and logs: "oneDNN 2.6.3 AMX".
    void (*describe)(char *text, size_t size);

    // The next three are NULL for a backend that does not pack.
    // bytes of a weight's form; 0: it has no fast product
    size_t (*packed_bytes)(const Backend *backend, PackedUse use, size_t out, size_t in);
    // bytes of each block of `block` rows (the last may take fewer), if the blocks' forward forms
    // are consecutive pieces of the weight's; else 0
    size_t (*packed_block_bytes)(const Backend *backend, size_t out, size_t in, size_t block);
    // fills a form of a weight from its rows, which are given with all columns of the tensor
    bool (*pack)(const PackedWeight *weight, void *form, PackedUse use, Matrix rows);
    // fills a form for x·wᵀ of some rows of a weight, picks (count); `form` has packed_bytes for so
    // many rows; NULL: it cannot
    void (*pick)(const PackedWeight *weight, void *form, const int32_t *picks, size_t count);
    // rounds each row to the values that products use; NULL: no rounding is needed
    void (*round_rows)(Matrix rows);

    /* The products; false: not possible. NULL where gradients are not for this type: they are
     * OpenBLAS's. x (n, in), dy (n, out), w and dw (out, in), n > 0. */
    // y (n, out) = x wᵀ, or y += x wᵀ
    bool (*forward)(Matrix y, const Operand *x, Weight w, ProductSum sum);
    // dx (n, in) = dy w
    bool (*backward_input)(Matrix dx, const Operand *dy, Weight w, ProductSum sum);
    // dw = dyᵀ x
    bool (*backward_weight)(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum);

    // How x (rows, columns) is laid out for backward_weight: its bytes, and doing it; false: not
    // possible. NULL for a backend that reads x as it is.
    size_t (*right_bytes)(size_t rows, size_t columns);
    bool (*pack_right)(void *right, Matrix x);
};

extern const Backend *const backends[]; // of this build, slowest first, and a NULL

extern const Backend backend_openblas, backend_bf16, backend_int8;

// OpenBLAS's product of plain matrices: c = a·b, either factor transposed if so marked, or added to c
void openblas_multiply(Matrix c, Matrix a, bool a_transposed, Matrix b, bool b_transposed,
                       ProductSum sum);

/* The core, as OPENBLAS_CORETYPE names it, that serves a processor with `instructions` (Kernels.name)
 * better than the `core` that OpenBLAS has chosen, or NULL. */
const char *openblas_better_core(const char *core, const char *instructions);

/* The fastest available backend of that type, or NULL. A model narrower than MIN_PACKED_WIDTH
 * units gains nothing by packing: unless `wide`, OpenBLAS is preferred. */
const Backend *backend_of(ComputeType type, bool wide);
enum { MIN_PACKED_WIDTH = 64 };

/* The same, or STATUS_ARGUMENT if there is none. */
Status backend_get(const Backend **backend, ComputeType type, bool wide, Error *error);

// The type of the fastest for a purpose.
ComputeType backend_fastest_type(PackedPurpose purpose, bool wide);

/* Resolves auto: the fastest type here for that purpose and a model that is `wide` or not.
 * STATUS_ARGUMENT if a type is demanded and not available. */
Status precision_resolve(ComputeType *resolved, Precision precision, PackedPurpose purpose,
                         bool wide, Error *error);

/* Backend.backward_weight by a `multiply` that takes so many rows of dy and x at once: in parts, of which
 * those behind the first are added. */
bool backend_by_rows(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum, size_t at_once,
                     bool (*multiply)(Matrix, const Operand *, const Operand *, ProductSum));

// Backend.chosen_for of a backend that suits any purpose.
static inline bool backend_for_any(PackedPurpose purpose)
{
    (void)purpose;
    return true;
}

/* For Backend.pick: copies the picked columns of panels into new panels, whose last is filled with
 * zeros. A panel has `words` words: its columns' first ones side by side, then their second ones, and
 * so on. */
typedef struct PickedColumns {
    size_t panel, words;  // columns of a panel, its words of 32 bits
    const int32_t *picks; // (count) columns
    size_t count;
} PickedColumns;
void backend_pick(void *out, const void *panels, const PickedColumns *columns);

// "bf16 by oneDNN 2.6.3 AMX"
void backend_describe(char *text, size_t size, const Backend *backend);

/* Loads OpenBLAS and sets aside its memory for products on `threads` threads at once. Call it before
 * any product but those forward with weights that are packed (packed_weights_complete), which do
 * not need it; any number of times, from any thread. STATUS_IO if there is no OpenBLAS,
 * STATUS_MEMORY. */
Status backends_start(size_t threads, Error *error);

/* STATUS_MEMORY if, since the last call and on any thread, a backend has run out of memory and
 * another has stood in for it: the numbers are right, but their bits are not those promised. */
Status backends_check(Error *error);
