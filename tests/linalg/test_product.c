#include "linalg/product.h"

#include "linalg/backend/backend.h"
#include "support/assert_close.h"
#include "support/draw.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

// A sum of K products of numbers about 1, in float and in double
static const double TOLERANCE = sizeof(real) == sizeof(float) ? 2e-5 : 1e-12;

/* x = [1 2], w = [3 4; 5 6; 7 8]: y = x wᵀ = [1·3+2·4, 1·5+2·6, 1·7+2·8] = [11 17 23].
 * dy = [1 0 2]: dx = dy w = [1·3+2·7, 1·4+2·8] = [17 20]; dw = dyᵀ x = [1 2; 0 0; 2 4]. */
TEST(by_hand)
{
    real x[] = {1, 2}, w[] = {3, 4, 5, 6, 7, 8}, dy[] = {1, 0, 2};
    real y[3] = {0}, dx[2] = {0}, dw[6] = {1, 1, 1, 1, 1, 1};
    product_forward(matrix_of(y, 1, 3), matrix_of(x, 1, 2), weight_of(matrix_of(w, 3, 2)),
                    PRODUCT_SET);
    assert_close(y, (double[]){11, 17, 23}, 3, 0, 0, "y");
    product_forward(matrix_of(y, 1, 3), matrix_of(x, 1, 2), weight_of(matrix_of(w, 3, 2)),
                    PRODUCT_ADD);
    assert_close(y, (double[]){22, 34, 46}, 3, 0, 0, "y added to");
    product_backward_input(matrix_of(dx, 1, 2), matrix_of(dy, 1, 3), weight_of(matrix_of(w, 3, 2)),
                           PRODUCT_SET);
    assert_close(dx, (double[]){17, 20}, 2, 0, 0, "dx");
    product_backward_input(matrix_of(dx, 1, 2), matrix_of(dy, 1, 3), weight_of(matrix_of(w, 3, 2)),
                           PRODUCT_ADD);
    assert_close(dx, (double[]){34, 40}, 2, 0, 0, "dx added to");
    product_backward_weight(gradient_of(matrix_of(dw, 3, 2)), matrix_of(dy, 1, 3),
                            matrix_of(x, 1, 2));
    assert_close(dw, (double[]){2, 3, 1, 1, 3, 5}, 6, 0, 0, "dw added to");
}

/* a = [1 2; 3 4], b = [5 6; 7 8]: a·b = [19 22; 43 50], a·bᵀ = [17 23; 39 53], aᵀ·b = [26 30; 38
 * 44] */
TEST(matrices_that_are_no_parameters)
{
    real a_values[] = {1, 2, 3, 4}, b_values[] = {5, 6, 7, 8}, values[4] = {0};
    Matrix a = matrix_of(a_values, 2, 2), b = matrix_of(b_values, 2, 2),
           c = matrix_of(values, 2, 2);
    product(c, a, b, PRODUCT_SET);
    assert_close(values, (double[]){19, 22, 43, 50}, 4, 0, 0, "a b");
    product_nt(c, a, b, PRODUCT_SET);
    assert_close(values, (double[]){17, 23, 39, 53}, 4, 0, 0, "a bT");
    product_tn(c, a, b, PRODUCT_SET);
    assert_close(values, (double[]){26, 30, 38, 44}, 4, 0, 0, "aT b");
    product(c, a, b, PRODUCT_ADD);
    assert_close(values, (double[]){45, 52, 81, 94}, 4, 0, 0, "a b added");
}

// The first product sets an unset gradient, later ones add; without a product it can be zeroed.
TEST(gradient)
{
    real x[] = {1, 2}, dy[] = {3, 4}, values[] = {NAN, NAN, NAN, NAN};
    bool unset = true;
    Gradient dw = {.matrix = matrix_of(values, 2, 2), .unset = &unset};
    product_backward_weight(dw, matrix_of(dy, 0, 2), matrix_of(x, 0, 2));
    ck_assert(unset); // no rows, no product
    product_backward_weight(dw, matrix_of(dy, 1, 2), matrix_of(x, 1, 2));
    ck_assert(!unset);
    assert_close(values, (double[]){3, 6, 4, 8}, 4, 0, 0, "set");
    product_backward_weight(dw, matrix_of(dy, 1, 2), matrix_of(x, 1, 2));
    assert_close(values, (double[]){6, 12, 8, 16}, 4, 0, 0, "added to");
    gradient_zero_if_unset(dw);
    assert_close(values, (double[]){6, 12, 8, 16}, 4, 0, 0, "left alone");

    unset = true;
    const Operand rows_x = operand_of(matrix_of(x, 1, 2));
    ProductSum sum = gradient_begin(dw);
    ck_assert(sum == PRODUCT_SET && gradient_begin(dw) == PRODUCT_ADD);
    for (size_t row = 0; row < 2; row++) {
        const Operand rows_dy = operand_of(matrix_of(dy + row, 1, 1));
        product_backward_weight_rows(dw, row, &rows_dy, &rows_x, sum);
    }
    assert_close(values, (double[]){3, 6, 4, 8}, 4, 0, 0, "set row by row");

    unset = true;
    gradient_zero_if_unset(dw);
    ck_assert(!unset);
    assert_close(values, (double[]){0, 0, 0, 0}, 4, 0, 0, "zeroed");
}

