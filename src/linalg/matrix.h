/* A Matrix is a view of real numbers: row-major, `stride` elements from one row to the next, so
 * that columns of a wider matrix are a Matrix too. Views are passed by value and never own their
 * memory; assertions check shapes.
 *
 * What else a matrix may be has a type of its own: a parameter is a Weight (linalg/weight.h),
 * what is accumulated for it a Gradient (linalg/gradient.h), a factor that is kept for several
 * products an Operand (linalg/operand.h). */
#pragma once

#include "base/arena.h"
#include "math/real.h"

typedef struct Matrix {
    real *values; // not owned
    size_t rows;
    size_t columns;
    size_t stride; // ≥ columns
} Matrix;

// Whether a product sets its result or is added to it.
typedef enum ProductSum { PRODUCT_SET, PRODUCT_ADD } ProductSum;

static inline real *matrix_row(Matrix matrix, size_t row)
{
    return matrix.values + row * matrix.stride;
}

// A dense (rows, columns) view.
static inline Matrix matrix_of(real *values, size_t rows, size_t columns)
{
    return (Matrix){.values = values, .rows = rows, .columns = columns, .stride = columns};
}

// A dense matrix in memory from the arena for `capacity` ≥ rows rows, not set.
static inline Matrix matrix_take_padded(Arena *arena, size_t rows, size_t capacity, size_t columns)
{
    assert(capacity >= rows);
    return matrix_of(arena_take(arena, capacity * columns, sizeof(real)), rows, columns);
}

// The same for its own rows.
static inline Matrix matrix_take(Arena *arena, size_t rows, size_t columns)
{
    return matrix_take_padded(arena, rows, rows, columns);
}

// `count` columns of a matrix from `first` on.
static inline Matrix matrix_columns(Matrix matrix, size_t first, size_t count)
{
    assert(first + count <= matrix.columns);
    if (matrix.values) matrix.values += first; // there are none while an arena is measured
    matrix.columns = count;
    return matrix;
}

// `count` rows of a matrix from `first` on.
static inline Matrix matrix_rows(Matrix matrix, size_t first, size_t count)
{
    assert(first + count <= matrix.rows);
    if (matrix.values) matrix.values = matrix_row(matrix, first); // a packed weight may have none
    matrix.rows = count;
    return matrix;
}

// The same matrix with another number of rows, for which it must have memory.
static inline Matrix matrix_with_rows(Matrix matrix, size_t rows)
{
    matrix.rows = rows;
    return matrix;
}

/* `rows` rounded up to a multiple: what a product computes where a row's bits must not depend on
 * how many others there are (linalg/weight.h). */
static inline size_t rows_rounded(size_t rows, size_t multiple)
{
    return (rows + multiple - 1) / multiple * multiple;
}

// Row i of `to` = row j of `from`, which are equally wide.
static inline void matrix_copy_row(Matrix to, size_t i, Matrix from, size_t j)
{
    memcpy(matrix_row(to, i), matrix_row(from, j), to.columns * sizeof *to.values);
}

// All rows of `to` = those of `from`.
static inline void matrix_copy(Matrix to, Matrix from)
{
    for (size_t i = 0; i < to.rows; i++) matrix_copy_row(to, i, from, i);
}

/* Sets the rows after the last to 0, up to `rows` in all, for which it must have memory.
 * Products over rounded rows read them. Their results are never used, but whatever the memory
 * held may be denormal numbers, which take fifty times as long. */
static inline void matrix_clear_padding(Matrix matrix, size_t rows)
{
    for (size_t i = matrix.rows; i < rows; i++)
        memset(matrix_row(matrix, i), 0, matrix.columns * sizeof *matrix.values);
}

// Sets all rows to 0.
static inline void matrix_clear(Matrix matrix)
{
    matrix_clear_padding(matrix_with_rows(matrix, 0), matrix.rows);
}
