#include "base/array.h"

#include "base/memory.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <stdint.h>
#include <string.h>

typedef struct Points {
    struct Point {
        double x;
        int number;
    } * items;
    size_t count, capacity;
} Points;

static Status add(Points *points, int number, Error *error)
{
    Status status =
        array_reserve(&points->items, &points->capacity, points->count + 1, "points", error);
    if (!status) points->items[points->count++] = (struct Point){number / 2.0, number};
    return status;
}

TEST(keeps_what_it_holds)
{
    Points points = {0};
    size_t leaps = 0;
    for (int i = 0; i < 10000; i++) {
        size_t before = points.capacity;
        assert_ok(add(&points, i, NULL));
        leaps += points.capacity != before;
    }
    ck_assert_uint_eq(points.count, 10000);
    ck_assert_uint_le(leaps, 20); // by half each time, so appending costs linear time
    for (int i = 0; i < 10000; i++) {
        ck_assert_int_eq(points.items[i].number, i);
        ck_assert_double_eq(points.items[i].x, i / 2.0);
    }
    memory_free(points.items);
}

TEST(capacity)
{
    char *text = NULL;
    size_t capacity = 0;
    assert_ok(array_reserve(&text, &capacity, 0, "text", NULL));
    ck_assert_ptr_null(text); // nothing was needed
    assert_ok(array_reserve(&text, &capacity, 1, "text", NULL));
    ck_assert_uint_eq(capacity, 16);
    assert_ok(array_reserve(&text, &capacity, 16, "text", NULL));
    ck_assert_uint_eq(capacity, 16);
    assert_ok(array_reserve(&text, &capacity, 17, "text", NULL));
    ck_assert_uint_eq(capacity, 24);
    assert_ok(array_reserve(&text, &capacity, 100, "text", NULL));
    ck_assert_uint_eq(capacity, 100);
    memset(text, 1, capacity);
    memory_free(text);
}

TEST(failure_changes_nothing)
{
    Points points = {0};
    Error error = {0};
    while (points.count == 0 || points.count < points.capacity)
        assert_ok(add(&points, (int)points.count, NULL));
    Points before = points;
    failing_malloc_at(1);
    ck_assert(failing_malloc_expect(add(&points, 16, &error)));
    assert_contains(error.text, "for points");
    ck_assert_mem_eq(&points, &before, sizeof points);
    ck_assert_int_eq(array_reserve(&points.items, &points.capacity, SIZE_MAX, "points", &error),
                     STATUS_MEMORY); // the size in bytes overflows
    ck_assert_mem_eq(&points, &before, sizeof points);
    size_t full = SIZE_MAX - 1; // half as much again overflows
    ck_assert_int_eq(array_reserve(&points.items, &full, SIZE_MAX, "points", NULL), STATUS_MEMORY);
    for (int i = 0; i < 16; i++) ck_assert_int_eq(points.items[i].number, i);
    memory_free(points.items);
}

TEST(new)
{
    Error error = {0};
    double *items = NULL;
    assert_ok(array_new(&items, 3, "numbers", &error));
    for (int i = 0; i < 3; i++) ck_assert_double_eq(items[i], 0);
    memory_free(items);
    ck_assert_int_eq(array_new(&items, SIZE_MAX / 2, "numbers", &error), STATUS_MEMORY);
    ck_assert_ptr_null(items);
    assert_contains(error.text, "for numbers");
    failing_malloc_at(1);
    ck_assert_int_eq(array_new(&items, 3, "numbers", NULL), STATUS_MEMORY);
    ck_assert(failing_malloc_stop());
    ck_assert_ptr_null(items);
}
