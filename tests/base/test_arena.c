#include "base/arena.h"
#include "support/suite.h"

#include <stdint.h>
#include <string.h>

typedef struct Layout {
    float *weights;
    char *text, *more;
} Layout;

static void lay_out(Layout *layout, Arena *arena)
{
    layout->weights = arena_take(arena, 10, sizeof(float));
    layout->text = arena_take(arena, 65, 1);
    layout->more = arena_take(arena, 0, 8);
}

// The same function over a measuring and over a real arena, as the header shows.
TEST(measure_then_take)
{
    Arena measure = arena_measuring(), arena = {0};
    Layout layout;
    lay_out(&layout, &measure);
    ck_assert_ptr_null(layout.weights);
    ck_assert_ptr_null(layout.text);
    ck_assert_uint_eq(measure.used, 64 + 128);
    assert_ok(arena_reserve(&arena, measure.high, NULL));
    lay_out(&layout, &arena);
    ck_assert_uint_eq(arena.used, measure.used);
    ck_assert_uint_eq((uintptr_t)layout.weights % 64, 0);
    ck_assert_ptr_eq(layout.text, (char *)layout.weights + 64);
    ck_assert_ptr_eq(layout.more, layout.text + 128);
    memset(layout.weights, 1, 40);
    memset(layout.text, 2, 65);
    arena_free(&arena);
    ck_assert_ptr_null(arena.memory);
    ck_assert_uint_eq(arena.capacity, 0);
    arena_free(&arena); // twice is allowed
}

TEST(release_gives_back)
{
    Arena measure = arena_measuring(), arena = {0};
    arena_take(&measure, 1, 64);
    arena_take(&measure, 100, 64);
    arena_release(&measure, 64);
    arena_take(&measure, 2, 64);
    ck_assert_uint_eq(measure.used, 3 * 64);
    ck_assert_uint_eq(measure.high, 101 * 64); // what must be reserved
    assert_ok(arena_reserve(&arena, measure.high, NULL));
    char *first = arena_take(&arena, 1, 64);
    char *scratch = arena_take(&arena, 100, 64);
    arena_release(&arena, 64);
    ck_assert_ptr_eq(arena_take(&arena, 2, 64), scratch);
    ck_assert_ptr_eq(scratch, first + 64);
    arena_free(&arena);
}

TEST(reserve_empties_and_grows)
{
    Arena arena = {0};
    assert_ok(arena_reserve(&arena, 0, NULL));
    ck_assert_ptr_nonnull(arena.memory);
    assert_ok(arena_reserve(&arena, 1000, NULL));
    char *memory = arena.memory;
    arena_take(&arena, 100, 1);
    assert_ok(arena_reserve(&arena, 500, NULL)); // smaller: the memory stays
    ck_assert_ptr_eq(arena.memory, memory);
    ck_assert_uint_eq(arena.used, 0);
    assert_ok(arena_reserve(&arena, 1 << 20, NULL));
    memset(arena_take(&arena, 1 << 20, 1), 1, 1 << 20);
    arena_free(&arena);
}

TEST(too_much_is_refused)
{
    static const size_t TOO_MUCH[][2] = {
        {SIZE_MAX, 1}, {SIZE_MAX, 8}, {SIZE_MAX - 60, 1}, {1, SIZE_MAX}};
    for (size_t i = 0; i < sizeof TOO_MUCH / sizeof TOO_MUCH[0]; i++) {
        Arena measure = arena_measuring(), arena = {0};
        Error error = {0};
        arena_take(&measure, 1, 100);
        arena_take(&measure, TOO_MUCH[i][0], TOO_MUCH[i][1]);
        arena_take(&measure, 1, 100); // stays saturated
        ck_assert_uint_eq(measure.high, SIZE_MAX);
        ck_assert_int_eq(arena_reserve(&arena, measure.high, &error), STATUS_MEMORY);
        assert_contains(error.text, "out of memory");
        assert_ok(arena_reserve(&arena, 64, &error)); // still valid
        arena_free(&arena);
    }
}
