/* What stands in for OpenBLAS where there is none: products in float32 by loops. Each number is its terms added one after
 * the other, whatever else is in the matrices and however many rows they have, so that all processors get the same bits. */
#include "linalg/backend/backend.h"

#include <stdio.h>
#include <string.h>

Status backends_start(size_t threads, Error *error)
{
    (void)threads, (void)error;
    return STATUS_OK;
}

enum { ROWS = 4, COLUMNS = 8, DEPTH = 256 };

typedef real Lanes __attribute__((vector_size(COLUMNS * sizeof(real))));

// A block of the right factor, (depth, COLUMNS); beyond its columns it has the last one again.
typedef struct Panel {
    Lanes values[DEPTH]; // (depth, COLUMNS)
    size_t first, columns, depth;
} Panel;

// A factor f_ik = values[i · row_apart + k · apart].
typedef struct Factor {
    const real *values;
    size_t row_apart, apart;
} Factor;

static Factor factor_of(Matrix matrix, bool transposed)
{
    return transposed ? (Factor){matrix.values, 1, matrix.stride}
                      : (Factor){matrix.values, matrix.stride, 1};
}

static void pack(Panel *panel, Factor b, size_t k)
{
    const real *from = b.values + k * b.row_apart + panel->first * b.apart;
    size_t at[COLUMNS];
    for (size_t l = 0; l < COLUMNS; l++)
        at[l] = (l < panel->columns ? l : panel->columns - 1) * b.apart;
    for (size_t d = 0; d < panel->depth; d++, from += b.row_apart)
        panel->values[d] = (Lanes){from[at[0]], from[at[1]], from[at[2]], from[at[3]],
                                   from[at[4]], from[at[5]], from[at[6]], from[at[7]]};
}

/* c (rows, COLUMNS) += a (rows, depth) · panel (depth, COLUMNS), with a from a.values on; c is in registers meanwhile, and
 * `rows` is a constant where this is called. */
static inline void multiply_rows(real *c, size_t stride, Factor a, const Panel *panel, size_t rows)
{
    Lanes sums[ROWS];
    for (size_t i = 0; i < rows; i++) memcpy(&sums[i], c + i * stride, sizeof sums[i]);
    for (size_t d = 0; d < panel->depth; d++, a.values += a.apart)
        for (size_t i = 0; i < rows; i++) sums[i] += a.values[i * a.row_apart] * panel->values[d];
    for (size_t i = 0; i < rows; i++) memcpy(c + i * stride, &sums[i], sizeof sums[i]);
}

static void multiply_panel(Matrix c, Factor a, const Panel *panel)
{
    real *to = c.values + panel->first;
    size_t i = 0;
    for (; i + ROWS <= c.rows; i += ROWS, a.values += ROWS * a.row_apart)
        multiply_rows(to + i * c.stride, c.stride, a, panel, ROWS);
    for (; i < c.rows; i++, a.values += a.row_apart)
        multiply_rows(to + i * c.stride, c.stride, a, panel, 1);
}

/* The last columns, if they are fewer than a panel has: by way of rows that have room for all. */
static void multiply_last(Matrix c, Factor a, const Panel *panel)
{
    const size_t bytes = panel->columns * sizeof *c.values;
    for (size_t i = 0; i < c.rows; i++, a.values += a.row_apart) {
        real row[COLUMNS] = {0}, *to = matrix_row(c, i) + panel->first;
        memcpy(row, to, bytes);
        multiply_rows(row, COLUMNS, a, panel, 1);
        memcpy(to, row, bytes);
    }
}

// c (M, N) = or += a (M, K) · b (K, N), each factor as it is or transposed.
void openblas_multiply(Matrix c, Matrix a, bool a_transposed, Matrix b, bool b_transposed,
                       ProductSum sum)
{
    const size_t inner = a_transposed ? a.rows : a.columns;
    if (sum == PRODUCT_SET) matrix_clear(c);
    Panel panel; // not cleared, which would take longer than the product
    for (size_t j = 0; j < c.columns; j += COLUMNS)
        for (size_t k = 0; k < inner; k += DEPTH) {
            Factor left = factor_of(a, a_transposed);
            panel.first = j;
            panel.columns = c.columns - j < COLUMNS ? c.columns - j : COLUMNS;
            panel.depth = inner - k < DEPTH ? inner - k : DEPTH;
            pack(&panel, factor_of(b, b_transposed), k);
            left.values += k * left.apart;
            if (panel.columns == COLUMNS)
                multiply_panel(c, left, &panel);
            else
                multiply_last(c, left, &panel);
        }
}

static bool forward(Matrix y, const Operand *x, Weight w, ProductSum sum)
{
    openblas_multiply(y, x->matrix, false, w.matrix, true, sum);
    return true;
}

static bool backward_input(Matrix dx, const Operand *dy, Weight w, ProductSum sum)
{
    openblas_multiply(dx, dy->matrix, false, w.matrix, false, sum);
    return true;
}

static bool backward_weight(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum)
{
    openblas_multiply(dw, dy->matrix, true, x->matrix, false, sum);
    return true;
}

static bool always(void)
{
    return true;
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "loops");
}

const Backend backend_openblas = {
    .name = "loops_float32",
    .title = "loops float32",
    .type = COMPUTE_FLOAT32,
    .available = always,
    .chosen_for = backend_for_any,
    .row_multiple = 1,
    .rows_exact = always,
    .describe = describe,
    .forward = forward,
    .backward_input = backward_input,
    .backward_weight = backward_weight,
};
