#include "base/status.h"
#include "support/suite.h"

#include <string.h>

TEST(sentences)
{
    ck_assert_int_eq(STATUS_OK, 0); // `if (status)` means failure
    ck_assert_str_eq(status_sentence(STATUS_OK), "done");
    ck_assert_str_eq(status_sentence(STATUS_INTERRUPTED), "stopped on request");
    ck_assert_str_eq(status_sentence((Status)12345), "unknown status");
}

TEST(error_is_filled)
{
    Error error = {0};
    ck_assert_int_eq(error_set(&error, STATUS_IO, "%s: %d", "a.tsv", 7), STATUS_IO);
    ck_assert_int_eq(error.status, STATUS_IO);
    ck_assert_str_eq(error.text, "a.tsv: 7");
    ck_assert_int_eq(error_set(NULL, STATUS_FORMAT, "nobody listens"), STATUS_FORMAT);
    ck_assert_int_eq(error_memory(&error, 123, "a kite"), STATUS_MEMORY);
    ck_assert_int_eq(error.status, STATUS_MEMORY);
    assert_contains(error.text, "123 bytes for a kite");
    ck_assert_int_eq(error_memory(&error, 0, "a kite"), STATUS_MEMORY);
    ck_assert_str_eq(error.text, "out of memory for a kite; use a smaller model, batch or corpus");
}

// What a message may quote, and what is left of it.
static const struct {
    const char *quoted, *expected;
} LINES[] = {
    {"", ""},
    {"a\nb\tc\x1b[2J\x7f", "a?b?c?[2J?"},
    {"é 清 🙂", "é 清 🙂"},
    {"\xc2\x9b"
     "31m\xc2\xa0",
     "??31m\xc2\xa0"}, // U+009B begins a terminal command; U+00A0 is a space
    {"a\u202eb\u2066\u2069\u200e\u200f\u061c\u200d", "a???b????????????\?\?\u200d"}, // Bidi_Control
    {"\xff\xfe", "??"},
    {"\xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf", "?? ??? ????"}, // longer than need be
    {"\xed\xa0\x80 \xf4\x90\x80\x80 \xf5\x80", "??? ???? ??"}, // surrogate, beyond Unicode
    {"\xed\x9f\xbf \xee\x80\x80 \xf4\x8f\xbf\xbf", "\xed\x9f\xbf \xee\x80\x80 \xf4\x8f\xbf\xbf"},
    {"caf\xe9!", "caf?!"}, // Latin-1
    {"\xe6\xb8", "??"},    // begun and not ended: nothing behind the end is read
    {"\xe6\xb8"
     "a\x80",
     "??a?"},
};

TEST(line_is_one_clean_line, .times = (int)(sizeof LINES / sizeof LINES[0]))
{
    Error error;
    memset(&error, 'x', sizeof error);
    error_set(&error, STATUS_FORMAT, "%s", LINES[_i].quoted);
    ck_assert_str_eq(error.text, LINES[_i].expected);
}

// A cut falls between characters: of every character, whole or not at all.
TEST(long_lines_are_cut, .times = 4)
{
    static const char *const CHARACTERS[] = {"a", "é", "清", "🙂"};
    const char *character = CHARACTERS[_i];
    size_t width = strlen(character);
    for (size_t before = 0; before < 5; before++) {
        char line[3000] = "";
        memset(line, 'x', before);
        while (strlen(line) + width < sizeof line) strcat(line, character);
        Error error;
        error_set(&error, STATUS_FORMAT, "%s", line);
        size_t length = strlen(error.text);
        ck_assert_uint_lt(length, ERROR_TEXT_SIZE);
        ck_assert_uint_ge(length + width, ERROR_TEXT_SIZE);
        ck_assert_uint_eq((length - before) % width, 0);
        ck_assert_mem_eq(error.text, line, length);
    }
}
