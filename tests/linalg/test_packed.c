#define _POSIX_C_SOURCE 200809L
// Products with packed weights, in every precision that this program and processor have.

#include "linalg/packed.h"

#include "support/draw.h"
#include "support/suite.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A product's error may be this share of Σ |x·w|: in bf16 both factors are rounded to 8 bits, by at
 * most 2⁻⁸ of themselves each; in float32 it is the order of the sum. */
static double error_share(GemmPrecision precision)
{
    return precision == GEMM_BF16 ? 1.01 / 128 : 1e-5;
}

static const GemmPrecision precisions[] = {GEMM_FLOAT32, GEMM_BF16};
enum { PRECISIONS = 2 };

typedef struct Subject {
    ParamList list;
    real *block;
    Matrix weight, table; // (OUT, IN), and one that is looked up only
    PackedWeights *packed;
} Subject;

enum { OUT = 192, IN = 160, SPLIT = 64 };

static void visit(Subject *subject, ParamVisitor *visitor, size_t out, size_t in, size_t split)
{
    param_visit_matrix(visitor, &subject->weight, "", "weight", out, in);
    param_multiplied(visitor, "weight", split);
    param_visit_matrix(visitor, &subject->table, "", "table", 7, 3);
    param_multiplied(visitor, "table", PARAM_NOT_MULTIPLIED);
}

static void open(Subject *subject, Arena *arena, GemmPrecision precision, PackedPurpose purpose,
                 size_t out, size_t in, size_t split)
{
    ParamVisitor listing = param_visitor_listing(&subject->list);
    visit(subject, &listing, out, in, split);
    subject->block = draw_matrix(arena, 1, subject->list.block_size, 1, 7).values;
    ck_assert_int_eq(packed_weights_new(&subject->packed, &subject->list, precision, purpose, NULL),
                     STATUS_OK);
    ParamVisitor binding = param_visitor_binding(&subject->list, subject->block);
    binding.packed = subject->packed;
    visit(subject, &binding, out, in, split);
    real *places[] = {subject->weight.values, subject->table.values};
    for (size_t worker = 0; worker < 3; worker++)
        packed_weights_fill(subject->packed, places, worker, 3);
}

// y (+ before) against loops over a row of x and a row of w, or a column of it.
static void expect_product(Matrix y, double before, Matrix x, Matrix w, bool transposed,
                           double share, const char *name)
{
    for (size_t i = 0; i < y.rows; i++)
        for (size_t j = 0; j < y.columns; j++) {
            double sum = before, size = fabs(before);
            for (size_t k = 0; k < x.columns; k++) {
                double factor = transposed ? matrix_row(w, j)[k] : matrix_row(w, k)[j];
                sum += (double)matrix_row(x, i)[k] * factor;
                size += fabs((double)matrix_row(x, i)[k] * factor);
            }
            double value = matrix_row(y, i)[j];
            ck_assert_msg(fabs(value - sum) <= share * size, "%s (%zu rows) [%zu, %zu]: %g, not %g",
                          name, y.rows, i, j, value, sum);
        }
}

static Matrix filled(Arena *arena, size_t rows, size_t columns, real value)
{
    Matrix matrix = draw_zeros(arena, rows, columns + 5);
    for (size_t i = 0; i < rows * (columns + 5); i++) matrix.values[i] = value;
    return matrix_columns(matrix, 2, columns);
}

static void check_rows(Matrix weight, size_t rows, double share)
{
    Arena arena = draw_arena();
    Matrix x = draw_matrix(&arena, rows, weight.columns + 3, 1, rows);
    Matrix dy = draw_matrix(&arena, rows, weight.rows, 1, rows + 1);
    x = matrix_columns(x, 1, weight.columns);
    Matrix y = filled(&arena, rows, weight.rows, 3), dx = filled(&arena, rows, weight.columns, 3);
    gemm_forward(y, x, weight, GEMM_ADD);
    expect_product(y, 3, x, weight, true, share, "y added to");
    gemm_forward(y, x, weight, GEMM_SET);
    expect_product(y, 0, x, weight, true, share, "y");
    gemm_backward_input(dx, dy, weight, GEMM_ADD);
    expect_product(dx, 3, dy, weight, false, share, "dx added to");
    gemm_backward_input(dx, dy, weight, GEMM_SET);
    expect_product(dx, 0, dy, weight, false, share, "dx");
    for (size_t i = 0; i < rows; i++)
        ck_assert(matrix_row(y, i)[-1] == 3 && matrix_row(y, i)[y.columns] == 3);
    arena_free(&arena);
}

