// Products where the address space is too short (ulimit -v).
#include "linalg/backend_case.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

// Sanitizers reserve an address space of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

static void limit_address_space(size_t bytes)
{
    struct rlimit limit;
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = bytes;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
}

static size_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert(file && fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    return pages * 4096;
}

// It is said at once: OpenBLAS itself would ask for its memory without end.
TEST(openblas)
{
    Error error = {0};
    assert_ok(backends_start(1, &error));
    limit_address_space((size_t)4 << 30);
    ck_assert_int_eq(backends_start(100, &error), STATUS_MEMORY);
    assert_contains(error.text, "for 100 threads");
    assert_ok(backends_start(2, &error));
}

/* oneDNN would write to code that it could not map. Dot products take its place, which need no
 * memory, not even OpenBLAS's, and whoever asks afterwards is told. */
TEST(onednn)
{
    Arena arena = draw_arena();
    Error error = {0};
    Subject subject;
    const Backend *backend = backend_of(COMPUTE_FLOAT32, true);
    if (!backend->pack) return; // this program or processor has OpenBLAS alone
    pack(&subject, &arena, backend, PACKED_DECODING, (WeightUse){128, 128, 0, 0});
    Matrix x = draw_matrix(&arena, 100, 128, 1, 1);
    Matrix y = draw_zeros(&arena, 100, 128);
    assert_ok(backends_check(&error));
    limit_address_space(address_space() + ((size_t)16 << 20));
    product_forward(y, x, subject.weight, PRODUCT_SET);
    expect_product(y, 0, x, subject.weight.matrix, true, error_share(backend), backend->name);
    ck_assert_int_eq(backends_check(&error), STATUS_MEMORY);
    assert_contains(error.text, "oneDNN needs more for its code");
    assert_ok(backends_check(&error)); // it was told
    packed_weights_free(subject.packed);
    arena_free(&arena);
}

/* A weight's gradient in bf16 rounds its factors in memory of the thread. */
TEST(bf16)
{
    enum { ROWS = 1500, WIDTH = 1024 };
    Arena arena = {0};
    Error error = {0};
    if (!backend_bf16.available()) return;
    assert_ok(arena_reserve(&arena, ROWS * WIDTH * 3 * sizeof(real), NULL));
    assert_ok(backends_start(1, NULL));
    Matrix x = draw_matrix(&arena, ROWS, WIDTH, 1, 1), dy = matrix_columns(x, 0, 8);
    Matrix dw[] = {draw_zeros(&arena, 8, WIDTH), draw_zeros(&arena, 8, WIDTH)};
    product_backward_weight((Gradient){.matrix = dw[0]}, dy, x);
    assert_ok(backends_check(&error));
    limit_address_space(address_space());
    product_backward_weight((Gradient){.matrix = dw[1], .backend = &backend_bf16}, dy, x);
    ck_assert_mem_eq(dw[0].values, dw[1].values, 8 * WIDTH * sizeof(real));
    ck_assert_int_eq(backends_check(&error), STATUS_MEMORY);
    assert_contains(error.text, "products need more for their factors");
    assert_ok(backends_check(&error)); // it was told
    arena_free(&arena);
}

#endif
