/* Products in bf16 by our own kernels (math/bf16.h), for training and decoding: weights rounded
 * when they are packed, the other factor just before its product, sums in float32. */

#include "math/bf16.h"
#include "linalg/backend/backend.h"
#include "linalg/backend/bf16_layout.h"
#include "linalg/backend/scratch.h"

#include <stdio.h>

enum {
    LEFT_AT_ONCE = 32768, // numbers of a left factor that are rounded at once: 64 KB
    INNER_AT_ONCE = 1536, // rows of dy and x that a weight's gradient multiplies at once
    COLUMNS_AT_ONCE = 96, // columns of dy that are rounded at once
};

// A factor of so many rows in pairs.
static Bf16Layout layout_of_rows(size_t inner)
{
    return (Bf16Layout){BF16_PANEL, (inner + 1) / 2 * 2};
}

static size_t right_bytes(size_t rows, size_t columns)
{
    return bf16_right_words((rows + 1) / 2, columns) * sizeof(uint32_t);
}

static size_t packed_bytes(const Backend *backend, PackedUse use, size_t out, size_t in)
{
    (void)backend;
    const size_t inner = use == PACKED_FORWARD ? in : out;
    return inner <= LEFT_AT_ONCE ? right_bytes(inner, use == PACKED_FORWARD ? out : in) : 0;
}

// A block of whole panels is a piece of the form.
static size_t packed_block_bytes(const Backend *backend, size_t out, size_t in, size_t block)
{
    return out < block || block % BF16_PANEL ? 0 : packed_bytes(backend, PACKED_FORWARD, block, in);
}

static bool pack(const PackedWeight *weight, void *form, PackedUse use, Matrix rows)
{
    Matrix values = matrix_columns(rows, weight->first_column, weight->columns);
    if (use == PACKED_FORWARD)
        bf16_layout_put_columns(form, values, layout_of_rows(values.columns));
    else
        bf16_layout_put_rows(form, values, layout_of_rows(values.rows));
    return true;
}

static void pick(const PackedWeight *weight, void *form, const int32_t *picks, size_t count)
{
    const size_t words = BF16_PANEL * layout_of_rows(weight->columns).inner / 2;
    const PickedColumns columns = {BF16_PANEL, words, picks, count};
    backend_pick(form, weight->forward, &columns);
}

/* `count` rows of x from `first` on, rounded: (count, pairs of columns); the operand's own, or made
 * in `memory`. */
static const uint16_t *rounded_rows(const Operand *x, size_t first, size_t count, uint16_t *memory)
{
    const size_t n = x->matrix.columns, width = layout_of_rows(n).inner;
    if (x->bf16 && width == n) return x->bf16 + first * n;
    for (size_t i = 0; i < count; i++) {
        uint16_t *row = memory + i * width;
        if (x->bf16)
            memcpy(row, x->bf16 + (first + i) * n, n * sizeof *row);
        else
            bf16_kernels()->round(row, matrix_row(x->matrix, first + i), n);
        if (width > n) row[n] = 0;
    }
    return memory;
}

// y = x · right, where `right` is a form of a weight or NULL.
static bool multiply(Matrix y, const Operand *x, const void *right, ProductSum sum)
{
    uint16_t memory[LEFT_AT_ONCE];
    if (!right) return false;
    const size_t width = layout_of_rows(x->matrix.columns).inner, most = LEFT_AT_ONCE / width;
    const size_t at_once = most < BF16_TILE_ROWS ? most : most / BF16_TILE_ROWS * BF16_TILE_ROWS;
    const Bf16Right w = {right, y.columns};
    for (size_t row = 0, count; row < y.rows; row += count) {
        count = y.rows - row < at_once ? y.rows - row : at_once;
        const Bf16Left left = {rounded_rows(x, row, count, memory), width, 2, count, width / 2};
        bf16_kernels()->multiply(matrix_row(y, row), y.stride, &left, &w, sum == PRODUCT_ADD);
    }
    return true;
}

static bool forward(Matrix y, const Operand *x, Weight w, ProductSum sum)
{
    return multiply(y, x, w.packed->forward, sum);
}

static bool backward_input(Matrix dx, const Operand *dy, Weight w, ProductSum sum)
{
    return multiply(dx, dy, w.packed->backward, sum);
}

/* Some columns of x from `first` on, rounded, its rows in pairs: out (pairs, columns), pairs
 * `apart` from each other. */
static void pair_rows(uint32_t *out, size_t apart, const Operand *x, size_t first, size_t columns)
{
    const size_t rows = x->matrix.rows, whole = rows / 2 * 2;
    for (size_t i = 0; i < rows; i += 2, out += apart) {
        if (x->bf16) {
            const uint16_t *low = x->bf16 + i * x->matrix.columns + first;
            kernels()->bf16_pairs(out, low, i < whole ? low + x->matrix.columns : NULL, columns);
        } else {
            const real *low = matrix_row(x->matrix, i) + first;
            bf16_kernels()->round_pairs(out, low, i < whole ? low + x->matrix.stride : NULL,
                                        columns);
        }
    }
}

static bool pack_right(void *right, Matrix x)
{
    if (x.rows > INNER_AT_ONCE) return false;
    bf16_layout_put_rows(right, x, layout_of_rows(x.rows));
    return true;
}

// dw = dyᵀ x, or dw += dyᵀ x, for at most INNER_AT_ONCE rows.
static bool multiply_columns(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum)
{
    const size_t n = x->matrix.rows, pairs = (n + 1) / 2;
    const void *right = x->right;
    if (!right) {
        void *made = scratch_take(SCRATCH_RIGHT, right_bytes(n, x->matrix.columns));
        if (!made || !pack_right(made, x->matrix)) return false;
        right = made;
    }
    uint32_t *left = scratch_take(SCRATCH_LEFT, pairs * COLUMNS_AT_ONCE * sizeof *left);
    if (!left) return false;
    const Bf16Right w = {right, dw.columns};
    for (size_t first = 0, count; first < dw.rows; first += count) {
        count = dw.rows - first < COLUMNS_AT_ONCE ? dw.rows - first : COLUMNS_AT_ONCE;
        pair_rows(left, count, dy, first, count);
        const Bf16Left columns = {(const uint16_t *)left, 2, 2 * count, count, pairs};
        bf16_kernels()->multiply(matrix_row(dw, first), dw.stride, &columns, &w,
                                 sum == PRODUCT_ADD);
    }
    return true;
}

static bool backward_weight(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum)
{
    return backend_by_rows(dw, dy, x, sum, INNER_AT_ONCE, multiply_columns);
}

static bool available(void)
{
    return bf16_kernels() != NULL;
}

static bool chosen_for(PackedPurpose purpose)
{
    (void)purpose;
    return bf16_is_fast();
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "Regard's kernels, %s", bf16_kernels()->name);
}

const Backend backend_bf16 = {
    .name = "bf16",
    .title = "bf16",
    .type = COMPUTE_BF16,
    .bf16_operands = true,
    .available = available,
    .chosen_for = chosen_for,
    .row_multiple = 1, // a sum goes over the inner dimension in one order, whatever the tile
    .rows_exact = available,
    .describe = describe,
    .packed_bytes = packed_bytes,
    .packed_block_bytes = packed_block_bytes,
    .pack = pack,
    .pick = pick,
    .forward = forward,
    .backward_input = backward_input,
    .backward_weight = backward_weight,
    .right_bytes = right_bytes,
    .pack_right = pack_right,
};