// Rows around every size that is multiplied at once.
START_TEST(test_products)
{
    static const size_t rows[] = {1, 2, 15, 16, 17, 63, 64, 65, 130, 256, 259, 321};
    const GemmPrecision precision = precisions[_i];
    if (!packed_possible(precision)) return;
    Arena arena = draw_arena();
    Subject subject;
    open(&subject, &arena, precision, PACKED_TRAINING, OUT, IN, SPLIT);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Matrix left = matrix_columns(subject.weight, 0, SPLIT);
        Matrix right = matrix_columns(subject.weight, SPLIT, IN - SPLIT);
        ck_assert(left.packed && left.packed->forward && right.packed && right.packed->backward);
        check_rows(left, rows[i], error_share(precision));
        check_rows(right, rows[i], error_share(precision));
    }
    // all of it, and columns that are not a part, are multiplied as they lie
    check_rows(subject.weight, 5, 1e-5);
    ck_assert_ptr_null(matrix_columns(subject.weight, 1, SPLIT).packed);
    ck_assert_ptr_null(matrix_rows(subject.weight, 0, 4).packed);
    packed_weights_free(subject.packed);
    arena_free(&arena);
}
END_TEST

/* Shapes that have caused trouble: few or odd outputs and inputs, and long sums that are added to,
 * which oneDNN does by loops. */
START_TEST(test_shapes)
{
    static const size_t shapes[][2] = {{1, 1}, {3, 5}, {17, 33}, {50, 64}, {64, 1}, {768, 72}};
    const GemmPrecision precision = precisions[_i];
    if (!packed_possible(precision)) return;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Arena arena = draw_arena();
        Subject subject;
        open(&subject, &arena, precision, PACKED_TRAINING, shapes[i][0], shapes[i][1], 0);
        check_rows(subject.weight, 3, error_share(precision));
        check_rows(subject.weight, 70, error_share(precision));
        packed_weights_free(subject.packed);
        arena_free(&arena);
    }
}
END_TEST

enum { MAX_ROWS = 330 };

/* One row, alone and among others, at the first place, the last or in the middle, with rows rounded up to the
 * row_multiple: always the same bits. */
static void expect_exact_rows(GemmPrecision precision, size_t out, size_t in)
{
    const size_t row_multiple = packed_row_multiple(precision), room = MAX_ROWS + row_multiple;
    Arena arena = {0};
    size_t values = (room + out + 3) * in + (room + 2) * out + 7 * 3 + 12 * 64;
    ck_assert_int_eq(arena_reserve(&arena, values * sizeof(real) + 4096, NULL), STATUS_OK);
    Subject subject;
    open(&subject, &arena, precision, PACKED_DECODING, out, in, 0);
    ck_assert(packed_weights_whole(subject.packed));
    Matrix x = draw_matrix(&arena, room, in, 1, 11), row = draw_matrix(&arena, 1, in, 1, 13);
    Matrix y = draw_zeros(&arena, room, out), alone = draw_zeros(&arena, 1, out);
    Matrix kept = draw_zeros(&arena, 1, in);
    for (size_t n = 1, i = 0; n <= MAX_ROWS; n += n < 20 ? 1 : row_multiple / 2, i++) {
        size_t rows = (n + row_multiple - 1) / row_multiple * row_multiple;
        size_t place = i % 3 == 0 ? 0 : i % 3 == 1 ? n - 1 : n / 2;
        memcpy(kept.values, matrix_row(x, place), in * sizeof(real));
        memcpy(matrix_row(x, place), row.values, in * sizeof(real));
        gemm_forward(matrix_with_rows(y, rows), matrix_with_rows(x, rows), subject.weight,
                     GEMM_SET);
        memcpy(matrix_row(x, place), kept.values, in * sizeof(real));
        if (n == 1) memcpy(alone.values, y.values, out * sizeof(real));
        ck_assert_msg(!memcmp(alone.values, matrix_row(y, place), out * sizeof(real)),
                      "a row of %zu numbers from %zu differs alone and as row %zu of %zu", out, in,
                      place, n);
    }
    packed_weights_free(subject.packed);
    arena_free(&arena);
}

START_TEST(test_exact_rows)
{
    static const size_t shapes[][2] = {{768, 256},  {256, 1024}, {301, 1000}, {96, 64},
                                       {64, 128},   {2000, 256}, {3, 100},    {GEMM_FEW_OUTPUTS, 7},
                                       {768, 2048}, {128, 768}};
    const GemmPrecision precision = precisions[_i];
    if (!packed_possible(precision) || !packed_rows_exact(precision)) return;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        expect_exact_rows(precision, shapes[i][0], shapes[i][1]);
}
END_TEST

/* A weight in blocks of its rows: each is multiplied both ways; of a weight of one block or less, the
 * whole is. */
