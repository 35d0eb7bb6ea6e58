#include "base/random.h"
#include "support/failing_malloc.h"
#include "support/suite.h"
#include "text/utf8.h"

#include <stdio.h>
#include <string.h>

// Decodes a whole text and checks the code points and how many of them stand for invalid parts.
static void check_decoding(const char *text, size_t length, const uint32_t *expected, size_t count,
                           size_t invalid)
{
    size_t at = 0, found_invalid = 0;
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_lt(at, length);
        uint32_t code_point;
        bool valid;
        at += utf8_decode(text + at, length - at, &code_point, &valid);
        ck_assert_uint_eq(code_point, expected[i]);
        found_invalid += !valid;
    }
    ck_assert_uint_eq(at, length);
    ck_assert_uint_eq(found_invalid, invalid);
}

#define CHECK_DECODING(text, invalid, ...)                                                         \
    check_decoding(text, sizeof(text) - 1, (const uint32_t[]){__VA_ARGS__},                        \
                   sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), invalid)

TEST(decodes_every_length)
{
    CHECK_DECODING("a\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80", 0, 'a', 0xE9, 0x4E2D, 0x1F600);
    CHECK_DECODING("\0\x7F", 0, 0, 0x7F);
    CHECK_DECODING("\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF", 0, 0x80, 0x7FF, 0x800, 0xFFFF);
    CHECK_DECODING("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 0, 0x10000, 0x10FFFF);
    CHECK_DECODING("\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBD", 0, 0xD7FF, 0xE000, 0xFFFD);
}

// The examples of the Unicode Standard 15, section 3.9, tables 3-8 to 3-11.
TEST(maximal_subparts)
{
    const uint32_t bad = UTF8_REPLACEMENT;
    CHECK_DECODING("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", 8, bad, bad, bad, bad, bad, bad, bad,
                   bad, 0x41); // overlong
    CHECK_DECODING("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", 8, bad, bad, bad, bad, bad, bad, bad,
                   bad, 0x41); // surrogates
    CHECK_DECODING("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", 7, bad, bad, bad, bad, bad, 0x41, bad,
                   bad, 0x42); // out of range
    CHECK_DECODING("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", 4, bad, bad, bad, bad,
                   0x41); // truncated
    CHECK_DECODING("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64", 6, 0x61, bad, bad, bad,
                   0x62, bad, 0x63, bad, bad, 0x64);
}

TEST(never_reads_past_the_end)
{
    CHECK_DECODING("\xC3", 1, UTF8_REPLACEMENT);
    CHECK_DECODING("\xE4\xB8", 1, UTF8_REPLACEMENT);
    CHECK_DECODING("\xF0\x9F\x98", 1, UTF8_REPLACEMENT);
    uint32_t code_point;
    ck_assert_uint_eq(utf8_decode("\xC3\xA9", 1, &code_point, NULL), 1);
    ck_assert_uint_eq(code_point, UTF8_REPLACEMENT);
}

TEST(encode_is_the_inverse)
{
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        char bytes[4];
        size_t length = utf8_encode(c, bytes);
        uint32_t back;
        bool valid;
        if (utf8_decode(bytes, length, &back, &valid) != length || !valid || back != c)
            ck_abort_msg("U+%04X comes back as U+%04X", (unsigned)c, (unsigned)back);
    }
}

TEST(encode_refuses_what_is_no_character)
{
    static const uint32_t none[] = {0xD800, 0xDFFF, 0x110000, UINT32_MAX};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        char bytes[4];
        ck_assert_uint_eq(utf8_encode(none[i], bytes), 3);
        ck_assert_mem_eq(bytes, "\xEF\xBF\xBD", 3);
    }
}

TEST(all_spaces)
{
    size_t spaces = 0;
    for (uint32_t c = 0; c <= 0x110000; c++) spaces += utf8_is_space(c);
    ck_assert_uint_eq(spaces, 25); // as PropList.txt counts White_Space
    static const uint32_t some[] = {' ',    '\t',   '\n',   0x0B,   '\f',   '\r',   0x85,   0xA0,
                                    0x1680, 0x2000, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) ck_assert(utf8_is_space(some[i]));
    ck_assert(!utf8_is_space(0x200B) && !utf8_is_space(0x180E) && !utf8_is_space(0xFEFF));
}