TEST(views)
{
    real values[12];
    for (int i = 0; i < 12; i++) values[i] = (real)i;
    Matrix whole = matrix_of(values, 3, 4);
    Matrix columns = matrix_columns(whole, 1, 2);
    ck_assert_uint_eq(columns.rows, 3);
    ck_assert_uint_eq(columns.columns, 2);
    ck_assert_uint_eq(columns.stride, 4);
    ck_assert(matrix_row(columns, 2)[1] == 10);
    matrix_clear_padding(matrix_with_rows(columns, 1), 2);
    ck_assert(values[2] == 2 && values[4] == 4 && values[7] == 7 && values[10] == 10);
    ck_assert(values[5] == 0 && values[6] == 0);
    values[5] = 5;
    values[6] = 6;
    Matrix rows = matrix_rows(columns, 1, 2);
    ck_assert_uint_eq(rows.rows, 2);
    ck_assert(rows.values[0] == 5 && matrix_row(rows, 1)[0] == 9);
    ck_assert_uint_eq(matrix_rows(whole, 3, 0).rows, 0);
    ck_assert_uint_eq(matrix_columns(whole, 4, 0).columns, 0);
    ck_assert_uint_eq(matrix_with_rows(rows, 1).rows, 1);
}

/* Products of the three forms against loops. Every matrix is the middle columns of a wider one
 * filled with 7, which must still be there afterwards. */
enum { MARGIN = 3 };

static Matrix strided(Arena *arena, size_t rows, size_t columns, uint64_t seed)
{
    Matrix wide = draw_matrix(arena, rows, columns + 2 * MARGIN, 1, seed);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < MARGIN; j++)
            matrix_row(wide, i)[j] = matrix_row(wide, i)[columns + MARGIN + j] = 7;
    return matrix_columns(wide, MARGIN, columns);
}

static void expect_margin(Matrix view)
{
    for (size_t i = 0; i < view.rows; i++)
        for (size_t j = 0; j < MARGIN; j++) {
            ck_assert(matrix_row(view, i)[-1 - (ptrdiff_t)j] == 7);
            ck_assert(matrix_row(view, i)[view.columns + j] == 7);
        }
}

static void fill(Matrix view, real value)
{
    for (size_t i = 0; i < view.rows; i++)
        for (size_t j = 0; j < view.columns; j++) matrix_row(view, i)[j] = value;
}

// The element that a (row, ·) of one matrix and b (·, column) of another give, by a loop.
static double inner(Matrix a, bool a_transposed, size_t row, Matrix b, bool b_transposed,
                    size_t column, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        double left = a_transposed ? matrix_row(a, k)[row] : matrix_row(a, row)[k];
        double right = b_transposed ? matrix_row(b, column)[k] : matrix_row(b, k)[column];
        sum += left * right;
    }
    return sum;
}

static void expect_product(Matrix c, double before, Matrix a, bool a_transposed, Matrix b,
                           bool b_transposed, size_t count, const char *name)
{
    for (size_t i = 0; i < c.rows; i++)
        for (size_t j = 0; j < c.columns; j++) {
            double expected = before + inner(a, a_transposed, i, b, b_transposed, j, count);
            assert_close(&matrix_row(c, i)[j], &expected, 1, TOLERANCE,
                         TOLERANCE * sqrt((double)count), name);
        }
    expect_margin(c);
}

static void check_shape(size_t n, size_t out, size_t in)
{
    Arena arena = draw_arena();
    Matrix x = strided(&arena, n, in, 1), w = strided(&arena, out, in, 2);
    Matrix y = strided(&arena, n, out, 3), dw = strided(&arena, out, in, 4);
    Matrix dx = strided(&arena, n, in, 5);

    fill(y, NAN); // what is set is not read
    product_forward(y, x, weight_of(w), PRODUCT_SET);
    expect_product(y, 0, x, false, w, true, in, "y set");
    fill(y, 2);
    product_forward(y, x, weight_of(w), PRODUCT_ADD);
    expect_product(y, 2, x, false, w, true, in, "y added to");

    fill(dx, NAN);
    product_backward_input(dx, y, weight_of(w), PRODUCT_SET);
    expect_product(dx, 0, y, false, w, false, out, "dx set");
    fill(dx, 2);
    product_backward_input(dx, y, weight_of(w), PRODUCT_ADD);
    expect_product(dx, 2, y, false, w, false, out, "dx added to");

    fill(dw, 2);
    product_backward_weight(gradient_of(dw), y, x);
    expect_product(dw, 2, y, true, x, false, n, "dw");
    arena_free(&arena);
}

