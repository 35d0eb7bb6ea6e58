#include "text/spans.h"

#include "support/failing_malloc.h"
#include "support/suite.h"
#include "text/utf8.h"

static Spans spans_of(const Span *items, size_t count)
{
    Spans spans = {0};
    for (size_t i = 0; i < count; i++) assert_ok(spans_add(&spans, items[i], NULL));
    return spans;
}

TEST(append)
{
    Spans spans = spans_of((const Span[]){{2, 4}}, 1);
    assert_ok(spans_append(&spans, (Span){4, 6}, NULL));
    assert_ok(spans_add(&spans, (Span){6, 7}, NULL));
    ck_assert_uint_eq(spans.count, 2);
    ck_assert(spans.items[0].end == 4 && spans.items[1].begin == 4 && spans.items[1].end == 7);
    ck_assert(spans_leave(&spans, (TextView){"a abcde 1", 9}, utf8_is_letter));
    ck_assert(!spans_leave(&spans, (TextView){". abcde 1", 9}, utf8_is_letter));
    ck_assert(spans_leave(&spans, (TextView){". abcde 1", 9}, utf8_is_word));
    spans_free(&spans);
}

TEST(merge)
{
    Spans spans = spans_of((const Span[]){{2, 4}, {6, 8}, {20, 30}}, 3);
    Spans more = spans_of((const Span[]){{0, 1}, {4, 6}, {10, 12}, {22, 24}}, 4);
    static const Span expected[] = {{0, 1}, {2, 8}, {10, 12}, {20, 30}};
    failing_malloc_at(1);
    ck_assert(failing_malloc_expect(spans_merge(&spans, &more, NULL)));
    ck_assert_uint_eq(spans.count, 3);
    assert_ok(spans_merge(&spans, &more, NULL));
    ck_assert_uint_eq(spans.count, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert(spans.items[i].begin == expected[i].begin &&
                  spans.items[i].end == expected[i].end);
    spans_free(&spans);
    spans_free(&more);
}

TEST(places)
{
    static const Span spans[] = {{2, 4}, {6, 8}, {8, 10}};
    static const size_t behind[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2};
    for (size_t place = 0; place < 10; place++)
        ck_assert_ptr_eq(spans_ending_behind(spans, 3, place), &spans[behind[place]]);
    ck_assert_ptr_null(spans_ending_behind(spans, 3, 10));
    ck_assert_ptr_null(spans_ending_behind(NULL, 0, 0));
    ck_assert(spans_overlap(spans, 3, (Span){0, 3}) && spans_overlap(spans, 3, (Span){3, 5}) &&
              spans_overlap(spans, 3, (Span){0, 20}));
    ck_assert(!spans_overlap(spans, 3, (Span){0, 2}) && !spans_overlap(spans, 3, (Span){4, 6}) &&
              !spans_overlap(spans, 3, (Span){10, 11}));
}