TEST(classes)
{
    ck_assert(utf8_is_letter('a') && utf8_is_letter(0xC9) && utf8_is_letter(0x4E2D));
    ck_assert(utf8_is_letter(0x301) && utf8_is_letter(0x5D0) && !utf8_is_letter('1'));
    ck_assert(!utf8_is_letter('-') && !utf8_is_letter(0x1F600) && !utf8_is_letter(UINT32_MAX));
    ck_assert(utf8_is_number('0') && utf8_is_number(0xB2) && utf8_is_number(0x0663));
    ck_assert(!utf8_is_number('a') && !utf8_is_number(0x4E00));
    ck_assert(utf8_is_word('a') && utf8_is_word('1') && utf8_is_word(0x6211) && !utf8_is_word('-'));
    ck_assert(utf8_is_in_word('a') && utf8_is_in_word('1') && utf8_is_in_word(0x200D));
    ck_assert(!utf8_is_in_word(0x6211) && !utf8_is_in_word(0x30AB) && !utf8_is_in_word('-'));
    ck_assert(utf8_has("- a", 3, utf8_is_letter) && !utf8_has("- 1", 3, utf8_is_letter));
    ck_assert_uint_eq(utf8_run_end("xéà-a", 7, 1, utf8_is_letter), 5);
    ck_assert_uint_eq(utf8_run_end("a-", 2, 1, utf8_is_letter), 1);
    const TextView text = text_view_of("été a-b我c");
    ck_assert(utf8_is_inside_word(text, 2) && utf8_is_inside_word(text, 3));
    ck_assert(!utf8_is_inside_word(text, 0) && !utf8_is_inside_word(text, 5) &&
              !utf8_is_inside_word(text, 7) && !utf8_is_inside_word(text, text.length));
    ck_assert(utf8_has_word_at(text, 0, (TextView){"été", 5}));
    ck_assert(utf8_has_word_at(text, 8, (TextView){"b", 1})); // Han has no edges
    ck_assert(!utf8_has_word_at(text, 0, (TextView){"ét", 3}));
    ck_assert(!utf8_has_word_at(text, 2, (TextView){"té", 3}));
    ck_assert(!utf8_has_word_at(text, 6, (TextView){"b", 1}));
    ck_assert(!utf8_has_word_at(text, 12, (TextView){"cd", 2}));
    ck_assert(utf8_is_control(0) && utf8_is_control(0x7F) && utf8_is_control(0x9F));
    ck_assert(utf8_is_control(0xD800) && utf8_is_control(0xFFFF) && utf8_is_control(UINT32_MAX));
    ck_assert(!utf8_is_control(' ') && !utf8_is_control(0xFFFD) && !utf8_is_control(0x200D));
    ck_assert(utf8_extends(0x301) && utf8_extends(0x200D) && utf8_extends(0xFE0F));
    ck_assert(!utf8_extends('a') && !utf8_extends(0x200B) && !utf8_extends(UINT32_MAX));
}

TEST(clusters)
{
    static const char *const clusters[] = {"e\u0301", "\r\n",    "👍🏽", "👨‍👩‍👧",
                                           "🇯🇵",      "5️⃣", "语"};
    for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
        char text[64];
        snprintf(text, sizeof text, "%sa", clusters[i]);
        ck_assert_uint_eq(utf8_cluster_end((TextView){text, strlen(text)}, 0), strlen(clusters[i]));
        ck_assert_uint_eq(utf8_cluster_end((TextView){text, strlen(clusters[i])}, 0),
                          strlen(clusters[i]));
    }
    ck_assert_uint_eq(utf8_cluster_end((TextView){"", 0}, 0), 0);
    ck_assert(utf8_is_picture(0x1F602) && utf8_is_picture(0x1F1EB) && utf8_is_picture(0x2600));
    ck_assert(!utf8_is_picture('5') && !utf8_is_picture(0x203C) && !utf8_is_picture(0x2139));
    ck_assert(!utf8_is_picture(0x2192) && !utf8_is_picture(UINT32_MAX));
}

