#include "render/pictures.h"

#include "base/memory.h"
#include "support/failing_malloc.h"
#include "support/label_pair.h"
#include "support/suite.h"
#include "support/xml_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Status write(const Svg *svg, const char *title, Bytes *out)
{
    Writer writer = writer_start(out, NULL);
    svg_write(&writer, svg, title);
    return writer_end(&writer);
}

static void add(Svg *svg, const float *weights, const char *source, const char *target)
{
    LabelPair pair;
    label_pair_set(&pair, source, target);
    assert_ok(svg_add(svg, &(Picture){weights, pair.source, pair.target}, NULL));
    label_pair_free(&pair);
}

// The drawing as lines of its elements (support/xml_lines.h); freed by bytes_free.
static Bytes drawn(const Svg *svg, const char *title)
{
    Bytes out = {0};
    assert_ok(write(svg, title, &out));
    Bytes lines = xml_lines(&out);
    bytes_free(&out);
    return lines;
}

TEST(one_pair)
{
    const float weights[2 * 2] = {0.75F, 0.25F, 0, 1};
    Svg svg = {0};
    add(&svg, weights, "le chat", "the cat");
    Bytes document = drawn(&svg, "one pair");
    ck_assert(xml_lines_have(&document, "svg@xmlns", "http://www.w3.org/2000/svg"));
    ck_assert(xml_lines_have(&document, "title", "one pair"));
    ck_assert(xml_lines_have(&document, "text", "le") && xml_lines_have(&document, "text", "chat"));
    ck_assert(xml_lines_have(&document, "text", "the") && xml_lines_have(&document, "text", "cat"));
    ck_assert(xml_lines_have(&document, "title", "the ← le: 0.750"));
    ck_assert(xml_lines_have(&document, "title", "the ← chat: 0.250"));
    ck_assert(xml_lines_have(&document, "title", "cat ← chat: 1.000"));
    ck_assert_uint_eq(xml_lines_count(&document, "rect"),
                      3 + 3); // paper, ground and legend; no cell for 0
    const char *width = strstr(document.data, "\nsvg@width=");
    ck_assert_ptr_nonnull(width);
    ck_assert_uint_ge(strtoul(width + strlen("\nsvg@width="), NULL, 10), svg.width + 12);
    bytes_free(&document);
    Bytes out = {0}; // the terminal's colours (tests/render/test_heatmap.c)
    assert_ok(write(&svg, "", &out));
    assert_contains(out.data, "fill=\"#101448\"/>");
    assert_contains(out.data, "fill=\"#fae246\"><title>cat");
    bytes_free(&out);
    svg_free(&svg);
}

TEST(text_is_escaped)
{
    const float weights[2] = {0.5F, 0.5F};
    Svg svg = {0};
    add(&svg, weights, "</text><script> &\"'", "]]><!--\x01");
    Bytes document = drawn(&svg, "<\"title\"> & 'more'");
    ck_assert(xml_lines_have(&document, "title", "<\"title\"> & 'more'"));
    ck_assert(xml_lines_have(&document, "text", "</text><script>") &&
              xml_lines_have(&document, "text", "&\"'"));
    ck_assert(xml_lines_have(&document, "text", "]]><!--\uFFFD"));
    ck_assert_uint_eq(xml_lines_count(&document, "script"), 0);
    bytes_free(&document);
    svg_free(&svg);
}

// Wide characters stand upright, one under the other; a word of letters stands slanted.
// A file's name in the title may be any bytes.
TEST(title)
{
    static const char *const cases[][2] = {
        {"我爱é\xF0\x9F\x98\x80", "我爱é\xF0\x9F\x98\x80"},
        {"a\tb\nc\rd", "a b c d"},
        {"\x01\x1f", "\uFFFD\uFFFD"},
        {"\xFF<\xE6\x88", "\uFFFD&lt;\uFFFD"},
        {"\xEF\xBF\xBE\xEF\xBF\xBF", "\uFFFD\uFFFD"}, // U+FFFE, U+FFFF
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Svg svg = {0};
        char expected[64];
        Bytes out = {0};
        assert_ok(write(&svg, cases[i][0], &out));
        snprintf(expected, sizeof expected, "<title id=\"title\">%s</title>", cases[i][1]);
        assert_contains(out.data, expected);
        bytes_free(&out);
    }
}

TEST(chinese)
{
    const float weights[3] = {0.2F, 0.3F, 0.5F};
    Svg svg = {0};
    add(&svg, weights, "Tom 明天 x", "猫");
    Bytes document = drawn(&svg, "中文");
    ck_assert(xml_lines_have(&document, "tspan", "明") && xml_lines_have(&document, "tspan", "天"));
    ck_assert(xml_lines_have(&document, "text", "Tom") && xml_lines_have(&document, "text", "x"));
    ck_assert(xml_lines_have(&document, "text", "猫"));
    ck_assert(xml_lines_have(&document, "title", "猫 ← 明天: 0.300"));
    bytes_free(&document);
    svg_free(&svg);
}

// Pairs stand one under the other, and one without words takes no room.
TEST(several_pairs)
{
    const float weights[2] = {1, 0};
    Svg svg = {0};
    Bytes document = drawn(&svg, "nothing");
    ck_assert_uint_eq(xml_lines_count(&document, "g"), 0);
    bytes_free(&document);
    add(&svg, NULL, "", "a");
    add(&svg, NULL, "a", "");
    ck_assert_uint_eq(svg.height, 0);
    add(&svg, weights, "a", "b");
    size_t one = svg.height, width = svg.width;
    ck_assert_uint_gt(one, 24);
    add(&svg, weights, "a", "b");
    ck_assert_uint_eq(svg.height, 2 * one);
    ck_assert_uint_eq(svg.width, width);
    add(&svg, weights, "a b", "b");
    ck_assert_uint_eq(svg.width, width + 24);
    document = drawn(&svg, "three");
    ck_assert_uint_eq(xml_lines_count(&document, "g"), 3);
    bytes_free(&document);
    svg_free(&svg);
}

TEST(large)
{
    enum { SIDE = 100 };
    Bytes words = {0};
    float *weights = memory_new(SIDE * SIDE, sizeof *weights);
    ck_assert_ptr_nonnull(weights);
    for (size_t i = 0; i < SIDE; i++) {
        assert_ok(bytes_append_format(&words, NULL, "word%zu ", i));
        weights[i * SIDE + i] = 1;
    }
    weights[1] = NAN;
    Svg svg = {0};
    add(&svg, weights, words.data, words.data);
    ck_assert_uint_gt(svg.width, SIDE * 24);
    ck_assert_uint_gt(svg.height, SIDE * 24);
    Bytes document = drawn(&svg, "large");
    ck_assert_uint_eq(xml_lines_count(&document, "rect"), SIDE + 3);
    bytes_free(&document);
    ck_assert_uint_lt(svg.body.length, 50000);
    svg_free(&svg);
    bytes_free(&words);
    memory_free(weights);
}

TEST(out_of_memory)
{
    const float weights[2] = {0.5F, 0.5F};
    LabelPair pair;
    label_pair_set(&pair, "one two", "eins");
    while (failing_malloc_next()) {
        Svg svg = {0};
        Bytes out = {0};
        Status status = svg_add(&svg, &(Picture){weights, pair.source, pair.target}, NULL);
        size_t length = svg.body.length;
        bool added = !status;
        if (!status) status = write(&svg, "title", &out);
        failing_malloc_expect(status);
        ck_assert(added || (length == 0 && svg.height == 0));
        svg_free(&svg);
        bytes_free(&out);
    }
    label_pair_free(&pair);
}