START_TEST(test_blocks)
{
    enum { BLOCK = 384 };
    static const size_t rows[] = {300, BLOCK, BLOCK + 1, 800};
    const GemmPrecision precision = precisions[_i];
    if (!packed_possible(precision)) return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena arena = draw_arena();
        Subject subject;
        ParamVisitor listing = param_visitor_listing(&subject.list);
        param_visit_matrix(&listing, &subject.weight, "", "weight", rows[i], IN);
        param_in_blocks(&listing, "weight", BLOCK);
        subject.block = draw_matrix(&arena, 1, subject.list.block_size, 1, 7).values;
        ck_assert_int_eq(
            packed_weights_new(&subject.packed, &subject.list, precision, PACKED_TRAINING, NULL),
            STATUS_OK);
        ParamVisitor binding = param_visitor_binding(&subject.list, subject.block);
        binding.packed = subject.packed;
        param_visit_matrix(&binding, &subject.weight, "", "weight", rows[i], IN);
        for (size_t worker = 0; worker < 2; worker++)
            packed_weights_fill(subject.packed, &subject.block, worker, 2);
        for (size_t first = 0; first < rows[i]; first += BLOCK) {
            size_t count = rows[i] - first < BLOCK ? rows[i] - first : BLOCK;
            Matrix block = matrix_rows(subject.weight, first, count);
            ck_assert(block.packed && block.packed->forward);
            if (count > 1) ck_assert_ptr_nonnull(block.packed->backward);
            check_rows(block, 3, error_share(precision));
            check_rows(block, 70, error_share(precision));
        }
        packed_weights_free(subject.packed);
        arena_free(&arena);
    }
}
END_TEST

static Matrix draw_copy_of(Arena *arena, Matrix matrix)
{
    Matrix copy = draw_zeros(arena, matrix.rows, matrix.columns);
    for (size_t i = 0; i < matrix.rows; i++)
        memcpy(matrix_row(copy, i), matrix_row(matrix, i), matrix.columns * sizeof(real));
    return copy;
}

START_TEST(test_gradient)
{
    static const size_t rows[] = {1, 63, 64, 100, 200};
    const GemmPrecision precision = precisions[_i];
    if (!packed_possible(precision)) return;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        Arena arena = draw_arena();
        Subject subject;
        open(&subject, &arena, precision, PACKED_GRADIENTS, OUT, IN, 0);
        Matrix dy = draw_matrix(&arena, rows[n], OUT, 1, 1);
        Matrix x = draw_matrix(&arena, rows[n], IN, 1, 2), dw = subject.weight;
        for (size_t i = 0; i < OUT * IN; i++) dw.values[i] = 2;
        gemm_backward_weight(dw, dy, x); // gradients accumulate: twice gives twice
        Subject forward;
        open(&forward, &arena, precision, PACKED_TRAINING, OUT, IN, 0);
        Matrix dx = draw_copy_of(&arena, x);
        gemm_backward_weight(dw, dy, x);
        gemm_backward_input(dx, dy, forward.weight, GEMM_SET);
        expect_product(dx, 0, dy, forward.weight, false, error_share(precision), "dx");
        packed_weights_free(forward.packed);
        for (size_t i = 0; i < OUT; i++)
            for (size_t j = 0; j < IN; j++) {
                double sum = 2, size = 2;
                for (size_t k = 0; k < rows[n]; k++) {
                    double product =
                        2.0 * (double)matrix_row(dy, k)[i] * (double)matrix_row(x, k)[j];
                    sum += product;
                    size += fabs(product);
                }
                ck_assert_msg(fabs((double)matrix_row(dw, i)[j] - sum) <=
                                  error_share(precision) * size,
                              "dw[%zu, %zu] of %zu rows: %g, not %g", i, j, rows[n],
                              (double)matrix_row(dw, i)[j], sum);
            }
        packed_weights_free(subject.packed);
        arena_free(&arena);
    }
}
END_TEST

/* More rows than are multiplied at once, outputs that are no whole blocks of columns; set first, then added to by blocks
 * whose right factor was laid out for all of them. */
