#include "base/random.h"
#include "support/failing_malloc.h"
#include "support/suite.h"
#include "text/normalise.h"
#include "text/utf8.h"

#include <string.h>

static void check_normal_form(const char *text, size_t length, const char *expected,
                              size_t expected_length, size_t expected_invalid)
{
    Bytes out = {0};
    size_t invalid = 99;
    assert_ok(normalise(&out, text, length, &invalid, NULL));
    ck_assert_uint_eq(out.length, expected_length);
    ck_assert_mem_eq(out.data, expected, expected_length + 1); // with the NUL behind it
    ck_assert_uint_eq(invalid, expected_invalid);
    bytes_free(&out);
}

#define CHECK_NORMAL_FORM(text, expected, invalid)                                                 \
    check_normal_form(text, sizeof(text) - 1, expected, sizeof(expected) - 1, invalid)

TEST(white_space)
{
    CHECK_NORMAL_FORM("", "", 0);
    CHECK_NORMAL_FORM("  \t\r\n ", "", 0);
    CHECK_NORMAL_FORM("a b", "a b", 0);
    CHECK_NORMAL_FORM("  a \t\n b  ", "a b", 0);
    CHECK_NORMAL_FORM("\xC2\xA0prix\xE2\x80\xAF:\xE3\x80\x80\xE4\xB8\xAD\xE2\x80\xA8",
                      "prix : \xE4\xB8\xAD", 0);
    CHECK_NORMAL_FORM("a\xE2\x80\x8B"
                      "b",
                      "a\xE2\x80\x8B"
                      "b",
                      0); // U+200B is not white space
}

TEST(every_space_is_one_space)
{
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        if (!utf8_is_space(c)) continue;
        char text[6] = "a";
        size_t length = 1 + utf8_encode(c, text + 1);
        text[length++] = 'b';
        check_normal_form(text, length, "a b", 3, 0);
    }
}

TEST(composition)
{
    CHECK_NORMAL_FORM("e\xCC\x81", "\xC3\xA9", 0);
    CHECK_NORMAL_FORM("\xC3\xA9", "\xC3\xA9", 0);
    CHECK_NORMAL_FORM("\xE2\x84\xAB", "\xC3\x85", 0); // U+212B → U+00C5
    CHECK_NORMAL_FORM("\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", "\xED\x95\x9C", 0); // Hangul
    CHECK_NORMAL_FORM("q\xCC\x87\xCC\xA3", "q\xCC\xA3\xCC\x87", 0);   // ordered by class
    CHECK_NORMAL_FORM("s\xCC\x87\xCC\xA3", "\xE1\xB9\xA9", 0);        // U+1E69, two marks
    CHECK_NORMAL_FORM("\xE0\xA5\x98", "\xE0\xA4\x95\xE0\xA4\xBC", 0); // excluded from composition
    CHECK_NORMAL_FORM("\xEF\xAC\x81", "\xEF\xAC\x81", 0); // a compatibility ligature stays
    CHECK_NORMAL_FORM("\xCC\x81", "\xCC\x81", 0);         // a mark with nothing before it
    CHECK_NORMAL_FORM(" \xCC\x81", "\xCC\x81", 0);
    CHECK_NORMAL_FORM("a \xCC\x81", "a \xCC\x81", 0); // a space does not compose
}

