#include "linalg/backend/onednn_products.h"

#include "linalg/backend/scratch.h"
#include "math/bf16.h"

#include <stdio.h>

/* Rows multiplied at once: so many, and their results, stay in the cache, and few numbers of rows
 * need primitives of their own. For 256 rows oneDNN splits long sums of bf16 in another way, which
 * would change a row's bits. */
enum { ROWS_AT_ONCE = 64, ROWS_FINE = 48 };

bool onednn_has_amx(void)
{
    return bf16_kernels() && dnnl_get_effective_cpu_isa() == dnnl_cpu_isa_avx512_core_amx;
}

void onednn_describe(char *text, size_t size)
{
    const dnnl_version_t *version = dnnl_version();
    snprintf(text, size, "oneDNN %d.%d.%d%s", version->major, version->minor, version->patch,
             onednn_has_amx() ? " AMX" : "");
}

static size_t element_size(ComputeType type)
{
    return type == COMPUTE_BF16 ? sizeof(uint16_t) : sizeof(float);
}

// The product of `rows` rows with a weight (out, in): its right factor is (inner, columns).
static Product weight_product(ComputeType type, PackedUse use, size_t out, size_t in, size_t rows)
{
    bool forward = use == PACKED_FORWARD;
    return (Product){.type = type,
                     .rows = (uint32_t)rows,
                     .inner = (uint32_t)(forward ? in : out),
                     .columns = (uint32_t)(forward ? out : in)};
}

size_t onednn_packed_bytes(const Backend *backend, PackedUse use, size_t out, size_t in)
{
    Primitives *mine = primitives_of_thread();
    return mine ? primitives_blocked_bytes(mine, weight_product(backend->type, use, out, in, 1))
                : 0;
}

size_t onednn_packed_block_bytes(const Backend *backend, size_t out, size_t in, size_t block)
{
    ComputeType type = backend->type;
    Primitives *mine = primitives_of_thread();
    if (!mine || out < block) return 0;
    const Product whole = weight_product(type, PACKED_FORWARD, out, in, 1);
    const size_t sizes[] = {block, out % block}; // of the blocks, and of the last
    for (size_t i = 0; i < 2; i++)
        if (sizes[i] && !primitives_is_piece(mine, whole,
                                             weight_product(type, PACKED_FORWARD, sizes[i], in, 1)))
            return 0;
    return onednn_packed_bytes(backend, PACKED_FORWARD, block, in);
}

bool onednn_pack(const PackedWeight *weight, void *form, PackedUse use, Matrix rows)
{
    Primitives *mine = primitives_of_thread();
    Matrix values = matrix_columns(rows, weight->first_column, weight->columns);
    Product product = weight_product(weight->backend->type, use, values.rows, values.columns, 0);
    product.right = use == PACKED_FORWARD ? FACTOR_TRANSPOSED : FACTOR_PLAIN;
    product.right_stride = (uint32_t)values.stride;
    return mine && primitives_reorder(mine, product, values, form);
}

/* A factor of that type with rows without gaps, and zeros after them up to `rows`: the operand's
 * own, or a copy. */
static const void *dense_factor(ScratchPlace place, const Operand *x, ComputeType type, size_t rows)
{
    Matrix matrix = x->matrix;
    bool ready = x->padded || rows == matrix.rows;
    if (type == COMPUTE_BF16 && x->bf16 && ready) return x->bf16;
    if (type == COMPUTE_FLOAT32 && matrix.stride == matrix.columns && ready) return matrix.values;
    size_t line = matrix.columns * element_size(type);
    char *copy = scratch_take(place, rows * line);
    if (!copy) return NULL;
    for (size_t i = 0; i < matrix.rows; i++) {
        if (type == COMPUTE_BF16)
            kernels()->to_bf16((uint16_t *)(void *)(copy + i * line), matrix_row(matrix, i),
                               matrix.columns);
        else
            memcpy(copy + i * line, matrix_row(matrix, i), line);
    }
    memset(copy + matrix.rows * line, 0, (rows - matrix.rows) * line);
    return copy;
}

/* With AMX, oneDNN 2.6 takes up to seven times as long for some numbers of rows above ROWS_FINE and
 * below ROWS_AT_ONCE. */
static size_t rows_at_once(size_t left, ComputeType type)
{
    if (left >= ROWS_AT_ONCE) return ROWS_AT_ONCE;
    return type == COMPUTE_BF16 && left > ROWS_FINE ? ROWS_FINE : left;
}

static bool multiply(Matrix y, const Operand *x, const PackedWeight *weight, PackedUse use,
                     ProductSum sum)
{
    ComputeType type = weight->backend->type;
    const void *right = use == PACKED_FORWARD ? weight->forward : weight->backward;
    Primitives *mine = right ? primitives_of_thread() : NULL;
    const char *left = mine ? dense_factor(SCRATCH_LEFT, x, type, x->matrix.rows) : NULL;
    if (!left) return false;
    Product product = weight_product(type, use, weight->rows, weight->columns, 0);
    product.left_stride = product.inner;
    product.right = FACTOR_BLOCKED;
    product.result_stride = (uint32_t)y.stride;
    product.add = sum == PRODUCT_ADD;
    size_t line = product.inner * element_size(type);
    for (size_t row = 0, rows; row < y.rows; row += rows) {
        rows = rows_at_once(y.rows - row, type);
        product.rows = (uint32_t)rows;
        if (!primitives_multiply(mine, product, left + row * line, right, matrix_row(y, row)))
            return false;
    }
    return true;
}

bool onednn_forward(Matrix y, const Operand *x, Weight w, ProductSum sum)
{
    return multiply(y, x, w.packed, PACKED_FORWARD, sum);
}

bool onednn_backward_input(Matrix dx, const Operand *dy, Weight w, ProductSum sum)
{
    return multiply(dx, dy, w.packed, PACKED_BACKWARD, sum);
}

bool onednn_backward_weight(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum,
                            ComputeType type)
{
    Primitives *mine = primitives_of_thread();
    size_t rows = operand_padded_rows(x->matrix.rows);
    const void *left = mine ? dense_factor(SCRATCH_LEFT, dy, type, rows) : NULL;
    if (!left) return false;
    Product product = {.type = type,
                       .rows = (uint32_t)dw.rows,
                       .inner = (uint32_t)rows,
                       .columns = (uint32_t)dw.columns,
                       .left_transposed = true,
                       .left_stride = (uint32_t)dw.rows,
                       .right = FACTOR_PLAIN,
                       .right_stride = (uint32_t)x->matrix.columns,
                       .result_stride = (uint32_t)dw.stride,
                       .add = sum == PRODUCT_ADD};
    const void *right = dense_factor(SCRATCH_RIGHT, x, type, rows);
    return right && primitives_multiply(mine, product, left, right, dw.values);
}
