#include "metrics/expect_tokens.h"
#include "metrics/tokenizer.h"

TEST(is_that_of_python)
{
    static const uint32_t spaces[] = {'\t', '\n',   '\r',   0x1C,   0x1F,   ' ',    0x85,
                                      0xA0, 0x1680, 0x2000, 0x200A, 0x2028, 0x202F, 0x3000};
    static const uint32_t others[] = {0, 0x1B, 'a', 0x180E, 0x200B, 0x2060, 0xFEFF};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        ck_assert_msg(white_space_is(spaces[i]), "U+%04X", (unsigned)spaces[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!white_space_is(others[i]), "U+%04X", (unsigned)others[i]);
}

static void expect_stripped(const char *text, const char *expected)
{
    size_t length = strlen(text);
    white_space_strip(&text, &length);
    ck_assert_uint_eq(length, strlen(expected));
    ck_assert_mem_eq(text, expected, length);
}

TEST(strips)
{
    expect_stripped("", "");
    expect_stripped(" \t\u3000", "");
    expect_stripped("a", "a");
    expect_stripped("\u00a0 a  b\u3000é \n", "a  b\u3000é");
    expect_stripped(" \xff ", "\xff");
}

TEST(words)
{
    expect_tokens(white_space_words, "", "");
    expect_tokens(white_space_words, " \n ", "");
    expect_tokens(white_space_words, "a,b. c", "a,b. c");
    expect_tokens(white_space_words,
                  "\ta\u00a0\u3000b\x1c"
                  "c\n",
                  "a b c");
    expect_tokens(white_space_words, "a\0 \xff\xfe", "a\0 \ufffd\ufffd");
}

TEST(words_are_appended)
{
    Bytes line = {0};
    assert_ok(white_space_words(" a ", 3, &line, NULL));
    assert_ok(white_space_words(" b c", 4, &line, NULL));
    ck_assert_str_eq(line.data, "ab c"); // to what was there, as it is
    bytes_free(&line);
}
