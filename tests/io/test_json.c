#include "io/json.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

static json_t *example(void)
{
    return json_pack("{s:i, s:[f, b]}", "line", 3, "scores", 0.25, 1);
}

TEST(writes)
{
    Bytes bytes = {0};
    Writer out = writer_start(&bytes, NULL);
    json_write(&out, example(), JSON_COMPACT);
    writer_string(&out, "\n");
    json_write(&out, json_string("a\"b"), JSON_ENCODE_ANY);
    assert_ok(writer_end(&out));
    ck_assert_str_eq(bytes.data, "{\"line\":3,\"scores\":[0.25,true]}\n\"a\\\"b\"");
    bytes_free(&bytes);
}

// What would steer a terminal is escaped, in keys and values; what would not stays.
TEST(escapes)
{
    Bytes bytes = {0};
    Writer out = writer_start(&bytes, NULL);
    json_write(&out,
               json_string("\x1b[2J\x7f \xc2\x80\xc2\x9f"
                           "\u00a0 \u061c\u200e\u200f \u202a\u202e\u202f "
                           "\u2065\u2066\u2069\u206a é清🙂"),
               JSON_ENCODE_ANY);
    json_write(&out,
               json_pack("{s:i}",
                         "a\xc2\x9b"
                         "b",
                         1),
               JSON_COMPACT);
    assert_ok(writer_end(&out));
    ck_assert_str_eq(
        bytes.data,
        "\"\\u001B[2J\\u007F \\u0080\\u009F\u00a0 \\u061C\\u200E\\u200F \\u202A\\u202E\u202f "
        "\u2065\\u2066\\u2069\u206a é清🙂\"{\"a\\u009Bb\":1}");
    json_t *json = NULL;
    assert_ok(json_parse(&json, strchr(bytes.data, '{'), 14, "x", "it", NULL));
    ck_assert_ptr_nonnull(json_object_get(json, "a\xc2\x9b"
                                                "b"));
    json_decref(json);
    bytes_free(&bytes);
}

TEST(refuses)
{
    Bytes bytes = {0};
    Error error = {0};
    Writer out = writer_start(&bytes, &error);
    json_write(&out, json_stringn("\xFF", 1), JSON_ENCODE_ANY); // NULL
    json_write(&out, example(), JSON_COMPACT);                  // released, not written
    ck_assert_int_eq(writer_end(&out), STATUS_ARGUMENT);
    assert_contains(error.text, "not UTF-8");
    ck_assert_uint_eq(bytes.length, 0);
    bytes_free(&bytes);
}

TEST(out_of_memory)
{
    json_set_alloc_funcs(malloc, free); // so that Jansson's allocations fail too
    json_watch();
    for (size_t n = 1;; n++) {
        Bytes bytes = {0};
        failing_malloc_at(n);
        Writer out = writer_start(&bytes, NULL);
        json_write(&out, example(), JSON_COMPACT);
        Status status = writer_end(&out);
        bool failed = failing_malloc_stop();
        ck_assert(failed == (status != STATUS_OK));
        if (!failed) ck_assert_str_eq(bytes.data, "{\"line\":3,\"scores\":[0.25,true]}");
        bytes_free(&bytes);
        if (!failed) break;
        ck_assert_uint_lt(n, 100);
    }
}

static Status parse(json_t **json, const char *text, size_t length, Error *error)
{
    return json_parse(json, text, length, "a file", "its config", error);
}

TEST(what_is_no_json)
{
    static const struct {
        const char *text;
        size_t length;
        const char *message;
    } CASES[] = {
        {"{\"a\":1,}", 8, "a file: its config is not JSON: string or '}' expected near '}', at"},
        {"{\"a\":1,\"a\":2}", 13, "duplicate object key near '\"a\"', at byte 10"},
        {"[\"a\\u0000b\"]", 12, "not JSON: a text has the character NUL, at byte 1"},
        {"{\"a\\u0000\":1}", 13, "not JSON: a text has the character NUL, at byte 1"},
        {"[1]\0", 4, "not JSON: end of file expected near"},
        {"1", 1, "not JSON: '[' or '{' expected near '1', at byte 1"},
        {"", 0, "not JSON: '[' or '{' expected near end of file, at byte 0"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        json_t *json = NULL;
        Error error = {0};
        ck_assert_int_eq(parse(&json, CASES[i].text, CASES[i].length, &error), STATUS_FORMAT);
        assert_contains(error.text, CASES[i].message);
        ck_assert_ptr_null(json);
    }
}

// Short memory is an error wherever it comes, and no value lacks a part.
TEST(out_of_memory_for_reading)
{
    static const char text[] =
        "{\"list\": [1, 2.5, null, \"a long text that is no key\", {\"key\": true}], \"key\": []}";
    json_set_alloc_funcs(malloc, free);
    json_watch();
    while (failing_malloc_next()) {
        json_t *json = NULL;
        Status status = parse(&json, text, sizeof text - 1, NULL);
        if (failing_malloc_expect(status)) {
            ck_assert_ptr_null(json);
            continue;
        }
        ck_assert_uint_eq(json_array_size(json_object_get(json, "list")), 5);
        ck_assert_uint_eq(json_array_size(json_object_get(json, "key")), 0);
        json_decref(json);
    }
}

// A list that lacks an item is none.
TEST(lists)
{
    json_t *list = json_array();
    json_append(&list, json_integer(1));
    ck_assert_uint_eq(json_array_size(list), 1);
    json_append(&list, json_string("\xFF"));
    ck_assert_ptr_null(list);
    json_append(&list, json_integer(2));
    ck_assert_ptr_null(list);
}

TEST(text)
{
    char *text = NULL;
    Error error = {0};
    assert_ok(json_text(&text, example(), JSON_COMPACT, NULL));
    ck_assert_str_eq(text, "{\"line\":3,\"scores\":[0.25,true]}");
    free(text);
    text = NULL;
    ck_assert_int_eq(json_text(&text, NULL, JSON_COMPACT, &error), STATUS_ARGUMENT);
    ck_assert_ptr_null(text);
}