TEST(han)
{
    static const uint32_t han[] = {0x3005, 0x3007,  0x3400,  0x4E00,  0x9FFF,
                                   0xF900, 0x20000, 0x2F800, 0x30000, 0x323AF};
    for (size_t i = 0; i < sizeof han / sizeof han[0]; i++) ck_assert(utf8_is_han(han[i]));
    static const uint32_t other[] = {'a',    0x3001,  0x3042,  0x30A2, 0xAC00,
                                     0xFF21, 0x1F600, 0x323B0, 0x3006, UINT32_MAX};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) ck_assert(!utf8_is_han(other[i]));
}

TEST(widths)
{
    ck_assert_int_eq(utf8_width('a'), 1);
    ck_assert_int_eq(utf8_width(0xE9), 1);
    ck_assert_int_eq(utf8_width(0x301), 0);
    ck_assert_int_eq(utf8_width(0x4E2D), 2);
    ck_assert_int_eq(utf8_width(0xFF01), 2);
    ck_assert_int_eq(utf8_width(0x1F600), 2);
    size_t faults = 0; // one assertion for all: each of them writes to a file
    for (uint32_t c = 0; c <= 0x110000; c++) faults += utf8_width(c) < 0 || utf8_width(c) > 2;
    ck_assert_uint_eq(faults, 0);
    const char text[] = "e\xCC\x81t\xC3\xA9 \xE4\xB8\xAD\t\xFF"; // 1+0+1+1+1+2+1+1
    ck_assert_uint_eq(utf8_text_width(text, sizeof text - 1), 8);
    ck_assert_uint_eq(utf8_text_width("", 0), 0);
}

// Any bytes at all: decoding always goes on, and decoded text encodes to text without invalid
// parts.
TEST(random_bytes)
{
    Random random = random_from(7, 1);
    for (int round = 0; round < 4000; round++) {
        char text[12], bytes[4];
        size_t length = 1 + random_below(&random, sizeof text);
        for (size_t i = 0; i < length; i++) text[i] = (char)(random_u32(&random) >> 13);
        for (size_t at = 0; at < length;) {
            uint32_t code_point;
            bool valid;
            size_t taken = utf8_decode(text + at, length - at, &code_point, &valid);
            ck_assert(taken >= 1 && taken <= length - at);
            size_t written = utf8_encode(code_point, bytes);
            if (valid) {
                ck_assert_uint_eq(written, taken);
                ck_assert_mem_eq(bytes, text + at, taken);
            } else {
                ck_assert_uint_eq(code_point, UTF8_REPLACEMENT);
                ck_assert_uint_le(taken, 3);
            }
            at += taken;
        }
    }
}

TEST(copy_by_characters)
{
    const char text[] = "a\xC3\xA9\xE4\xB8z\0\xF0\x9F\x98\x80";
    Bytes copy = {0};
    for (size_t at = 0; at < sizeof text - 1;)
        assert_ok(utf8_append(&copy, utf8_next(text, sizeof text - 1, &at), NULL));
    ck_assert_uint_eq(copy.length, sizeof text); // an invalid part of two bytes became three
    ck_assert_mem_eq(copy.data, "a\u00E9\uFFFDz\0\U0001F600", copy.length);
    bytes_free(&copy);
}

TEST(case_and_symbols)
{
    ck_assert(utf8_is_lower('a') && utf8_is_lower(0xE9) && !utf8_is_lower('A'));
    ck_assert(utf8_is_upper('A') && utf8_is_upper(0xC9) && utf8_is_upper(0x1C5)); // title case
    ck_assert(!utf8_is_upper('a') && !utf8_is_lower(0x6211) && !utf8_is_upper(0x6211));
    ck_assert(utf8_to_lower(0xC9) == 0xE9 && utf8_to_lower('a') == 'a' &&
              utf8_to_lower('1') == '1');
    ck_assert(utf8_to_title(0xE9) == 0xC9 && utf8_to_title(0x1C6) == 0x1C5); // dž, Dž
    ck_assert(utf8_is_unspaced(0x6211) && utf8_is_unspaced(0x30AB) && !utf8_is_unspaced('a'));
    ck_assert(utf8_is_symbol(0x1F600) && utf8_is_symbol(0x1F3FB) && !utf8_is_symbol('+'));
    ck_assert(utf8_is_among(0x3002, ".。") && !utf8_is_among(0, ".。") && !utf8_is_among('a', ""));
}

