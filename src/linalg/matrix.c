#include "linalg/matrix.h"

#include <assert.h>
#include <string.h>

Matrix matrix_of(real *values, size_t rows, size_t columns)
{
    return (Matrix){.values = values, .rows = rows, .columns = columns, .stride = columns};
}

Matrix matrix_take(Arena *arena, size_t rows, size_t columns)
{
    return matrix_take_padded(arena, rows, rows, columns);
}

Matrix matrix_take_padded(Arena *arena, size_t rows, size_t capacity, size_t columns)
{
    assert(capacity >= rows);
    return matrix_of(arena_take(arena, capacity * columns, sizeof(real)), rows, columns);
}

Matrix matrix_columns(Matrix matrix, size_t first, size_t count)
{
    assert(first + count <= matrix.columns);
    if (matrix.values) matrix.values += first; // while an arena is measured there are none
    matrix.columns = count;
    return matrix;
}

Matrix matrix_rows(Matrix matrix, size_t first, size_t count)
{
    assert(first + count <= matrix.rows);
    matrix.values = matrix_row(matrix, first);
    matrix.rows = count;
    return matrix;
}

void matrix_copy_row(Matrix to, size_t i, Matrix from, size_t j)
{
    memcpy(matrix_row(to, i), matrix_row(from, j), to.columns * sizeof *to.values);
}

void matrix_copy(Matrix to, Matrix from)
{
    for (size_t i = 0; i < to.rows; i++) matrix_copy_row(to, i, from, i);
}

void matrix_clear(Matrix matrix)
{
    matrix_clear_padding(matrix_with_rows(matrix, 0), matrix.rows);
}

void matrix_clear_padding(Matrix matrix, size_t rows)
{
    for (size_t i = matrix.rows; i < rows; i++)
        memset(matrix_row(matrix, i), 0, matrix.columns * sizeof *matrix.values);
}
