#include "tensor/onednn.h"

#include "base/memory.h"
#include "tensor/kernels.h"
#include "tensor/onednn_primitives.h"

#include <stdio.h>
#include <string.h>

// Rows multiplied at once: so many, and their results, stay in the cache, and few numbers of rows
// need primitives of their own. For 256 rows oneDNN cuts long sums of bf16 in another way.
enum { ROWS_AT_ONCE = 64 };

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

// y = left · the weight, with left (y.rows, ·) dense.
static bool multiply_left(Primitives *mine, Matrix y, const char *left, const PackedWeight *weight,
                          PackedUse use, GemmSum sum)
{
    size_t width = weight->precision == GEMM_BF16 ? 2 : sizeof(float);
    Product product = weight_product(weight->precision, use, weight->rows, weight->columns, 0);
    product.left_stride = product.inner;
    product.right = FACTOR_BLOCKED;
    product.result_stride = (uint32_t)y.stride;
    product.add = sum == GEMM_ADD;
    const void *right = use == PACKED_FORWARD ? weight->forward : weight->backward;
    for (size_t row = 0, rows; row < y.rows; row += rows) {
        rows = y.rows - row < ROWS_AT_ONCE ? y.rows - row : ROWS_AT_ONCE;
        product.rows = (uint32_t)rows;
        if (!primitives_multiply(mine, product, left + row * product.inner * width, right,
                                 matrix_row(y, row)))
            return false;
    }
    return true;
}

bool onednn_multiply(Matrix y, Matrix x, const PackedWeight *weight, PackedUse use, GemmSum sum)
{
    Primitives *mine = primitives_of_thread();
    const char *left = mine ? dense_factor(mine, SCRATCH_LEFT, x, weight->precision, x.rows) : NULL;
    return left && multiply_left(mine, y, left, weight, use, sum);
}

// As a weight's gradient needs them: few numbers of rows need primitives of their own.
static size_t rows_padded(size_t rows)
{
    return (rows + GEMM_ROWS_PADDED - 1) / GEMM_ROWS_PADDED * GEMM_ROWS_PADDED;
}

bool onednn_multiply_weight(Matrix dw, GemmSum sum, Matrix dy, Matrix x, GemmPrecision precision)
{
    Primitives *mine = primitives_of_thread();
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
    if (precision == GEMM_BF16 && !x.bf16 &&
        primitives_multiply_rows(mine, product, left, x, dw.values))
        return true;
    const void *right = dense_factor(mine, SCRATCH_RIGHT, x, precision, rows);
    return right && primitives_multiply(mine, product, left, right, dw.values);
}
