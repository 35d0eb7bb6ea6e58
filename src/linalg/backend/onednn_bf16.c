// oneDNN in bf16: factors rounded to bf16, sums in float32, by AMX.

#include "linalg/backend/onednn_primitives.h"
#include "linalg/backend/onednn_products.h"
#include "linalg/backend/scratch.h"

// Rows of dy and x that a weight's gradient multiplies at once.
enum { INNER_AT_ONCE = 12 * OPERAND_ROWS };

/* `count` rows of a weight's gradient, dy's columns, for some rows of dy and x. The left factor
 * is dy itself. Few of its columns are multiplied at once: oneDNN transposes them into memory of
 * its own, which then stays in the cache. */
static Product columns_product(size_t count, size_t rows, Matrix dw, ProductSum sum)
{
    return (Product){.type = COMPUTE_BF16,
                     .rows = (uint32_t)count,
                     .inner = (uint32_t)operand_padded_rows(rows),
                     .columns = (uint32_t)dw.columns,
                     .left_transposed = true,
                     .left_stride = (uint32_t)count,
                     .right = FACTOR_BLOCKED,
                     .result_stride = (uint32_t)dw.stride,
                     .add = sum == PRODUCT_ADD};
}

static size_t right_bytes(size_t rows, size_t columns)
{
    size_t blocks = (columns + MAX_LAYOUT_WIDTH - 1) / MAX_LAYOUT_WIDTH;
    return operand_padded_rows(rows) * blocks * MAX_LAYOUT_WIDTH * sizeof(uint16_t);
}

static bool pack_right(void *right, Matrix x)
{
    Primitives *mine = primitives_of_thread();
    if (!mine || x.rows > INNER_AT_ONCE) return false;
    Matrix typical = {.columns = x.columns, .stride = x.columns};
    Bf16Layout layout =
        primitives_right_layout(mine, columns_product(KERNELS_BLOCK, x.rows, typical, PRODUCT_SET));
    if (layout.width) bf16_layout_put_rows(right, x, layout);
    return layout.width > 0;
}

static bool ready_in_bf16(const Operand *dy)
{
    return dy->bf16 && dy->padded;
}

/* dy in bf16, KERNELS_BLOCK of its columns after the other, each with zero rows after its own;
 * or the operand's own bf16, whose columns are multiplied together. */
static const uint16_t *left_columns(const Operand *dy)
{
    const Kernels *k = kernels();
    if (ready_in_bf16(dy)) return dy->bf16;
    Matrix from = dy->matrix;
    size_t padded = operand_padded_rows(from.rows), rest = from.columns % KERNELS_BLOCK;
    size_t whole = from.columns - rest, padding = padded - from.rows;
    uint16_t *left = scratch_take(SCRATCH_LEFT, padded * from.columns * sizeof *left);
    if (!left) return NULL;
    uint16_t *last = left + padded * whole;
    for (size_t i = 0; i < from.rows; i++) {
        k->to_bf16_blocks(left + i * KERNELS_BLOCK, padded * KERNELS_BLOCK, matrix_row(from, i),
                          whole);
        k->to_bf16(last + i * rest, matrix_row(from, i) + whole, rest);
    }
    for (size_t first = 0; first < whole; first += KERNELS_BLOCK)
        memset(left + padded * first + from.rows * KERNELS_BLOCK, 0,
               padding * KERNELS_BLOCK * sizeof *left);
    memset(last + from.rows * rest, 0, padding * rest * sizeof *left);
    return left;
}

// dw = dyᵀ x, or dw += dyᵀ x, for at most INNER_AT_ONCE rows.
static bool multiply_columns(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum)
{
    Primitives *mine = primitives_of_thread();
    if (!mine) return false;
    size_t n = x->matrix.rows, out = dw.rows;
    size_t at_once = ready_in_bf16(dy) || out < KERNELS_BLOCK ? out : KERNELS_BLOCK;
    Bf16Layout layout = primitives_right_layout(mine, columns_product(at_once, n, dw, sum));
    const void *right = x->right;
    if (!right && layout.width) {
        void *made = scratch_take(SCRATCH_RIGHT, right_bytes(n, x->matrix.columns));
        if (made) bf16_layout_put_rows(made, x->matrix, layout);
        right = made;
    }
    const uint16_t *left = right ? left_columns(dy) : NULL;
    if (!left) return false;
    for (size_t first = 0, count; first < out; first += count) {
        count = out - first < at_once ? out - first : at_once;
        // these rows of dw are not in the cache: fetch them while oneDNN transposes the left factor
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < dw.columns; j += 16)
                __builtin_prefetch(matrix_row(dw, first + i) + j, 1, 2);
        if (!primitives_multiply(mine, columns_product(count, n, dw, sum),
                                 left + operand_padded_rows(n) * first, right,
                                 matrix_row(dw, first)))
            return false;
    }
    return true;
}

static bool backward_weight(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum)
{
    // a dy that is in bf16 alone has zero rows after all of its rows, not after some
    bool divisible = dy->matrix.values || x->matrix.rows <= INNER_AT_ONCE;
    return (divisible && backend_by_rows(dw, dy, x, sum, INNER_AT_ONCE, multiply_columns)) ||
           onednn_backward_weight(dw, dy, x, sum, COMPUTE_BF16);
}

const Backend backend_onednn_bf16 = {
    .name = "onednn_bf16",
    .title = "oneDNN bf16",
    .type = COMPUTE_BF16,
    .bf16_operands = true,
    .available = onednn_has_amx, // AVX512-BF16 alone is slower than float32
    .chosen_for = backend_for_any,
    .row_multiple = 16, // a tile of AMX
    .rows_exact = onednn_has_amx,
    .describe = onednn_describe,
    .packed_bytes = onednn_packed_bytes,
    .packed_block_bytes = onednn_packed_block_bytes,
    .pack = onednn_pack,
    .forward = onednn_forward,
    .backward_input = onednn_backward_input,
    .backward_weight = backward_weight,
    .right_bytes = right_bytes,
    .pack_right = pack_right,
};
