/* What can multiply: a table of backends. To add one is to write its file and its line in
 * backend.c.
 *
 * A backend computes the three products of a linear layer y = x·wᵀ, on the caller's thread alone:
 * threads belong to the caller (base/threads.h). OpenBLAS, the first of the table, is always there,
 * multiplies any matrices and cannot fail. The others multiply packed weights (linalg/weight.h);
 * where one has no form of a weight, linalg/product.c takes OpenBLAS, and where it has no memory
 * left OpenBLAS or, forward, dot products. */
#ifndef REGARD_LINALG_BACKEND_BACKEND_H
#define REGARD_LINALG_BACKEND_BACKEND_H

#include "linalg/operand.h"
#include "linalg/weight.h"

// What factors are rounded to; sums are float32 (double in tests), of int8 exact.
typedef enum ComputeType { COMPUTE_FLOAT32, COMPUTE_BF16, COMPUTE_INT8 } ComputeType;
enum { COMPUTE_TYPES = COMPUTE_INT8 + 1 };
const char *compute_type_name(ComputeType type); // "float32", "bf16", "int8"

// Which of the two products of a packed weight a form is for.
typedef enum PackedUse { PACKED_FORWARD, PACKED_BACKWARD } PackedUse;

struct Backend {
    const char *name;  // one word, for files: "onednn_bf16"
    const char *title; // for people: "oneDNN bf16"
    ComputeType type;
    bool bf16_operands; // it reads operands kept in bf16 (linalg/operand.h)

    // Whether this processor and environment have it.
    bool (*available)(void);
    // Whether auto takes it for that, where no faster one is available.
    bool (*chosen_for)(PackedPurpose purpose);
    /* A row of x·wᵀ has the same bits for any number of rows that is a multiple of row_multiple,
     * if rows_exact(): so decoding pads its rows, and a sentence's translation does not depend
     * on its batch. tests/linalg/test_backends.c measures it. */
    size_t row_multiple;
    bool (*rows_exact)(void);
    // The library and what it runs on, for `regard info` and the logs: "oneDNN 2.6.3 AMX".
    void (*describe)(char *text, size_t size);

    // NULL for a backend that does not pack:
    // bytes of a weight's form; 0: it has no fast product
    size_t (*packed_bytes)(const Backend *backend, PackedUse use, size_t out, size_t in);
    // if the forward forms of blocks of `block` rows are pieces of the weight's, one after another:
    // how many bytes each takes, the last perhaps fewer; else 0
    size_t (*packed_block_bytes)(const Backend *backend, size_t out, size_t in, size_t block);
    // fills a form of a weight, whose rows, with all columns of the tensor, are given
    bool (*pack)(const PackedWeight *weight, void *form, PackedUse use, Matrix rows);
    // fills a form for x·wᵀ from picks (count) of a weight's rows, which is in memory of
    // packed_bytes for so many rows; NULL: it cannot
    void (*pick)(const PackedWeight *weight, void *form, const int32_t *picks, size_t count);
    // rounds each row to what the type holds, as products see it; NULL: they need not be
    void (*round_rows)(Matrix rows);

    // The products; false: not possible. x (n, in), dy (n, out), w and dw (out, in), n > 0.
    // y (n, out) = x wᵀ, or y += x wᵀ
    bool (*forward)(Matrix y, const Operand *x, Weight w, ProductSum sum);
    // dx (n, in) = dy w
    bool (*backward_input)(Matrix dx, const Operand *dy, Weight w, ProductSum sum);
    // dw = dyᵀ x
    bool (*backward_weight)(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum);

    // Bytes of x (rows, columns) laid out for backward_weight, and its layout; false: not possible.
    // NULL for a backend that reads x as it is.
    size_t (*right_bytes)(size_t rows, size_t columns);
    bool (*pack_right)(void *right, Matrix x);
};

extern const Backend *const backends[]; // of this build, slowest first, and a NULL

extern const Backend backend_openblas, backend_bf16, backend_int8;

/* The fastest available backend of that type, or NULL. A model narrower than MIN_PACKED_WIDTH
 * units gains nothing by packing: unless `wide`, OpenBLAS is preferred. */
const Backend *backend_of(ComputeType type, bool wide);
enum { MIN_PACKED_WIDTH = 64 };

/* The same, or STATUS_ARGUMENT if there is none. */
Status backend_get(const Backend **backend, ComputeType type, bool wide, Error *error);

// The type of the fastest for a purpose.
ComputeType backend_fastest_type(PackedPurpose purpose, bool wide);

// Backend.chosen_for of one that is as good for any purpose.
bool backend_for_any(PackedPurpose purpose);

// "bf16 by oneDNN 2.6.3 AMX"
void backend_describe(char *text, size_t size, const Backend *backend);

/* Makes ready for products on `threads` threads at once (linalg/backend/openblas_library.h). Call
 * it before any product but those forward with weights that are packed
 * (packed_weights_complete), which do not need OpenBLAS; any number of times, from any thread.
 * STATUS_IO, STATUS_MEMORY. */
Status backends_start(size_t threads, Error *error);

/* STATUS_MEMORY if, since the last call and on any thread, a backend has had no memory left and
 * another has taken its place: the numbers are right, but their bits are not those promised. */
Status backends_check(Error *error);

#endif
