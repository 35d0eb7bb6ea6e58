#define _POSIX_C_SOURCE 200809L
// The table of backends, and products with every backend that this program and processor have.

#include "linalg/backend_case.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void check_rows(Weight w, size_t rows, double share)
{
    Arena arena = draw_arena();
    Matrix weight = w.matrix;
    Matrix x = draw_matrix(&arena, rows, weight.columns + 3, 1, rows);
    Matrix dy = draw_matrix(&arena, rows, weight.rows, 1, rows + 1);
    x = matrix_columns(x, 1, weight.columns);
    Matrix y = filled(&arena, rows, weight.rows, 3), dx = filled(&arena, rows, weight.columns, 3);
    product_forward(y, x, w, PRODUCT_ADD);
    expect_product(y, 3, x, weight, true, share, "y added to");
    product_forward(y, x, w, PRODUCT_SET);
    expect_product(y, 0, x, weight, true, share, "y");
    product_backward_input(dx, dy, w, PRODUCT_ADD);
    expect_product(dx, 3, dy, weight, false, share, "dx added to");
    product_backward_input(dx, dy, w, PRODUCT_SET);
    expect_product(dx, 0, dy, weight, false, share, "dx");
    for (size_t i = 0; i < rows; i++)
        ck_assert(matrix_row(y, i)[-1] == 3 && matrix_row(y, i)[y.columns] == 3);
    arena_free(&arena);
}

// Rows around every size that is multiplied at once.
TEST(products, .seconds = 60, .times = MAX_BACKENDS)
{
    static const size_t rows[] = {1, 2, 15, 16, 17, 63, 64, 65, 130, 256, 259, 321};
    const Backend *backend = packing_backend(_i);
    if (!backend) return;
    Arena arena = draw_arena();
    Subject subject;
    pack(&subject, &arena, backend, PACKED_TRAINING, (WeightUse){OUT, IN, SPLIT, 0});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Weight left = weight_columns(subject.weight, 0, SPLIT);
        Weight right = weight_columns(subject.weight, SPLIT, IN - SPLIT);
        ck_assert(left.packed && left.packed->forward && right.packed);
        ck_assert(!right.packed->backward == !packs_backward(backend));
        check_rows(left, rows[i], error_share(backend));
        check_rows(right, rows[i], error_share(backend));
    }
    // the whole, and columns that are not a part, are OpenBLAS's
    check_rows(subject.weight, 5, 1e-5);
    ck_assert_ptr_null(weight_columns(subject.weight, 1, SPLIT).packed);
    ck_assert_ptr_null(weight_rows(subject.weight, 0, 4).packed);
    packed_weights_free(subject.packed);
    arena_free(&arena);
}

/* Shapes that have caused trouble: few or odd outputs and inputs, and long sums that are added to,
 * which oneDNN does by loops. */
TEST(shapes, .seconds = 60, .times = MAX_BACKENDS)
{
    static const size_t shapes[][2] = {{1, 1}, {3, 5}, {17, 33}, {50, 64}, {64, 1}, {768, 72}};
    const Backend *backend = packing_backend(_i);
    if (!backend) return;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Arena arena = draw_arena();
        Subject subject;
        pack(&subject, &arena, backend, PACKED_TRAINING,
             (WeightUse){shapes[i][0], shapes[i][1], 0, 0});
        check_rows(subject.weight, 3, error_share(backend));
        check_rows(subject.weight, 70, error_share(backend));
        packed_weights_free(subject.packed);
        arena_free(&arena);
    }
}

enum { MAX_ROWS = 330 };

/* One row, alone and among others, at the first place, the last or in the middle, with rows
 * rounded up to the row_multiple: always the same bits. */
