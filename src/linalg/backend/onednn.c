#include "linalg/backend/onednn.h"

#include "base/memory.h"
#include "linalg/backend/onednn_primitives.h"
#include "math/kernels.h"

#include <stdio.h>
#include <string.h>

// Rows multiplied at once: so many, and their results, stay in the cache, and few numbers of rows
// need primitives of their own. For 256 rows oneDNN cuts long sums of bf16 in another way.
enum { ROWS_AT_ONCE = 64, ROWS_FINE = 48 };

// Of a weight's gradient in bf16: rows of dy and x multiplied at once.
enum { INNER_AT_ONCE = 12 * GEMM_ROWS_PADDED };

bool onednn_has(GemmPrecision precision)
{
    dnnl_cpu_isa_t isa = dnnl_get_effective_cpu_isa();
    return precision == GEMM_FLOAT32 || isa == dnnl_cpu_isa_avx512_core_amx;
}

bool onednn_rows_exact(GemmPrecision precision)
{
    dnnl_cpu_isa_t isa = dnnl_get_effective_cpu_isa();
    return precision == GEMM_BF16 ? onednn_has(precision)
                                  : (isa & dnnl_cpu_isa_avx512_core) == dnnl_cpu_isa_avx512_core;
}

void onednn_describe(char *text, size_t size)
{
    const dnnl_version_t *version = dnnl_version();
    bool amx = onednn_has(GEMM_BF16);
    snprintf(text, size, "oneDNN %d.%d.%d%s", version->major, version->minor, version->patch,
             amx ? " AMX" : "");
}

// The right factor (inner, columns) of a product with a weight (out, in).
static Product weight_product(GemmPrecision precision, PackedUse use, size_t out, size_t in,
                              size_t rows)
{
    bool forward = use == PACKED_FORWARD;
    return (Product){.precision = precision,
                     .rows = (uint32_t)rows,
                     .inner = (uint32_t)(forward ? in : out),
                     .columns = (uint32_t)(forward ? out : in)};
}

size_t onednn_packed_bytes(GemmPrecision precision, PackedUse use, size_t out, size_t in)
{
    Primitives *mine = primitives_of_thread();
    return mine ? primitives_blocked_bytes(mine, weight_product(precision, use, out, in, 1)) : 0;
}

size_t onednn_packed_rows_bytes(GemmPrecision precision, size_t out, size_t in, size_t block)
{
    Primitives *mine = primitives_of_thread();
    if (!mine || out < block) return 0;
    size_t last = out % block;
    bool pieces =
        primitives_columns_apart(mine, weight_product(precision, PACKED_FORWARD, out, in, 1),
                                 weight_product(precision, PACKED_FORWARD, block, in, 1));
    if (last && pieces)
        pieces =
            primitives_columns_apart(mine, weight_product(precision, PACKED_FORWARD, out, in, 1),
                                     weight_product(precision, PACKED_FORWARD, last, in, 1));
    return pieces ? onednn_packed_bytes(precision, PACKED_FORWARD, block, in) : 0;
}

bool onednn_pack(void *packed, GemmPrecision precision, PackedUse use, Matrix weight)
{
    Primitives *mine = primitives_of_thread();
    Product product = weight_product(precision, use, weight.rows, weight.columns, 0);
    product.right = use == PACKED_FORWARD ? FACTOR_TRANSPOSED : FACTOR_PLAIN;
    product.right_stride = (uint32_t)weight.stride;
    return mine && primitives_reorder(mine, product, weight, packed);
}

/* A factor with zeros behind it up to `rows`: copied or converted, unless it is so already. */
static const void *dense_factor(Primitives *mine, PrimitivesScratch place, Matrix x,
                                GemmPrecision precision, size_t rows)
{
    bool ready = x.padded || rows == x.rows;
    if (precision == GEMM_BF16 && x.bf16 && ready) return x.bf16;
    if (precision == GEMM_FLOAT32 && x.stride == x.columns && ready) return x.values;
    const Kernels *k = kernels();
    size_t width = precision == GEMM_BF16 ? 2 : sizeof(float), line = x.columns * width;
    char *copied = primitives_scratch(mine, place, rows * line);
    if (!copied) return NULL;
    for (size_t i = 0; i < x.rows; i++) {
        if (precision == GEMM_BF16)
            k->to_bf16((uint16_t *)(void *)(copied + i * line), matrix_row(x, i), x.columns);
        else
            memcpy(copied + i * line, matrix_row(x, i), line);
    }
    memset(copied + x.rows * line, 0, (rows - x.rows) * line);
    return copied;
}

