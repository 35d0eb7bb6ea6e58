#include "base/bytes.h"
#include "support/suite.h"

#include <string.h>

TEST(appends)
{
    Bytes bytes = {0};
    assert_ok(bytes_append(&bytes, "a\0b", 3, NULL));
    assert_ok(bytes_append_format(&bytes, NULL, "%d-%s", 42, "x"));
    ck_assert_uint_eq(bytes.length, 7);
    ck_assert_mem_eq(bytes.data, "a\0b42-x", 8); // with the NUL behind it
    bytes_clear(&bytes);
    ck_assert_str_eq(bytes.data, "");
    bytes_free(&bytes);
}

TEST(grows)
{
    Bytes bytes = {0};
    for (int i = 0; i < 10000; i++)
        assert_ok(bytes_append(&bytes, (char[]){(char)('a' + i % 26)}, 1, NULL));
    ck_assert_uint_eq(bytes.length, 10000);
    for (int i = 0; i < 10000; i++) ck_assert_int_eq(bytes.data[i], 'a' + i % 26);
    bytes_free(&bytes);
}

// Formatted text must not ask for memory at every append: that would take quadratic time.
TEST(formatted_text_grows_in_leaps)
{
    Bytes bytes = {0};
    unsigned leaps = 0;
    for (int i = 0; i < 10000; i++) {
        size_t before = bytes.capacity;
        assert_ok(bytes_append_format(&bytes, NULL, "%d,", i % 10));
        leaps += bytes.capacity != before;
    }
    ck_assert_uint_eq(bytes.length, 20000);
    ck_assert_uint_lt(leaps, 25);
    bytes_free(&bytes);
}

TEST(refuses_what_cannot_fit)
{
    Bytes bytes = {0};
    Error error = {0};
    assert_ok(bytes_append_string(&bytes, "kept", &error));
    ck_assert_int_eq(bytes_append(&bytes, "", (size_t)-3, &error), STATUS_MEMORY);
    ck_assert_int_eq(bytes_reserve(&bytes, (size_t)-1, &error), STATUS_MEMORY);
    assert_contains(error.text, "out of memory");
    ck_assert_str_eq(bytes.data, "kept");
    bytes_free(&bytes);
}

TEST(views)
{
    const TextView text = text_view_of("a 12,5");
    ck_assert(text_view_at(text, 0) == 'a' && text_view_at(text, 6) == '\0');
    ck_assert_int_eq(text_view_at(text, (size_t)-1), '\0');
    ck_assert(text_view_equal(text_view_from(text, 4), text_view_of(",5")));
    ck_assert(text_view_has_at(text, 2, text_view_of("12")));
    ck_assert(!text_view_has_at(text, 5, text_view_of("52")));
    ck_assert_uint_eq(text_view_digits_end(text, 2), 4);
    ck_assert_uint_eq(text_view_digits_end(text, 0), 0);
    ck_assert(text_view_is_digits(text_view_from(text, 5)) && !text_view_is_digits(text));
}