static void expect_exact_rows(const Backend *backend, size_t out, size_t in)
{
    const size_t row_multiple = backend->row_multiple, room = MAX_ROWS + row_multiple;
    const size_t apart = row_multiple > 1 ? row_multiple / 2 : 7;
    Arena arena = {0};
    size_t values = (room + out + 3) * in + (room + 2) * out + 12 * 64;
    assert_ok(arena_reserve(&arena, values * sizeof(real) + 4096, NULL));
    Subject subject;
    pack(&subject, &arena, backend, PACKED_DECODING, (WeightUse){out, in, 0, 0});
    ck_assert_uint_eq(packed_weights_promise(subject.packed, true).multiple, row_multiple);
    Matrix x = draw_matrix(&arena, room, in, 1, 11), row = draw_matrix(&arena, 1, in, 1, 13);
    Matrix y = draw_zeros(&arena, room, out), alone = draw_zeros(&arena, 1, out);
    Matrix kept = draw_zeros(&arena, 1, in);
    for (size_t n = 1, i = 0; n <= MAX_ROWS; n += n < 20 ? 1 : apart, i++) {
        size_t rows = (n + row_multiple - 1) / row_multiple * row_multiple;
        size_t place = i % 3 == 0 ? 0 : i % 3 == 1 ? n - 1 : n / 2;
        memcpy(kept.values, matrix_row(x, place), in * sizeof(real));
        memcpy(matrix_row(x, place), row.values, in * sizeof(real));
        product_forward(matrix_with_rows(y, rows), matrix_with_rows(x, rows), subject.weight,
                        PRODUCT_SET);
        memcpy(matrix_row(x, place), kept.values, in * sizeof(real));
        if (n == 1) memcpy(alone.values, y.values, out * sizeof(real));
        ck_assert_msg(!memcmp(alone.values, matrix_row(y, place), out * sizeof(real)),
                      "a row of %zu numbers from %zu differs alone and as row %zu of %zu", out, in,
                      place, n);
    }
    packed_weights_free(subject.packed);
    arena_free(&arena);
}

TEST(exact_rows, .seconds = 60, .times = MAX_BACKENDS)
{
    static const size_t shapes[][2] = {
        {768, 256},  {256, 1024}, {301, 1000}, {96, 64},
        {64, 128},   {2000, 256}, {3, 100},    {PRODUCT_FEW_OUTPUTS, 7},
        {768, 2048}, {128, 768}};
    const Backend *backend = packing_backend(_i);
    if (!backend || !backend->rows_exact()) return;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        expect_exact_rows(backend, shapes[i][0], shapes[i][1]);
}

/* A weight in blocks of its rows: each is multiplied both ways; of a weight of one block or
 * less, the whole is. */
TEST(blocks, .seconds = 60, .times = MAX_BACKENDS)
{
    enum { BLOCK = 384 };
    static const size_t rows[] = {300, BLOCK, BLOCK + 1, 800};
    const Backend *backend = packing_backend(_i);
    if (!backend) return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena arena = draw_arena();
        Subject subject;
        pack(&subject, &arena, backend, PACKED_TRAINING, (WeightUse){rows[i], IN, 0, BLOCK});
        RowPromise promise = packed_weights_promise(subject.packed, true);
        ck_assert(promise.exact == backend->rows_exact());
        // without AVX-512 oneDNN lays out some blocks in another way than the whole: OpenBLAS has them
        const bool all = promise.exact || packed_weights_complete(subject.packed, true);
        ck_assert_uint_eq(promise.multiple % backend->row_multiple, 0);
        if (all) ck_assert_uint_eq(promise.multiple, backend->row_multiple);
        for (size_t first = 0; first < rows[i]; first += BLOCK) {
            size_t count = rows[i] - first < BLOCK ? rows[i] - first : BLOCK;
            Weight block = weight_rows(subject.weight, first, count);
            ck_assert(!all || (block.packed && block.packed->forward));
            if (all && count > 1) ck_assert(!block.packed->backward == !packs_backward(backend));
            check_rows(block, 3, error_share(backend));
            check_rows(block, 70, error_share(backend));
        }
        packed_weights_free(subject.packed);
        arena_free(&arena);
    }
}

// One product in a thread of its own, whose primitives end with it.
typedef struct Elsewhere {
    Matrix y, x;
    Weight weight;
} Elsewhere;

static void *multiply_elsewhere(void *context)
{
    Elsewhere *elsewhere = context;
    product_forward(elsewhere->y, elsewhere->x, elsewhere->weight, PRODUCT_SET);
    return NULL;
}