/* With AMX, oneDNN 2.6 takes up to seven times as long for some numbers of rows above ROWS_FINE and
 * below ROWS_AT_ONCE. */
static size_t rows_together(size_t left, GemmPrecision precision)
{
    if (left >= ROWS_AT_ONCE) return ROWS_AT_ONCE;
    return precision == GEMM_BF16 && left > ROWS_FINE ? ROWS_FINE : left;
}

bool onednn_multiply(Matrix y, Matrix x, const PackedWeight *weight, PackedUse use, GemmSum sum)
{
    Primitives *mine = primitives_of_thread();
    const char *left = mine ? dense_factor(mine, SCRATCH_LEFT, x, weight->precision, x.rows) : NULL;
    if (!left) return false;
    size_t width = weight->precision == GEMM_BF16 ? 2 : sizeof(float);
    Product product = weight_product(weight->precision, use, weight->rows, weight->columns, 0);
    product.left_stride = product.inner;
    product.right = FACTOR_BLOCKED;
    product.result_stride = (uint32_t)y.stride;
    product.add = sum == GEMM_ADD;
    const void *right = use == PACKED_FORWARD ? weight->forward : weight->backward;
    for (size_t row = 0, rows; row < y.rows; row += rows) {
        rows = rows_together(y.rows - row, weight->precision);
        product.rows = (uint32_t)rows;
        if (!primitives_multiply(mine, product, left + row * product.inner * width, right,
                                 matrix_row(y, row)))
            return false;
    }
    return true;
}

// As a weight's gradient needs them: few numbers of rows need primitives of their own.
static size_t rows_padded(size_t rows)
{
    return (rows + GEMM_ROWS_PADDED - 1) / GEMM_ROWS_PADDED * GEMM_ROWS_PADDED;
}

/* A part of the gradient of a weight in bf16: of some of its rows, dy's columns, for some rows of dy
 * and x. The left factor is dy as it lies, and few of its columns are multiplied at once, for oneDNN
 * transposes them into memory of its own, which then stays in the cache. */
static Product columns_product(size_t count, size_t rows, Matrix dw, GemmSum sum)
{
    return (Product){.precision = GEMM_BF16,
                     .rows = (uint32_t)count,
                     .inner = (uint32_t)rows_padded(rows),
                     .columns = (uint32_t)dw.columns,
                     .left_transposed = true,
                     .left_stride = (uint32_t)count,
                     .right = FACTOR_BLOCKED,
                     .result_stride = (uint32_t)dw.stride,
                     .add = sum == GEMM_ADD};
}

size_t onednn_right_room(size_t rows, size_t columns)
{
    return rows_padded(rows) * ((columns + MAX_PAIRS_WIDTH - 1) / MAX_PAIRS_WIDTH) *
           MAX_PAIRS_WIDTH;
}

bool onednn_right_ready(uint16_t *room, Matrix x)
{
    Primitives *mine = onednn_has(GEMM_BF16) ? primitives_of_thread() : NULL;
    if (!mine || x.rows > INNER_AT_ONCE) return false;
    Matrix typical = {.columns = x.columns, .stride = x.columns};
    Pairs pairs = primitives_pairs(mine, columns_product(KERNELS_BLOCK, x.rows, typical, GEMM_SET));
    if (pairs.width) pairs_from_rows((uint32_t *)(void *)room, x, pairs);
    return pairs.width > 0;
}

static bool in_bf16(Matrix dy)
{
    return dy.bf16 && dy.padded;
}

/* dy in bf16, KERNELS_BLOCK of its columns behind the other, with zeros behind the rows of each; or as it
 * lies, if it is in bf16 already. */