TEST(invalid_parts)
{
    CHECK_NORMAL_FORM("a\xFF"
                      "b",
                      "a\xEF\xBF\xBD"
                      "b",
                      1);
    CHECK_NORMAL_FORM("\xE4\xB8", "\xEF\xBF\xBD", 1);
    CHECK_NORMAL_FORM("\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 3);
    CHECK_NORMAL_FORM("\xEF\xBF\xBD", "\xEF\xBF\xBD", 0); // spelt out, so valid
}

TEST(nul_is_text)
{
    CHECK_NORMAL_FORM("a\0b", "a\0b", 0);
    CHECK_NORMAL_FORM("\0", "\0", 0);
}

TEST(replaces_what_is_there)
{
    Bytes out = {0};
    assert_ok(bytes_append_string(&out, "something long before", NULL));
    assert_ok(normalise(&out, "x", 1, NULL, NULL));
    ck_assert_str_eq(out.data, "x");
    assert_ok(normalise(&out, NULL, 0, NULL, NULL));
    ck_assert_str_eq(out.data, "");
    bytes_free(&out);
}

/* Runs of marks as long as a text are put in order in linear time: classes 230 and 220 in turn
 * become all of 220, then all of 230. */
TEST(long_runs_of_marks)
{
    enum { PAIRS = 100000 };
    Bytes text = {0}, out = {0};
    assert_ok(bytes_append_string(&text, "q", NULL));
    assert_ok(bytes_reserve(&text, 1 + 4 * PAIRS, NULL));
    for (int i = 0; i < PAIRS; i++) bytes_append_string(&text, "\xCC\x87\xCC\xA3", NULL);
    assert_ok(normalise(&out, text.data, text.length, NULL, NULL));
    ck_assert_uint_eq(out.length, text.length);
    size_t faults = 0; // one assertion for all: each of them writes to a file
    for (size_t i = 0; i < PAIRS; i++) {
        faults += memcmp(out.data + 1 + 2 * i, "\xCC\xA3", 2) != 0;
        faults += memcmp(out.data + 1 + 2 * (PAIRS + i), "\xCC\x87", 2) != 0;
    }
    ck_assert_uint_eq(faults, 0);
    bytes_free(&text);
    bytes_free(&out);
}

// A random text of letters, marks of many classes, Hangul parts, spaces, anything, and bytes that
// are not UTF-8.
static void random_text(Random *random, Bytes *text)
{
    static const uint32_t ranges[][2] = {{0x20, 0x7E},     {0x300, 0x36F},    {0x1100, 0x11FF},
                                         {0xC0, 0x24F},    {0x5B0, 0x5EA},    {0x900, 0x9FF},
                                         {0x1E00, 0x1FFF}, {0x2000, 0x206F},  {0, 0x10FFFF},
                                         {0xAC00, 0xAC40}, {0x1D15E, 0x1D1C0}};
    bytes_clear(text);
    size_t count = random_below(random, 24);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *range = ranges[random_below(random, sizeof ranges / sizeof ranges[0])];
        char bytes[4];
        uint32_t c = range[0] + (uint32_t)random_below(random, range[1] - range[0] + 1);
        size_t length = utf8_encode(c, bytes);
        if (!random_below(random, 30)) bytes[random_below(random, length)] = (char)0xE1;
        assert_ok(bytes_append(text, bytes, length, NULL));
    }
}

TEST(idempotent)
{
    Random random = random_from(11, 0);
    Bytes text = {0}, once = {0}, twice = {0};
    for (int round = 0; round < 8000; round++) {
        random_text(&random, &text);
        size_t invalid = 1;
        assert_ok(normalise(&once, text.data, text.length, NULL, NULL));
        assert_ok(normalise(&twice, once.data, once.length, &invalid, NULL));
        ck_assert_uint_eq(invalid, 0);
        ck_assert_uint_eq(once.length, twice.length);
        ck_assert_mem_eq(once.data, twice.data, once.length);
    }
    bytes_free(&text);
    bytes_free(&once);
    bytes_free(&twice);
}

// Characters that take more room decomposed, marks in the wrong order: every step needs memory.
TEST(out_of_memory)
{
    static const char *const texts[] = {"a b", "\u01d5\u01d5\u01d5\u01d5\u01d5\u01d5\u01d5\u01d5",
                                        "a\u0323\u0301\u0323 b"};
    for (size_t i = 0; i < 3; i++)
        while (failing_malloc_next()) {
            Bytes out = {0};
            Status status = normalise(&out, texts[i], strlen(texts[i]), NULL, NULL);
            if (!failing_malloc_expect(status)) ck_assert_uint_ge(out.length, 3);
            bytes_free(&out);
        }
}
