// The backend in int8: what rounding may change, and what it must not.
#include "linalg/backend_case.h"
#include "linalg/quantise.h"

/* |x·w − (x + a)·(w + b)| ≤ Σ |x| |b| + |a| |w| + |a| |b|, where rounding moves a number by at most
 * half a step. */
static double error_bound(const real *x, const real *w, size_t n)
{
    double a = 0.5 * (double)quantise_scale(x, n), b = 0.5 * (double)quantise_scale(w, n), sum = 0;
    for (size_t k = 0; k < n; k++) sum += fabs((double)x[k]) * b + a * fabs((double)w[k]) + a * b;
    return sum * (1 + 1e-4);
}

static void expect_near(size_t rows, size_t out, size_t in)
{
    Arena arena = {0};
    assert_ok(arena_reserve(&arena, ((rows + out) * in + rows * out + 99) * 8, NULL));
    Subject subject;
    pack(&subject, &arena, &backend_int8, PACKED_DECODING, (WeightUse){out, in, 0, 0});
    Matrix x = draw_matrix(&arena, rows, in, 1, 1), y = draw_zeros(&arena, rows, out);
    product_forward(y, x, subject.weight, PRODUCT_SET);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < out; j++) {
            const real *row = matrix_row(x, i), *weight = matrix_row(subject.weight.matrix, j);
            double sum = 0;
            for (size_t k = 0; k < in; k++) sum += (double)row[k] * (double)weight[k];
            ck_assert_double_le(fabs((double)matrix_row(y, i)[j] - sum),
                                error_bound(row, weight, in));
        }
    packed_weights_free(subject.packed);
    arena_free(&arena);
}

TEST(near)
{
    expect_near(1, 1, 1);
    expect_near(3, 7, 5);
    expect_near(50, 70, 33);
    expect_near(100, 64, 256);
    expect_near(2, 20, 5000); // few such rows are rounded at once
    expect_near(2, 3, 65536); // the widest
}

// Each product of x with the parts of a weight, of whose columns the first `split` are one.
static void multiply_parts(Matrix y, Matrix x, const Subject *subject, size_t split)
{
    size_t rest = x.columns - split;
    product_forward(y, matrix_columns(x, 0, split), weight_columns(subject->weight, 0, split),
                    PRODUCT_SET);
    product_forward(y, matrix_columns(x, split, rest), weight_columns(subject->weight, split, rest),
                    PRODUCT_ADD);
}

/* A weight that a file has in int8, read as floats, is packed as what it was rounded from: the same
 * bits, whole and in parts. */
TEST(rounded_before)
{
    enum { ROWS = 20 };
    Arena arena = draw_arena();
    for (size_t split = 0; split <= SPLIT; split += SPLIT) {
        Subject subject;
        pack(&subject, &arena, &backend_int8, PACKED_DECODING, (WeightUse){OUT, IN, split, 0});
        Matrix x = draw_matrix(&arena, ROWS, IN, 1, 1), y[2];
        for (size_t i = 0; i < 2; i++) {
            y[i] = draw_zeros(&arena, ROWS, OUT);
            if (split)
                multiply_parts(y[i], x, &subject, split);
            else
                product_forward(y[i], x, subject.weight, PRODUCT_SET);
            backend_int8.round_rows(subject.weight.matrix);
            packed_weights_fill(subject.packed, (real *[]){subject.weight.matrix.values, NULL}, 0,
                                1);
        }
        ck_assert_mem_eq(y[0].values, y[1].values, ROWS * OUT * sizeof(real));
        packed_weights_free(subject.packed);
    }
    arena_free(&arena);
}

// A row that is looked up is what products see: rounded once, and rounding again changes nothing.
TEST(rows)
{
    Arena arena = draw_arena();
    Subject subject;
    pack(&subject, &arena, &backend_int8, PACKED_DECODING, (WeightUse){OUT, IN, 0, 0});
    const int32_t picks[] = {7, 0, 7};
    Matrix rows = draw_zeros(&arena, 3, IN), again = draw_zeros(&arena, 3, IN);
    weight_copy_rows(rows, subject.weight, picks);
    for (size_t i = 0; i < 3; i++) {
        const real *weight = matrix_row(subject.weight.matrix, (size_t)picks[i]);
        double step = (double)quantise_scale(weight, IN);
        for (size_t k = 0; k < IN; k++)
            ck_assert_double_le(fabs((double)(matrix_row(rows, i)[k] - weight[k])), 0.501 * step);
    }
    matrix_copy(again, rows);
    backend_int8.round_rows(again);
    ck_assert_mem_eq(rows.values, again.values, 3 * IN * sizeof(real));
    weight_copy_rows(again, weight_of(subject.weight.matrix), picks); // not packed: not rounded
    ck_assert_mem_eq(again.values, matrix_row(subject.weight.matrix, 7), IN * sizeof(real));
    packed_weights_free(subject.packed);
    arena_free(&arena);
}

// Picked rows, in any order and repeated, give the numbers that the whole weight gives for them.
TEST(picked)
{
    enum { ROWS = 7, PICKS = 37 };
    Arena arena = draw_arena();
    Subject subject;
    pack(&subject, &arena, &backend_int8, PACKED_DECODING, (WeightUse){OUT, IN, 0, 0});
    Matrix x = draw_matrix(&arena, ROWS, IN, 1, 1);
    int32_t picks[PICKS];
    for (int32_t i = 0; i < PICKS; i++) picks[i] = (i * 53 + 11) % OUT;
    picks[PICKS - 1] = picks[0];
    expect_picked(&arena, &subject, x, picks, PICKS);
    ck_assert_uint_eq(weight_picked_bytes(weight_of(x), 3), 0); // OpenBLAS picks none
    packed_weights_free(subject.packed);
    arena_free(&arena);
}

// NaN stays visible, in its row alone; a row of zeros gives zeros.
TEST(odd_rows)
{
    Arena arena = draw_arena();
    Subject subject;
    pack(&subject, &arena, &backend_int8, PACKED_DECODING, (WeightUse){OUT, IN, 0, 0});
    Matrix x = draw_matrix(&arena, 4, IN, 1, 1), y = draw_zeros(&arena, 4, OUT);
    matrix_row(x, 0)[IN - 1] = (real)NAN;
    matrix_row(x, 1)[0] = (real)INFINITY;
    matrix_clear(matrix_rows(x, 2, 1));
    product_forward(y, x, subject.weight, PRODUCT_SET);
    for (size_t j = 0; j < OUT; j++) {
        ck_assert(isnan(matrix_row(y, 0)[j]) && isnan(matrix_row(y, 1)[j]));
        ck_assert(matrix_row(y, 2)[j] == 0 && isfinite(matrix_row(y, 3)[j]));
    }
    packed_weights_free(subject.packed);
    arena_free(&arena);
}
