#include "base/memory.h"
#include "support/suite.h"

#include <stdint.h>
#include <string.h>

TEST(new_is_zeroed)
{
    unsigned char *memory = memory_new(100, 3);
    ck_assert_ptr_nonnull(memory);
    for (int i = 0; i < 300; i++) ck_assert_int_eq(memory[i], 0);
    memory_free(memory);
    memory_free(NULL);
}

TEST(nothing_is_a_valid_pointer)
{
    void *pieces[] = {memory_new(0, 8), memory_new(8, 0), memory_resize(NULL, 0, 8),
                      memory_aligned(0, 8), memory_copy_string(NULL, 0)};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        ck_assert_ptr_nonnull(pieces[i]);
        memory_free(pieces[i]);
    }
}

TEST(sizes_do_not_overflow)
{
    static const size_t TOO_MUCH[][2] = {
        {SIZE_MAX, 2},
        {2, SIZE_MAX},
        {SIZE_MAX, SIZE_MAX},
        {SIZE_MAX / 2 + 1, 2},
        {(size_t)1 << 32, (size_t)1 << 32},
        {SIZE_MAX, 1},
        {SIZE_MAX - 62, 1},
    };
    char *old = memory_copy_string("kept", 4);
    for (size_t i = 0; i < sizeof TOO_MUCH / sizeof TOO_MUCH[0]; i++) {
        ck_assert_ptr_null(memory_new(TOO_MUCH[i][0], TOO_MUCH[i][1]));
        ck_assert_ptr_null(memory_aligned(TOO_MUCH[i][0], TOO_MUCH[i][1]));
        ck_assert_ptr_null(memory_resize(old, TOO_MUCH[i][0], TOO_MUCH[i][1]));
        ck_assert_str_eq(old, "kept");
    }
    ck_assert_ptr_null(memory_copy_string("x", SIZE_MAX));
    memory_free(old);
}

TEST(resize_keeps)
{
    uint32_t *numbers = NULL;
    for (uint32_t count = 1; count <= 1000; count++) {
        numbers = memory_resize(numbers, count, sizeof *numbers);
        ck_assert_ptr_nonnull(numbers);
        numbers[count - 1] = count;
    }
    for (uint32_t i = 0; i < 1000; i++) ck_assert_uint_eq(numbers[i], i + 1);
    memory_free(numbers);
}

TEST(aligned_to_cache_lines)
{
    for (size_t bytes = 0; bytes < 200; bytes++) {
        char *memory = memory_aligned(bytes, 1);
        ck_assert_ptr_nonnull(memory);
        ck_assert_uint_eq((uintptr_t)memory % 64, 0);
        memset(memory, 1, bytes);
        memory_free(memory);
    }
}

/* Of every size around a page or two, written from end to end. */
TEST(large_pages)
{
    static const size_t sizes[] = {0,      1, 100, 1 << 20, (1 << 20) + 1, 2 << 20, (2 << 20) + 1,
                                   5 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *memory = memory_in_large_pages(sizes[i], 1);
        ck_assert_ptr_nonnull(memory);
        ck_assert_uint_eq((uintptr_t)memory % 64, 0);
        memset(memory, 1, sizes[i]);
        memory_free(memory);
    }
    ck_assert_ptr_null(memory_in_large_pages(SIZE_MAX, 1));
    ck_assert_ptr_null(memory_in_large_pages(SIZE_MAX / 2, 3));
    ck_assert_ptr_null(memory_in_large_pages(SIZE_MAX - (2 << 20), 1));
}

TEST(copy_ends_in_nul)
{
    char *copy = memory_copy_string("a\0bc", 3);
    ck_assert_mem_eq(copy, "a\0b\0", 4);
    memory_free(copy);
}
