#include "support/suite.h"
#include "text/utf8.h"

#include <string.h>

static void expect_lower(const char *text, const char *expected)
{
    Bytes lower = {0};
    ck_assert_int_eq(utf8_append_lowercase(&lower, text, strlen(text), NULL), STATUS_OK);
    ck_assert_str_eq(lower.data ? lower.data : "", expected);
    bytes_free(&lower);
}

TEST(letters)
{
    expect_lower("", "");
    expect_lower("Hello, WORLD 5!", "hello, world 5!");
    expect_lower("ÀÉÎŒÇ Straße ẞ", "àéîœç straße ß");
    expect_lower("МОСКВА ԱԲԳ ⅫⒶ", "москва աբգ ⅻⓐ");
    expect_lower("猫 日本 \u00a0", "猫 日本 \u00a0");
    expect_lower("\U00010400", "\U00010428"); // Deseret, beyond 16 bits
}

TEST(dotted_capital_i)
{
    expect_lower("İI", "i\u0307i");
}

TEST(final_sigma)
{
    expect_lower("ΟΔΟΣ ΣΟΦΟΣ", "οδος σοφος");
    expect_lower("Σ", "σ");       // nothing before
    expect_lower("ΑΣ.", "ας.");   // a point is passed over
    expect_lower("ΑΣ.Α", "ασ.α"); // and a letter follows it
    expect_lower("Α'Σ 'Σ", "α'ς 'σ");
    expect_lower("Α\u0301Σ\u0301", "α\u0301ς\u0301");
    expect_lower("1Σ 猫Σ", "1σ 猫σ"); // neither has case
    expect_lower("ΑΣΣ", "ασς");
}

TEST(invalid_text)
{
    expect_lower("A\xff"
                 "B\xc3",
                 "a\ufffd"
                 "b\ufffd");
}

TEST(nul_and_appending)
{
    Bytes lower = {0};
    ck_assert_int_eq(bytes_append_string(&lower, "X", NULL), STATUS_OK);
    ck_assert_int_eq(utf8_append_lowercase(&lower, "A\0B", 3, NULL), STATUS_OK);
    ck_assert_uint_eq(lower.length, 4);
    ck_assert_mem_eq(lower.data, "Xa\0b", 5);
    bytes_free(&lower);
}
