#include "io/json_reader.h"
#include "support/suite.h"

#include <jansson.h>
#include <string.h>

static char room[256];

static JsonReader reader_of(const char *text)
{
    ck_assert_uint_le(strlen(text), sizeof room);
    return json_reader(text, strlen(text), room);
}

TEST(strings)
{
    static const struct {
        const char *text, *string;
    } cases[] = {
        {"\"\"", ""},
        {" \t\r\n\"a b\" ", "a b"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u6D77\"", "A\xC3\xA9\xE6\xB5\xB7"},
        {"\"\\ud83D\\uDE00\\uFFFF\"", "\xF0\x9F\x98\x80\xEF\xBF\xBF"},
        {"\"\xF0\x9F\x98\x80\xE6\xB5\xB7\xC3\xA9\x7F\"",
         "\xF0\x9F\x98\x80\xE6\xB5\xB7\xC3\xA9\x7F"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        JsonReader reader = reader_of(cases[i].text);
        const char *string;
        ck_assert_msg(json_reader_string(&reader, &string), "case %zu", i);
        ck_assert_str_eq(string, cases[i].string);
        ck_assert(json_reader_ended(&reader));
    }
}

TEST(broken_strings)
{
    static const char *const broken[] = {
        "\"",
        "\"a",
        "\"\\",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\u0000\"",
        "\"\\udc00\"",
        "\"\\ud800\"",
        "\"\\ud800\\n\"",
        "\"\\ud800\\ud800\"",
        "\"\n\"",
        "\"\xFF\"",
        "\"\xC3\"",
        "\"\xED\xA0\x80\"",
        "\"\xF0\x9F\x98",
        "\"\\u123",
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        JsonReader reader = reader_of(broken[i]);
        const char *string;
        ck_assert_msg(!json_reader_string(&reader, &string), "case %zu", i);
        ck_assert(reader.broken);
        ck_assert(!json_reader_string(&reader, &string));
        ck_assert(!json_reader_ended(&reader));
    }
}

TEST(integers)
{
    static const struct {
        const char *text;
        int64_t number;
    } cases[] = {
        {"0", 0},
        {" -17 ", -17},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
    };
    static const char *const broken[] = {"9223372036854775808", "-9223372036854775809", "01",
                                         "-00"};
    static const char *const others[] = {"1.0", "1e0", "1E2", "-", "", "x", "\"1\"", "[1]"};
    int64_t number;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        JsonReader reader = reader_of(cases[i].text);
        ck_assert(json_reader_integer(&reader, &number));
        ck_assert_int_eq(number, cases[i].number);
        ck_assert(json_reader_ended(&reader));
    }
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        JsonReader reader = reader_of(broken[i]);
        ck_assert(!json_reader_integer(&reader, &number));
        ck_assert_msg(reader.broken, "%s", broken[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        JsonReader reader = reader_of(others[i]);
        ck_assert(!json_reader_integer(&reader, &number));
        ck_assert_msg(!reader.broken, "%s", others[i]);
    }
}

/* Reads any nesting of objects, arrays, strings and integers; whether all of it was JSON. */
static bool read_value(JsonReader *reader)
{
    const char *string;
    int64_t number;
    if (json_reader_string(reader, &string) || json_reader_integer(reader, &number)) return true;
    if (json_reader_open(reader, '[')) {
        while (json_reader_more(reader, ']'))
            if (!read_value(reader)) return false;
    } else if (json_reader_open(reader, '{')) {
        while (json_reader_more(reader, '}'))
            if (!json_reader_name(reader, &string) || !read_value(reader)) return false;
    } else {
        return false;
    }
    return !reader->broken;
}

// Every text one byte away from JSON is taken or refused as Jansson does.
TEST(agrees_with_jansson)
{
    static const char *const texts[] = {
        "[]",
        "{}",
        "[[],{}]",
        " [ 1 , [ 2 ] ] ",
        "{\"a\":[1,\"b\"],\"c\":{\"d\":-2}}",
        "[\"\\u00e9\\n\",\"\xC3\xA9\"]",
        "{ \"k\" : { } , \"l\" : [ ] }",
    };
    static const char changes[] = "[]{},:\" \\1-x\xC3\n";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t at = 0; at < strlen(texts[i]); at++)
            for (const char *change = changes; *change; change++) {
                char text[64];
                strcpy(text, texts[i]);
                text[at] = *change;
                json_t *json = json_loads(text, 0, NULL);
                JsonReader reader = reader_of(text);
                bool read = read_value(&reader) && json_reader_ended(&reader);
                ck_assert_msg(read == (json != NULL), "%s", text);
                json_decref(json);
            }
}

// A NUL is part of no JSON, wherever it stands.
TEST(nuls)
{
    static const char *const texts[] = {"\"a\0b\"", "\"\\\0\"", "\"\\u004\0\"",
                                        "\0",       "[\0]",     "1\0"};
    static const size_t lengths[] = {5, 4, 8, 1, 3, 2};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        JsonReader reader = json_reader(texts[i], lengths[i], room);
        const char *string;
        int64_t number;
        if (json_reader_open(&reader, '[')) (void)json_reader_more(&reader, ']');
        (void)json_reader_integer(&reader, &number);
        ck_assert(!json_reader_string(&reader, &string));
        ck_assert(!json_reader_ended(&reader));
    }
}
