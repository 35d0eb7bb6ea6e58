#include "base/random.h"
#include "render/glyphs.h"
#include "support/suite.h"
#include "text/utf8.h"

#include <string.h>

// One label as it is shown, its glyphs joined by '|'.
static const char *show(const char *text, size_t length, size_t most, char joined[256])
{
    Spans units = {0};
    assert_ok(spans_append(&units, (Span){0, length}, NULL));
    Glyphs glyphs = {0};
    assert_ok(glyphs_set(&glyphs, (Labels){text, &units}, most, NULL));
    ck_assert_uint_eq(glyphs.labels.count, 1);
    ck_assert_uint_le(glyphs_label_width(&glyphs, 0), most);
    size_t at = 0;
    for (size_t g = 0; g < glyphs.glyphs.count; g++) {
        size_t bytes = glyphs.glyphs.items[g].end - glyphs.glyphs.items[g].begin;
        ck_assert_uint_lt(at + bytes + 2, 256);
        if (g) joined[at++] = '|';
        memcpy(joined + at, glyphs.text.data + glyphs.glyphs.items[g].begin, bytes);
        at += bytes;
    }
    joined[at] = '\0';
    glyphs_free(&glyphs);
    spans_free(&units);
    return joined;
}

TEST(one_glyph_a_place)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"cat", "c|a|t"},
        {"我们", "我|们"},
        {"x\u0303y", "x\u0303|y"},
        {"\u0303y", "\u25CC\u0303|y"}, // a mark with nothing to stand on
        {"a b\u2028\u3000", "a|\u2423|b|\u2423|\u2423"},
        {"\x1b[2J", "\uFFFD|[|2|J"}, // "clear the screen"
        {"\x07\x7f\xC2\x9B\n",
         "\uFFFD|\uFFFD|\uFFFD|\uFFFD"}, // U+009B begins a sequence as ESC [ does
        {"a\xC3", "a|\uFFFD"},
        {"\u202Eab\u202C\u2066\u200E\uFEFF\u200B", "a|b"}, // right-to-left override
        {"\u2764\uFE0F\u200D\u2764", "\u2764|\u2764"},
        {"co\u00ADop", "c|o|o|p"},
        {"\u200B", "\uFFFD"},         // nothing visible at all
        {"\u1112\u1161\u11AB", NULL}, // Hangul in parts: nothing is lost
    };
    char joined[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        show(cases[i].text, strlen(cases[i].text), 24, joined);
        if (cases[i].shown)
            ck_assert_str_eq(joined, cases[i].shown);
        else
            ck_assert_str_eq(joined, "\u1112|\u1161|\u11AB");
    }
    ck_assert_str_eq(show("a\0b", 3, 24, joined), "a|\uFFFD|b");
}

TEST(cuts_what_is_long)
{
    char joined[256];
    ck_assert_str_eq(show("abcd", 4, 4, joined), "a|b|c|d");
    ck_assert_str_eq(show("abcde", 5, 4, joined), "a|b|c|…");
    ck_assert_str_eq(show("我们走", 9, 6, joined), "我|们|走");
    ck_assert_str_eq(show("我们走", 9, 5, joined), "我|们|…"); // 2 + 2 + 1
    ck_assert_str_eq(show("我们走", 9, 4, joined), "我|…");    // 2 + 2 + 1 were 5
    ck_assert_str_eq(show("我们走", 9, 1, joined), "…");
    ck_assert_str_eq(show("e\u0301e\u0301e\u0301", 9, 2, joined), "e\u0301|…");
}

// However many marks are on a character, few are shown.
TEST(bounds_marks)
{
    enum { MARKS = 100000 };
    static char text[1 + 2 * MARKS];
    char joined[256];
    text[0] = 'e';
    for (size_t i = 0; i < MARKS; i++) memcpy(text + 1 + 2 * i, "\u0301", 2);
    ck_assert_uint_eq(strlen(show(text, 1 + 2 * MARKS, 4, joined)), 1 + 2 * 30);
    ck_assert_uint_eq(strlen(show(text + 1, 2 * MARKS, 4, joined)), 3 + 2 * 30);
    text[1 + 2 * 31] = 'x'; // the 31st mark is left out, and the next character has its own
    ck_assert_uint_eq(strlen(show(text, 1 + 2 * 31 + 1, 4, joined)), 1 + 2 * 30 + 2);
}

TEST(several_labels)
{
    Spans units = {0};
    const char *text = "ab \u0303c 我";
    assert_ok(units_split(&units, UNITS_WORDS, text, strlen(text), NULL));
    Glyphs glyphs = {0};
    for (int again = 0; again < 2; again++) {
        assert_ok(glyphs_set(&glyphs, (Labels){text, &units}, 24, NULL));
        ck_assert_uint_eq(glyphs.labels.count, 3);
        ck_assert_uint_eq(glyphs.labels.items[1].begin,
                          2); // the mark did not join the "b" of another label
        ck_assert_uint_eq(glyphs.labels.items[1].end, 4);
        ck_assert_uint_eq(glyphs_label_width(&glyphs, 1), 2);
        ck_assert_uint_eq(glyphs_label_width(&glyphs, 2), 2);
    }
    units.count = 0;
    assert_ok(glyphs_set(&glyphs, (Labels){"", &units}, 24, NULL));
    ck_assert_uint_eq(glyphs.labels.count, 0);
    glyphs_free(&glyphs);
    spans_free(&units);
}

// Whatever the bytes, nothing comes out that steers a terminal, and no label is too wide or empty.
TEST(random_bytes)
{
    Random random = random_from(11, 0);
    for (int round = 0; round < 3000; round++) {
        char bytes[40], joined[256];
        size_t length = 1 + random_below(&random, sizeof bytes - 1);
        for (size_t i = 0; i < length;) { // half raw bytes, half characters of the first planes
            char encoded[4];
            size_t size = 1;
            encoded[0] = (char)random_below(&random, 256);
            if (random_below(&random, 2))
                size = utf8_encode((uint32_t)random_below(&random, 0x20000), encoded);
            for (size_t j = 0; j < size && i < length; j++) bytes[i++] = encoded[j];
        }
        show(bytes, length, 1 + random_below(&random, 24), joined);
        ck_assert(joined[0] != '\0');
        for (size_t at = 0, size = strlen(joined); at < size;) {
            uint32_t code_point;
            bool valid;
            at += utf8_decode(joined + at, size - at, &code_point, &valid);
            ck_assert(valid && !utf8_is_control(code_point) && !utf8_is_space(code_point));
        }
    }
}
