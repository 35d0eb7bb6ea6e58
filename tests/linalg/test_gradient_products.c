// The gradients of weights, and operands kept for several products, by every backend.

#include "linalg/backend_case.h"

static Matrix draw_copy_of(Arena *arena, Matrix matrix)
{
    Matrix copy = draw_zeros(arena, matrix.rows, matrix.columns);
    for (size_t i = 0; i < matrix.rows; i++)
        memcpy(matrix_row(copy, i), matrix_row(matrix, i), matrix.columns * sizeof(real));
    return copy;
}

TEST(gradient, .seconds = 60, .times = MAX_BACKENDS)
{
    static const size_t rows[] = {1, 63, 64, 100, 200};
    const Backend *backend = packing_backend(_i);
    if (!backend) return;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        Arena arena = draw_arena();
        Matrix dy = draw_matrix(&arena, rows[n], OUT, 1, 1);
        Matrix x = draw_matrix(&arena, rows[n], IN, 1, 2), dw = draw_zeros(&arena, OUT, IN);
        const Gradient gradient = {.matrix = dw, .backend = backend};
        for (size_t i = 0; i < OUT * IN; i++) dw.values[i] = 2;
        product_backward_weight(gradient, dy, x); // gradients accumulate: twice gives twice
        Subject forward;
        pack(&forward, &arena, backend, PACKED_TRAINING, (WeightUse){OUT, IN, 0, 0});
        Matrix dx = draw_copy_of(&arena, x);
        product_backward_weight(gradient, dy, x);
        product_backward_input(dx, dy, forward.weight, PRODUCT_SET);
        expect_product(dx, 0, dy, forward.weight.matrix, false, error_share(backend), "dx");
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
                                  error_share(backend) * size,
                              "dw[%zu, %zu] of %zu rows: %g, not %g", i, j, rows[n],
                              (double)matrix_row(dw, i)[j], sum);
            }
        arena_free(&arena);
    }
}

/* More rows than are multiplied at once, outputs that are no whole blocks of columns; set first,
 * then added to by blocks whose right factor was laid out for all of them. */
TEST(gradient_of_many_rows, .seconds = 60, .times = MAX_BACKENDS)
{
    enum { MANY = 1601, OUTPUTS = 164, INPUTS = 72, LATE = 700 };
    const Backend *backend = packing_backend(_i);
    if (!backend) return;
    Arena arena = {0};
    assert_ok(arena_reserve(&arena, 4 << 20, NULL));
    Matrix dy = draw_matrix(&arena, MANY, OUTPUTS, 1, 1),
           x = draw_matrix(&arena, MANY, INPUTS, 1, 2), dw = draw_zeros(&arena, OUTPUTS, INPUTS);
    bool unset = true;
    const Gradient gradient = {.matrix = dw, .backend = backend, .unset = &unset};
    dw.values[0] = (real)NAN; // is not read
    product_backward_weight(gradient, dy, x);
    ck_assert(!unset);
    size_t padded = operand_padded_rows(LATE);
    Matrix late_x = matrix_rows(x, 0, LATE), late_dy = matrix_rows(dy, 0, LATE);
    Matrix right = matrix_with_rows(draw_zeros(&arena, padded, INPUTS), LATE);
    memcpy(right.values, late_x.values, LATE * INPUTS * sizeof(real));
    const Operand late =
        operand_right(backend, right, operand_take_right(&arena, backend, padded, INPUTS));
    ck_assert((late.right != NULL) == (backend->right_bytes != NULL));
    for (size_t first = 0; first < OUTPUTS; first += 100) {
        size_t count = OUTPUTS - first < 100 ? OUTPUTS - first : 100;
        const Operand columns = operand_of(matrix_columns(late_dy, first, count));
        product_backward_weight_rows(gradient, first, &columns, &late, PRODUCT_ADD);
    }
    for (size_t i = 0; i < OUTPUTS; i += 7)
        for (size_t j = 0; j < INPUTS; j++) {
            double sum = 0, size = 0;
            for (size_t k = 0; k < MANY; k++) {
                double product = (double)matrix_row(dy, k)[i] * (double)matrix_row(x, k)[j];
                sum += k < LATE ? 2 * product : product;
                size += 2 * fabs(product);
            }
            ck_assert(fabs((double)matrix_row(dw, i)[j] - sum) <= error_share(backend) * size);
        }
    arena_free(&arena);
}

/* Operands kept in a backend's own form give the products that the matrices give. */
TEST(operands, .seconds = 60, .times = MAX_BACKENDS)
{
    enum { ROWS = 70, PADDED = 128 };
    const Backend *backend = packing_backend(_i);
    if (!backend) return;
    Arena arena = draw_arena();
    Subject subject;
    pack(&subject, &arena, backend, PACKED_TRAINING, (WeightUse){OUT, IN, 0, 0});
    Matrix x = draw_matrix(&arena, ROWS, IN, 1, 1), dy = draw_matrix(&arena, ROWS, OUT, 1, 2);
    Matrix y[2], dx[2], dw[2];
    for (size_t i = 0; i < 2; i++) {
        y[i] = draw_zeros(&arena, ROWS, OUT);
        dx[i] = draw_zeros(&arena, ROWS, IN);
        dw[i] = draw_zeros(&arena, OUT, IN);
    }
    ck_assert_uint_eq(operand_padded_rows(ROWS), PADDED);
    product_forward(y[0], x, subject.weight, PRODUCT_SET);
    product_backward_input(dx[0], dy, subject.weight, PRODUCT_SET);
    product_backward_weight((Gradient){.matrix = dw[0], .backend = backend}, dy, x);

    const Operand left = operand_converted(x, operand_take_converted(&arena, backend, ROWS, IN));
    ck_assert((left.bf16 != NULL) == backend->bf16_operands);
    Elements kept = operand_take_elements(&arena, backend, PADDED * OUT);
    for (size_t i = 0; i < ROWS * OUT && kept.values; i++) kept.values[i] = dy.values[i];
    if (kept.bf16) kernels()->to_bf16(kept.bf16, dy.values, ROWS * OUT);
    const Operand kept_dy = operand_of_elements(kept, ROWS, OUT), plain_x = operand_of(x);
    product_forward_operand(y[1], &left, subject.weight, PRODUCT_SET);
    product_backward_input_operand(dx[1], &kept_dy, subject.weight, PRODUCT_SET);
    product_backward_weight_rows((Gradient){.matrix = dw[1], .backend = backend}, 0, &kept_dy,
                                 &plain_x, PRODUCT_ADD);
    ck_assert_mem_eq(y[0].values, y[1].values, ROWS * OUT * sizeof(real));
    ck_assert_mem_eq(dx[0].values, dx[1].values, ROWS * IN * sizeof(real));
    for (size_t i = 0; i < OUT * IN; i++)
        ck_assert(fabs((double)dw[0].values[i] - (double)dw[1].values[i]) < 1e-4);

    // OpenBLAS takes over when a backend has no memory left, even of factors kept in bf16 alone
    backend_openblas.backward_input(dx[1], &kept_dy, subject.weight, PRODUCT_SET);
    expect_product(dx[1], 0, dy, subject.weight.matrix, false, error_share(backend), "dx");
    packed_weights_free(subject.packed);
    arena_free(&arena);
}
