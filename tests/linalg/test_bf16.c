#define _POSIX_C_SOURCE 200809L // setenv
/* Our backend in bf16, by the kernels of this processor and in plain C (REGARD_ISA): what
 * test_backends and test_gradient_products, which take all backends, do not reach. */
#include "linalg/backend_case.h"

#include <stdlib.h>

enum { SETS = 2 };

// The kernels of this test: it runs in a process of its own.
static const Backend *backend_in(int set)
{
    if (set) setenv("REGARD_ISA", "plain", 1);
    return backend_bf16.available() ? &backend_bf16 : NULL;
}

// A matrix whose numbers bf16 can hold, so that only sums are rounded, and the same kept in bf16.
static Matrix draw_rounded(Arena *arena, size_t rows, size_t columns, uint64_t seed,
                           uint16_t **kept)
{
    Matrix matrix = draw_matrix(arena, rows, columns, 1, seed);
    *kept = arena_take(arena, rows * columns, sizeof **kept);
    kernels()->to_bf16(*kept, matrix.values, rows * columns);
    kernels()->from_bf16(matrix.values, *kept, rows * columns);
    return matrix;
}

static Arena large_arena(void)
{
    Arena arena = {0};
    assert_ok(arena_reserve(&arena, 8 << 20, NULL));
    return arena;
}

/* Factors that are kept in bf16 give the bits of those that are not; with odd widths, which have
 * half a pair at the end, and with more rows than are rounded at once. */
TEST(kept_factors, .times = SETS)
{
    static const size_t shapes[][3] = {{9, 33, 51}, {300, 128, 260}}; // rows, in, out
    const Backend *backend = backend_in(_i);
    for (size_t s = 0; backend && s < sizeof shapes / sizeof *shapes; s++) {
        const size_t rows = shapes[s][0], in = shapes[s][1], out = shapes[s][2];
        Arena arena = large_arena();
        Subject subject;
        pack(&subject, &arena, backend, PACKED_TRAINING, (WeightUse){out, in, 0, 0});
        uint16_t *kept_x, *kept_dy;
        Matrix x = draw_rounded(&arena, rows, in, 1, &kept_x);
        Matrix dy = draw_rounded(&arena, rows, out, 2, &kept_dy);
        Matrix y[2], dx[2];
        for (size_t i = 0; i < 2; i++) {
            const Operand left = {.matrix = x, .bf16 = i ? kept_x : NULL};
            const Operand dleft = {.matrix = dy, .bf16 = i ? kept_dy : NULL};
            y[i] = draw_zeros(&arena, rows, out);
            dx[i] = draw_zeros(&arena, rows, in);
            product_forward_operand(y[i], &left, subject.weight, PRODUCT_SET);
            product_backward_input_operand(dx[i], &dleft, subject.weight, PRODUCT_SET);
        }
        ck_assert_mem_eq(y[0].values, y[1].values, rows * out * sizeof(real));
        ck_assert_mem_eq(dx[0].values, dx[1].values, rows * in * sizeof(real));
        packed_weights_free(subject.packed);
        arena_free(&arena);
    }
}

// A gradient of more rows than are multiplied at once, from dy in bf16 alone.
TEST(gradient_of_kept_rows, .times = SETS)
{
    enum { MANY = 1601, OUTPUTS = 101, INPUTS = 20 };
    const Backend *backend = backend_in(_i);
    if (!backend) return;
    Arena arena = large_arena();
    uint16_t *kept;
    Matrix dy = draw_rounded(&arena, MANY, OUTPUTS, 1, &kept);
    Matrix x = draw_matrix(&arena, MANY, INPUTS, 1, 2), dw[2];
    for (size_t i = 0; i < 2; i++) {
        Operand left = {.matrix = dy, .bf16 = i ? kept : NULL}, right = operand_of(x);
        if (i) left.matrix.values = NULL;
        dw[i] = draw_zeros(&arena, OUTPUTS, INPUTS);
        product_backward_weight_rows((Gradient){.matrix = dw[i], .backend = backend}, 0, &left,
                                     &right, PRODUCT_SET);
    }
    ck_assert_mem_eq(dw[0].values, dw[1].values, OUTPUTS * INPUTS * sizeof(real));
    for (size_t i = 0; i < OUTPUTS; i += 10)
        for (size_t j = 0; j < INPUTS; j++) {
            double sum = 0, size = 0;
            for (size_t k = 0; k < MANY; k++) {
                double product = (double)matrix_row(dy, k)[i] * (double)matrix_row(x, k)[j];
                sum += product;
                size += fabs(product);
            }
            ck_assert_double_le(fabs((double)matrix_row(dw[0], i)[j] - sum), size / 256);
        }
    arena_free(&arena);
}

// Picked rows, in any order and repeated, give the numbers that the whole weight gives for them.
TEST(picked, .times = SETS)
{
    enum { ROWS = 7, PICKS = 77, WIDTH = 33 };
    const Backend *backend = backend_in(_i);
    if (!backend) return;
    Arena arena = large_arena();
    Subject subject;
    pack(&subject, &arena, backend, PACKED_DECODING, (WeightUse){OUT, WIDTH, 0, 0});
    Matrix x = draw_matrix(&arena, ROWS, WIDTH, 1, 1);
    int32_t picks[PICKS];
    for (int32_t i = 0; i < PICKS; i++) picks[i] = (i * 53 + 11) % OUT;
    picks[PICKS - 1] = picks[0];
    expect_picked(&arena, &subject, x, picks, PICKS);
    packed_weights_free(subject.packed);
    arena_free(&arena);
}

// A form for sums too long to round at once would not be used.
TEST(widest, .times = SETS)
{
    ck_assert_uint_gt(backend_bf16.packed_bytes(&backend_bf16, PACKED_FORWARD, 2, 32768), 0);
    ck_assert_uint_eq(backend_bf16.packed_bytes(&backend_bf16, PACKED_FORWARD, 2, 32769), 0);
    ck_assert_uint_eq(backend_bf16.packed_bytes(&backend_bf16, PACKED_BACKWARD, 32769, 2), 0);
    const Backend *backend = backend_in(_i);
    if (!backend) return;
    Arena arena = large_arena();
    Subject subject;
    pack(&subject, &arena, backend, PACKED_DECODING, (WeightUse){2, 32768, 0, 0});
    Matrix x = draw_matrix(&arena, 3, 32768, 1, 1), y = draw_zeros(&arena, 3, 2);
    product_forward(y, x, subject.weight, PRODUCT_SET);
    expect_product(y, 0, x, subject.weight.matrix, true, error_share(backend), "y");
    packed_weights_free(subject.packed);
    arena_free(&arena);
}

// REGARD_ISA=avx2 leaves it out; plain C is never what auto takes.
TEST(chosen, .times = 2)
{
    static const char *const forced[] = {"avx2", "plain"};
    setenv("REGARD_ISA", forced[_i], 1);
    const bool plain = _i == 1;
    ck_assert(backend_bf16.available() == plain && backend_bf16.rows_exact() == plain);
    if (plain) ck_assert(!backend_bf16.chosen_for(PACKED_TRAINING));
}