// As read from the beginning, in texts of any bytes.
TEST(before)
{
    static const char text[] =
        "a\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80\xE3\x80\x80\x80\xE3\x80z\x80\x80\x80\x80\x80";
    ck_assert_uint_eq(utf8_before(text, 0), 0);
    for (size_t at = 0; at < sizeof text - 1;) {
        uint32_t expected = utf8_next(text, sizeof text - 1, &at);
        ck_assert_uint_eq(utf8_before(text, at), expected);
    }
}

// ---- lower case

static void expect_lower(const char *text, const char *expected)
{
    Bytes lower = {0};
    assert_ok(utf8_append_lowercase(&lower, text, strlen(text), NULL));
    ck_assert_str_eq(lower.data ? lower.data : "", expected);
    bytes_free(&lower);
}

TEST(lowercase_letters)
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

TEST(lowercase_of_invalid_text)
{
    expect_lower("A\xff"
                 "B\xc3",
                 "a\ufffd"
                 "b\ufffd");
}

TEST(lowercase_of_nul_and_appending)
{
    Bytes lower = {0};
    assert_ok(bytes_append_string(&lower, "X", NULL));
    assert_ok(utf8_append_lowercase(&lower, "A\0B", 3, NULL));
    ck_assert_uint_eq(lower.length, 4);
    ck_assert_mem_eq(lower.data, "Xa\0b", 5);
    bytes_free(&lower);
}

TEST(other_cases_and_signs)
{
    ck_assert_uint_eq(utf8_to_upper(0xe9), 0xc9);
    ck_assert_uint_eq(utf8_to_upper('1'), '1');
    ck_assert_uint_eq(utf8_to_title(0x1c6), 0x1c5);
    ck_assert(utf8_is_apostrophe('\'') && utf8_is_apostrophe(0x2019) && !utf8_is_apostrophe('`'));
    static const uint32_t unspaced[] = {0x4e00, 0x3000, 0x30ff, 0xff00, 0xffef};
    static const uint32_t spaced[] = {'a', 0x2fff, 0x3100, 0xfeff, 0xfff0, 0x10000};
    for (size_t i = 0; i < 5; i++) ck_assert(utf8_is_unspaced(unspaced[i]));
    for (size_t i = 0; i < 6; i++) ck_assert(!utf8_is_unspaced(spaced[i]));
    ck_assert_uint_eq(utf8_run_end("12 a", 4, 0, utf8_is_number), 2);
    ck_assert_uint_eq(utf8_run_end("12", 2, 0, utf8_is_number), 2);
    ck_assert_uint_eq(utf8_run_end("12", 2, 2, utf8_is_number), 2);
    ck_assert(!utf8_is_control(0xe000) && utf8_is_control(0x378) && utf8_is_control(0x110000));
}

// Its letters need room one by one.
TEST(lowercase_out_of_memory)
{
    static const char text[] = "A LONG TEXT OF CAPITALS \u0130\u0130\u0130\u0130\u0130\u0130\u0130";
    while (failing_malloc_next()) {
        Bytes out = {0};
        Status status = utf8_append_lowercase(&out, text, sizeof text - 1, NULL);
        if (!failing_malloc_expect(status)) ck_assert_uint_eq(out.length, sizeof text - 1 + 7);
        bytes_free(&out);
    }
}

// The room for a decomposition is enough for every code point, and composing needs no more.
TEST(decompositions_fit)
{
    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        if (c == 0xd800) c = 0xe000; // surrogates are no characters
        uint32_t parts[MAX_UTF8_DECOMPOSED];
        size_t count = utf8_decompose(c, parts);
        ck_assert_msg(count >= 1 && count <= MAX_UTF8_DECOMPOSED, "U+%04X: %zu", c, count);
        size_t composed = utf8_compose(parts, count);
        ck_assert_msg(composed >= 1 && composed <= count, "U+%04X: %zu", c, composed);
    }
}
