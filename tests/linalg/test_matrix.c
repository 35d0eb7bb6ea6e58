#include "linalg/matrix.h"

#include "support/assert_close.h"
#include "support/suite.h"

TEST(copy)
{
    // of wider matrices, whose other columns stay as they are
    real from[] = {1, 2, 3, 4, 5, 6}, to[] = {0, 0, 0, 0, 0, 0};
    Matrix left = matrix_columns(matrix_of(from, 2, 3), 0, 2);
    Matrix right = matrix_columns(matrix_of(to, 2, 3), 1, 2);
    matrix_copy(right, left);
    assert_close(to, (const double[]){0, 1, 2, 0, 4, 5}, 6, 0, 0, "all rows");
    matrix_copy_row(right, 0, left, 1);
    assert_close(to, (const double[]){0, 4, 5, 0, 4, 5}, 6, 0, 0, "one row");
    matrix_copy(matrix_with_rows(right, 0), left);
    assert_close(to, (const double[]){0, 4, 5, 0, 4, 5}, 6, 0, 0, "no row");
}

TEST(clear)
{
    real values[] = {1, 2, 3, 4, 5, 6};
    Matrix column = matrix_columns(matrix_of(values, 3, 2), 0, 1);
    matrix_clear(matrix_with_rows(column, 2));
    assert_close(values, (const double[]){0, 2, 0, 4, 5, 6}, 6, 0, 0, "rows");
    matrix_clear_padding(matrix_with_rows(column, 2), 3);
    assert_close(values, (const double[]){0, 2, 0, 4, 0, 6}, 6, 0, 0, "padding");
}