START_TEST(test_gradient_of_many_rows)
{
    enum { MANY = 1601, OUTPUTS = 164, INPUTS = 72, LATE = 700 };
    const GemmPrecision precision = precisions[_i];
    if (!packed_possible(precision)) return;
    Arena arena = {0};
    ck_assert_int_eq(arena_reserve(&arena, 4 << 20, NULL), STATUS_OK);
    Subject subject;
    open(&subject, &arena, precision, PACKED_GRADIENTS, OUTPUTS, INPUTS, 0);
    Matrix dy = draw_matrix(&arena, MANY, OUTPUTS, 1, 1),
           x = draw_matrix(&arena, MANY, INPUTS, 1, 2);
    Matrix dw = subject.weight, late_x = matrix_rows(x, 0, LATE),
           late_dy = matrix_rows(dy, 0, LATE);
    bool untouched = true;
    dw.untouched = &untouched;
    dw.values[0] = (real)NAN; // nobody reads it
    gemm_backward_weight(dw, dy, x);
    ck_assert(!untouched);
    uint16_t *room = arena_take(&arena, gemm_right_room(LATE, INPUTS) + 1, sizeof *room);
    gemm_right_ready(&late_x, room);
    for (size_t first = 0; first < OUTPUTS; first += 100) {
        size_t count = OUTPUTS - first < 100 ? OUTPUTS - first : 100;
        gemm_weight_block(dw, first, GEMM_ADD, matrix_columns(late_dy, first, count), late_x);
    }
    for (size_t i = 0; i < OUTPUTS; i += 7)
        for (size_t j = 0; j < INPUTS; j++) {
            double sum = 0, size = 0;
            for (size_t k = 0; k < MANY; k++) {
                double product = (double)matrix_row(dy, k)[i] * (double)matrix_row(x, k)[j];
                sum += k < LATE ? 2 * product : product;
                size += 2 * fabs(product);
            }
            ck_assert(fabs((double)matrix_row(dw, i)[j] - sum) <= error_share(precision) * size);
        }
    packed_weights_free(subject.packed);
    arena_free(&arena);
}
END_TEST

// One product in a thread of its own, whose primitives end with it.
typedef struct Elsewhere {
    Matrix y, x, weight;
} Elsewhere;

static void *multiply_elsewhere(void *context)
{
    Elsewhere *elsewhere = context;
    gemm_forward(elsewhere->y, elsewhere->x, elsewhere->weight, GEMM_SET);
    return NULL;
}

START_TEST(test_same_bits_in_every_thread)
{
    const GemmPrecision precision = precisions[_i];
    if (!packed_possible(precision)) return;
    Arena arena = draw_arena();
    Subject subject;
    open(&subject, &arena, precision, PACKED_TRAINING, OUT, IN, 0);
    Matrix x = draw_matrix(&arena, 100, IN, 1, 1), here = draw_zeros(&arena, 100, OUT);
    gemm_forward(here, x, subject.weight, GEMM_SET);
    Elsewhere elsewhere[2];
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++) {
        elsewhere[i] = (Elsewhere){draw_zeros(&arena, 100, OUT), x, subject.weight};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, multiply_elsewhere, &elsewhere[i]), 0);
    }
    for (size_t i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_mem_eq(elsewhere[i].y.values, here.values, 100 * OUT * sizeof(real));
    }
    packed_weights_free(subject.packed);
    arena_free(&arena);
}
END_TEST

START_TEST(test_impossible)
{
    ParamList list;
    Subject subject;
    PackedWeights *packed = NULL;
    ParamVisitor listing = param_visitor_listing(&list);
    visit(&subject, &listing, OUT, IN, 0);
    setenv("REGARD_GEMM", "openblas", 1);
    ck_assert(!packed_possible(GEMM_FLOAT32));
    char text[128];
    packed_describe(text, sizeof text, GEMM_FLOAT32, false);
    ck_assert_ptr_nonnull(strstr(text, "float32 by OpenBLAS"));
    if (packed_possible(GEMM_BF16)) {
        packed_describe(text, sizeof text, GEMM_BF16, true);
        ck_assert_ptr_nonnull(strstr(text, "bf16 by oneDNN"));
        return;
    }
    Error error = {0};
    ck_assert_int_eq(packed_weights_new(&packed, &list, GEMM_BF16, PACKED_TRAINING, &error),
                     STATUS_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "AMX"));
}
END_TEST

int main(void)
{
    const struct {
        const char *name;
        const TTest *test;
    } cases[] = {
        {"products", test_products},
        {"shapes", test_shapes},
        {"blocks", test_blocks},
        {"gradient of many rows", test_gradient_of_many_rows},
        {"gradient", test_gradient},
        {"exact rows", test_exact_rows},
        {"same bits in every thread", test_same_bits_in_every_thread},
    };
    Suite *suite = suite_create("packed");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TCase *tcase = tcase_create(cases[i].name);
        tcase_set_timeout(tcase, 60);
        tcase_add_loop_test(tcase, cases[i].test, 0, PRECISIONS);
        suite_add_tcase(suite, tcase);
    }
    suite_add(suite, "impossible", test_impossible);
    return suite_run(suite);
}
