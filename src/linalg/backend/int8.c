/* Products in int8, for decoding: weights rounded when they are packed, the other factor row by row
 * just before its product, sums exact (math/int8.h). Forward alone. */

#include "linalg/backend/backend.h"
#include "linalg/quantise.h"

#include <stdio.h>

/* Rows rounded and multiplied at once. With a few panels of the weight they stay in the nearest
 * cache; a weight larger than the caches is read once for each so many rows. */
enum { ROWS_AT_ONCE = 48 };

static size_t panels_bytes(size_t out, size_t in)
{
    return (out + INT8_PANEL - 1) / INT8_PANEL * int8_panel_bytes(int8_padded(in));
}

static size_t packed_bytes(const Backend *backend, PackedUse use, size_t out, size_t in)
{
    (void)backend;
    return use == PACKED_FORWARD && in <= MAX_INT8_INNER ? panels_bytes(out, in) : 0;
}

// A block of whole panels is a piece of the form.
static size_t packed_block_bytes(const Backend *backend, size_t out, size_t in, size_t block)
{
    return out < block || block % INT8_PANEL ? 0 : packed_bytes(backend, PACKED_FORWARD, block, in);
}

// Steps (width) as column j of a panel.
static void put_column(char *panel, size_t j, float scale, const int8_t *steps, size_t width)
{
    char *groups = panel + INT8_PANEL * sizeof scale;
    const uint32_t excess = 0x01010101u * int8_kernels()->excess;
    memcpy(panel + j * sizeof scale, &scale, sizeof scale);
    for (size_t k = 0; k < width; k += INT8_GROUP) {
        uint32_t group;
        memcpy(&group, steps + k, sizeof group);
        group ^= excess; // adds 128 to each byte, or 0
        memcpy(groups + k * INT8_PANEL + j * INT8_GROUP, &group, sizeof group);
    }
}

/* Steps (width) of a row of the weight's part, and their scale. It is that of the whole row, also
 * of a weight's columns: so the steps are those that a file in int8 has. */
static float read_row(int8_t *steps, size_t width, const PackedWeight *weight, Matrix rows,
                      size_t i)
{
    const RoundedRows *rounded = &weight->rounded;
    const size_t n = weight->columns;
    memset(steps + n, 0, width - n);
    if (rounded_rows_exist(rounded)) {
        rounded_row_steps(steps, rounded, weight->first_row + i, weight->first_column, n);
        return rounded->scales[weight->first_row + i];
    }
    float scale = quantise_scale(matrix_row(rows, i), rows.columns);
    quantise_row(steps, matrix_row(rows, i) + weight->first_column, scale, n);
    return scale;
}

static bool pack(const PackedWeight *weight, void *form, PackedUse use, Matrix rows)
{
    int8_t steps[MAX_INT8_INNER];
    const size_t width = int8_padded(weight->columns);
    assert(use == PACKED_FORWARD);
    (void)use;
    for (size_t i = 0; i < rows_rounded(rows.rows, INT8_PANEL); i++) {
        float scale = 0;
        if (i < rows.rows)
            scale = read_row(steps, width, weight, rows, i);
        else
            memset(steps, 0, width);
        put_column((char *)form + i / INT8_PANEL * int8_panel_bytes(width), i % INT8_PANEL, scale,
                   steps, width);
    }
    return true;
}

static void pick(const PackedWeight *weight, void *form, const int32_t *picks, size_t count)
{
    const size_t bytes = int8_panel_bytes(int8_padded(weight->columns));
    const PickedColumns columns = {INT8_PANEL, bytes / INT8_GROUP, picks, count};
    // a scale is as long as a group, and like a panel's groups they are side by side
    _Static_assert(sizeof(float) == INT8_GROUP && INT8_GROUP == sizeof(uint32_t), "words");
    backend_pick(form, weight->forward, &columns);
}

static size_t rows_at_once(size_t width)
{
    return width * ROWS_AT_ONCE <= MAX_INT8_INNER ? ROWS_AT_ONCE : MAX_INT8_INNER / width;
}

static bool forward(Matrix y, const Operand *x, Weight w, ProductSum sum)
{
    int8_t steps[MAX_INT8_INNER];
    float scales[ROWS_AT_ONCE];
    int32_t sums[ROWS_AT_ONCE];
    Matrix left = x->matrix;
    if (!w.packed->forward) return false;
    const size_t width = int8_padded(left.columns), most = rows_at_once(width);
    const Int8Panels panels = {w.packed->forward, y.columns, width};
    for (size_t row = 0, count; row < y.rows; row += count) {
        count = y.rows - row < most ? y.rows - row : most;
        for (size_t i = 0; i < count; i++) {
            const real *values = matrix_row(left, row + i);
            int8_t *own = steps + i * width;
            scales[i] = quantise_scale(values, left.columns);
            sums[i] = quantise_row(own, values, scales[i], left.columns);
            memset(own + left.columns, 0, width - left.columns);
        }
        const Int8Rows rounded = {steps, scales, sums, count, width};
        int8_kernels()->multiply(matrix_row(y, row), y.stride, &rounded, &panels,
                                 sum == PRODUCT_ADD);
    }
    return true;
}

static void round_rows(Matrix rows)
{
    int8_t steps[MAX_INT8_INNER];
    for (size_t i = 0; i < rows.rows && rows.columns <= MAX_INT8_INNER; i++) {
        float scale = quantise_int8(steps, matrix_row(rows, i), rows.columns);
        kernels()->from_int8(matrix_row(rows, i), steps, (real)scale, rows.columns);
    }
}

static bool always(void)
{
    return true;
}

// Without vector instructions OpenBLAS is faster.
static bool chosen_for(PackedPurpose purpose)
{
    return purpose == PACKED_DECODING && strcmp(int8_kernels()->name, "plain") != 0;
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "Regard's kernels, %s", int8_kernels()->name);
}

const Backend backend_int8 = {
    .name = "int8",
    .title = "int8",
    .type = COMPUTE_INT8,
    .available = always,
    .chosen_for = chosen_for,
    .row_multiple = 1, // a row is rounded by itself, and whole numbers are summed exactly
    .rows_exact = always,
    .describe = describe,
    .packed_bytes = packed_bytes,
    .packed_block_bytes = packed_block_bytes,
    .pack = pack,
    .pick = pick,
    .round_rows = round_rows,
    .forward = forward,
};