static const uint16_t *left_columns(Primitives *mine, Matrix dy)
{
    const Kernels *k = kernels();
    if (in_bf16(dy)) return dy.bf16;
    size_t padded = rows_padded(dy.rows), rest = dy.columns % KERNELS_BLOCK;
    size_t whole = dy.columns - rest;
    uint16_t *left = primitives_scratch(mine, SCRATCH_LEFT, padded * dy.columns * sizeof *left);
    if (!left) return NULL;
    uint16_t *last = left + padded * whole;
    for (size_t i = 0; i < dy.rows; i++) {
        k->to_bf16_blocks(left + i * KERNELS_BLOCK, padded * KERNELS_BLOCK, matrix_row(dy, i),
                          whole);
        k->to_bf16(last + i * rest, matrix_row(dy, i) + whole, rest);
    }
    size_t behind = padded - dy.rows;
    for (size_t first = 0; first < whole; first += KERNELS_BLOCK)
        memset(left + padded * first + dy.rows * KERNELS_BLOCK, 0,
               behind * KERNELS_BLOCK * sizeof *left);
    memset(last + dy.rows * rest, 0, behind * rest * sizeof *left);
    return left;
}

// dw = dyᵀ x, or dw += dyᵀ x, for so few rows that they are multiplied at once.
static bool add_columns(Primitives *mine, Matrix dw, GemmSum sum, Matrix dy, Matrix x)
{
    size_t at_once = in_bf16(dy) ? dy.columns : KERNELS_BLOCK;
    Pairs pairs = primitives_pairs(
        mine, columns_product(dy.columns < at_once ? dy.columns : at_once, x.rows, dw, sum));
    const void *right = x.right;
    if (!right && pairs.width) {
        uint32_t *made = primitives_scratch(
            mine, SCRATCH_RIGHT, onednn_right_room(x.rows, x.columns) * sizeof(uint16_t));
        if (made) pairs_from_rows(made, x, pairs);
        right = made;
    }
    const uint16_t *left = right ? left_columns(mine, dy) : NULL;
    if (!left) return false;
    for (size_t first = 0, count; first < dy.columns; first += count) {
        count = dy.columns - first < at_once ? dy.columns - first : at_once;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < dw.columns; j += 16)
                __builtin_prefetch(matrix_row(dw, first + i) + j, 1, 2);
        if (!primitives_multiply(mine, columns_product(count, x.rows, dw, sum),
                                 left + rows_padded(x.rows) * first, right, matrix_row(dw, first)))
            return false;
    }
    return true;
}

static bool multiply_columns(Primitives *mine, Matrix dw, GemmSum sum, Matrix dy, Matrix x)
{
    if (x.rows <= INNER_AT_ONCE) return add_columns(mine, dw, sum, dy, x);
    for (size_t row = 0, rows; row < x.rows; row += rows) {
        rows = x.rows - row < INNER_AT_ONCE ? x.rows - row : INNER_AT_ONCE;
        Matrix some = matrix_rows(dy, row, rows);
        if (!add_columns(mine, dw, row ? GEMM_ADD : sum, some, matrix_rows(x, row, rows)))
            return false;
    }
    return true;
}

bool onednn_multiply_weight(Matrix dw, GemmSum sum, Matrix dy, Matrix x, GemmPrecision precision)
{
    Primitives *mine = primitives_of_thread();
    if (mine && precision == GEMM_BF16 && (dy.values || x.rows <= INNER_AT_ONCE) &&
        multiply_columns(mine, dw, sum, dy, x))
        return true;
    size_t rows = rows_padded(x.rows);
    const void *left = mine ? dense_factor(mine, SCRATCH_LEFT, dy, precision, rows) : NULL;
    if (!left) return false;
    Product product = {.precision = precision,
                       .rows = (uint32_t)dw.rows,
                       .inner = (uint32_t)rows,
                       .columns = (uint32_t)dw.columns,
                       .left_transposed = true,
                       .left_stride = (uint32_t)dw.rows,
                       .right = FACTOR_PLAIN,
                       .right_stride = (uint32_t)x.columns,
                       .result_stride = (uint32_t)dw.stride,
                       .add = sum == GEMM_ADD};
    const void *right = dense_factor(mine, SCRATCH_RIGHT, x, precision, rows);
    return right && primitives_multiply(mine, product, left, right, dw.values);
}