TEST(same_bits_in_every_thread, .seconds = 60, .times = MAX_BACKENDS)
{
    const Backend *backend = packing_backend(_i);
    if (!backend) return;
    Arena arena = draw_arena();
    Subject subject;
    pack(&subject, &arena, backend, PACKED_TRAINING, (WeightUse){OUT, IN, 0, 0});
    Matrix x = draw_matrix(&arena, 100, IN, 1, 1), here = draw_zeros(&arena, 100, OUT);
    product_forward(here, x, subject.weight, PRODUCT_SET);
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

// Every entry says what the others rely on.
TEST(table)
{
    ck_assert_ptr_eq(backends[0], &backend_openblas);
    for (size_t i = 0; backends[i]; i++) {
        const Backend *backend = backends[i];
        ck_assert(backend->name && backend->title && backend->available && backend->describe);
        ck_assert(backend->chosen_for != NULL);
        ck_assert(backend->row_multiple > 0 && backend->rows_exact);
        const bool gradients = backend->type != COMPUTE_INT8;
        ck_assert(backend->forward && gradients == (backend->backward_input != NULL) &&
                  gradients == (backend->backward_weight != NULL));
        ck_assert(!backend->pack == !backend->packed_bytes);
        ck_assert(!backend->pack == !backend->packed_block_bytes);
        ck_assert(!backend->right_bytes == !backend->pack_right);
        ck_assert_uint_lt(backend->type, COMPUTE_TYPES);
    }
    ck_assert(backend_openblas.available() && !backend_openblas.pack);
    ck_assert_ptr_eq(backend_of(COMPUTE_FLOAT32, false), &backend_openblas);
    ck_assert_ptr_eq(backend_of(COMPUTE_BF16, false), backend_of(COMPUTE_BF16, true));
    ck_assert_int_eq(backend_fastest_type(PACKED_DECODING, false), COMPUTE_FLOAT32);
    ck_assert_ptr_nonnull(backend_of(backend_fastest_type(PACKED_DECODING, true), true));
    ck_assert_int_ne(backend_fastest_type(PACKED_TRAINING, true), COMPUTE_INT8);
    ck_assert(!backend_int8.chosen_for(PACKED_TRAINING));
    if (backend_int8.chosen_for(PACKED_DECODING))
        ck_assert_int_ne(backend_fastest_type(PACKED_DECODING, true), COMPUTE_FLOAT32);
}

// Where some products are OpenBLAS's, rows are rounded to what does for both.
TEST(promise, .seconds = 60, .times = MAX_BACKENDS)
{
    RowPromise plain = packed_weights_promise(NULL, true);
    ck_assert_uint_eq(plain.multiple, backend_openblas.row_multiple);
    ck_assert(plain.exact == backend_openblas.rows_exact());
    ck_assert(!packed_weights_complete(NULL, false));
    const Backend *backend = packing_backend(_i);
    if (!backend) return;
    Arena arena = draw_arena();
    Subject subject;
    pack(&subject, &arena, backend, PACKED_TRAINING, (WeightUse){OUT, IN, 0, 0});
    ck_assert(packed_weights_complete(subject.packed, true));
    ck_assert_uint_eq(packed_weights_promise(subject.packed, true).multiple, backend->row_multiple);
    ((PackedWeight *)(size_t)subject.weight.packed)->forward = NULL; // as if there were no form
    ck_assert(!packed_weights_complete(subject.packed, false));
    RowPromise both = packed_weights_promise(subject.packed, false);
    ck_assert_uint_eq(both.multiple % backend->row_multiple, 0);
    ck_assert_uint_eq(both.multiple % backend_openblas.row_multiple, 0);
    ck_assert(both.exact == (backend->rows_exact() && backend_openblas.rows_exact()));
    packed_weights_free(subject.packed);
    arena_free(&arena);
}

TEST(impossible)
{
    char text[128];
    setenv("REGARD_GEMM", "openblas", 1);
    ck_assert_ptr_eq(backend_of(COMPUTE_FLOAT32, true), &backend_openblas);
    backend_describe(text, sizeof text, &backend_openblas);
    assert_contains(text, "float32 by OpenBLAS");
    const Backend *backend = backend_of(COMPUTE_BF16, true);
    if (backend) {
        backend_describe(text, sizeof text, backend);
        assert_contains(text, "bf16 by ");
        return;
    }
    Error error = {0};
    ck_assert_int_eq(backend_get(&backend, COMPUTE_BF16, true, &error), STATUS_ARGUMENT);
    assert_contains(error.text, "AVX512-BF16");
}
