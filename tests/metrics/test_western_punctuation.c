#include "metrics/tokenizer.h"
#include "support/suite.h"

#include <stdbool.h>
#include <string.h>

static void expect_split(const char *text, const char *expected)
{
    Bytes line = {0};
    assert_ok(bytes_append_string(&line, text, NULL));
    assert_ok(western_punctuation_split(&line, NULL));
    ck_assert_str_eq(line.data, expected);
    ck_assert_uint_eq(line.length, strlen(expected));
    bytes_free(&line);
}

TEST(each_rule)
{
    expect_split("a+b", "a + b");   // 1
    expect_split("'-", "'-");       // the signs left out of it
    expect_split("a.5", "a  .  5"); // 2, and 3, as a space follows the point then
    expect_split("5.a", "5 . a");   // 3
    expect_split("5.5", "5.5");
    expect_split("5-5", "5 - 5"); // 4
    expect_split("a-5", "a-5");
}

TEST(rule_1_takes_all_ascii_signs_but_four)
{
    for (char c = '!'; c <= '~'; c++) {
        bool letter_or_digit =
            (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (letter_or_digit || strchr(".,", c)) continue;
        char text[] = {'x', c, 'y', '\0'}, split[] = {'x', ' ', c, ' ', 'y', '\0'};
        expect_split(text, strchr("'-", c) ? text : split);
    }
}

TEST(ends_have_no_neighbour)
{
    expect_split("5.", "5.");
    expect_split(".5", ".5");
    expect_split(".", ".");
    expect_split("", "");
}