TEST(against_loops_in_wider_matrices)
{
    static const size_t shapes[][3] = {{1, 1, 1},    {1, 5, 3},     {3, 1, 5},
                                       {2, 3, 1},    {7, 13, 11},   {24, 48, 96},
                                       {33, 64, 32}, {100, 17, 65}, {64, 129, 70}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_shape(shapes[i][0], shapes[i][1], shapes[i][2]);
}

TEST(no_rows)
{
    real x[2] = {0}, w[6] = {0}, y[3] = {4, 5, 6}, dw[6] = {1, 2, 3, 4, 5, 6};
    product_forward(matrix_of(y, 0, 3), matrix_of(x, 0, 2), weight_of(matrix_of(w, 3, 2)),
                    PRODUCT_SET);
    assert_close(y, (double[]){4, 5, 6}, 3, 0, 0, "y");
    product_backward_input(matrix_of(x, 0, 2), matrix_of(y, 0, 3), weight_of(matrix_of(w, 3, 2)),
                           PRODUCT_SET);
    assert_close(x, (double[]){0, 0}, 2, 0, 0, "dx");
    product_backward_weight(gradient_of(matrix_of(dw, 3, 2)), matrix_of(y, 0, 3),
                            matrix_of(x, 0, 2));
    assert_close(dw, (double[]){1, 2, 3, 4, 5, 6}, 6, 0, 0, "dw");
    product_forward(matrix_of(NULL, 0, 3), matrix_of(NULL, 0, 2), weight_of(matrix_of(w, 3, 2)),
                    PRODUCT_ADD);
}

TEST(shows_nan)
{
    real x[] = {1, NAN, 1, 1}, w[] = {0, 0, 1, 1}, y[4];
    product_forward(matrix_of(y, 2, 2), matrix_of(x, 2, 2), weight_of(matrix_of(w, 2, 2)),
                    PRODUCT_SET);
    ck_assert(isnan(y[0]) && isnan(y[1])); // 0·NaN too
    ck_assert(y[2] == 0 && y[3] == 2);
}

#ifndef REGARD_DOUBLE

enum { MAX_ROWS = 200 };

/* One row, alone and among 1 … 199 others, at the last place or in the middle, with rows rounded up
 * to the row_multiple: always the same bits, whatever stands in the other rows. */
static void expect_exact_rows(size_t out, size_t in)
{
    const size_t row_multiple = backend_openblas.row_multiple, room = MAX_ROWS + row_multiple;
    Arena arena = {0};
    size_t values = (room + out + 2) * in + (room + 1) * out;
    assert_ok(arena_reserve(&arena, values * sizeof(real) + 8 * 64, NULL));
    Matrix x = draw_matrix(&arena, room, in, 1, 11), w = draw_matrix(&arena, out, in, 1, 12);
    Matrix y = draw_zeros(&arena, room, out), alone = draw_zeros(&arena, 1, out);
    Matrix kept = draw_zeros(&arena, 1, in), row = draw_matrix(&arena, 1, in, 1, 13);
    for (size_t n = 1; n <= MAX_ROWS; n++) {
        size_t rows = (n + row_multiple - 1) / row_multiple * row_multiple,
               place = n % 2 ? n - 1 : n / 2;
        memcpy(kept.values, matrix_row(x, place), in * sizeof(real));
        memcpy(matrix_row(x, place), row.values, in * sizeof(real));
        product_forward(matrix_with_rows(y, rows), matrix_with_rows(x, rows), weight_of(w),
                        PRODUCT_SET);
        memcpy(matrix_row(x, place), kept.values, in * sizeof(real));
        if (n == 1) memcpy(alone.values, y.values, out * sizeof(real));
        ck_assert_msg(!memcmp(alone.values, matrix_row(y, place), out * sizeof(real)),
                      "a row of %zu numbers from %zu differs alone and as row %zu of %zu", out, in,
                      place, n);
    }
    arena_free(&arena);
}

TEST(exact_rows, .seconds = 60)
{
    assert_ok(backends_start(1, NULL));
    if (!backend_openblas.rows_exact()) return; // no promise to keep here
    static const size_t shapes[][2] = {{768, 256},
                                       {256, 1024},
                                       {301, 256},
                                       {96, 48},
                                       {64, 32},
                                       {8000, 256},
                                       {1, 5},
                                       {17, 33},
                                       {48, 16},
                                       {50, 300},
                                       {PRODUCT_FEW_OUTPUTS, 7},
                                       {PRODUCT_FEW_OUTPUTS, 100},
                                       {PRODUCT_FEW_OUTPUTS, 1000}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        expect_exact_rows(shapes[i][0], shapes[i][1]);
}

#endif

TEST(describes_itself)
{
    assert_ok(backends_start(1, NULL));
    assert_ok(backends_start(2, NULL));
    char text[64], tiny[6];
    backend_openblas.describe(text, sizeof text);
    assert_contains(text, "OpenBLAS ");
    backend_openblas.describe(tiny, sizeof tiny);
    ck_assert_str_eq(tiny, "OpenB");
    ck_assert_uint_gt(backend_openblas.row_multiple, 0);
}
