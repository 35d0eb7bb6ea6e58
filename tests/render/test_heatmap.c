#include "render/pictures.h"
#include "support/label_pair.h"
#include "support/suite.h"
#include "text/utf8.h"

#include <math.h>
#include <string.h>

// The picture of two texts, cut into words, or into characters where they are Han.
static void draw(const float *weights, const char *source, const char *target, HeatmapStyle style,
                 size_t columns, Bytes *out)
{
    LabelPair pair;
    label_pair_set(&pair, source, target);
    Picture picture = {weights, pair.source, pair.target};
    Writer writer = writer_start(out, NULL);
    heatmap_write(&writer, &picture, style, columns);
    assert_ok(writer_end(&writer));
    label_pair_free(&pair);
}

TEST(shades)
{
    const float weights[2 * 2] = {0.7F, 0.3F, 0, 1};
    Bytes out = {0};
    draw(weights, "le chat", "the cat", HEATMAP_SHADES, 0, &out);
    ck_assert_str_eq(out.data, "         c\n"
                               "         h\n"
                               "      l  a\n"
                               "      e  t\n"
                               "the │▓▓▓░░░│\n"
                               "cat │   ███│\n");
    bytes_free(&out);
}

TEST(wide_characters_line_up)
{
    const float weights[3 * 3] = {1, 0, 0, 0, 0, 1, 0, 0.5F, 0.5F};
    Bytes out = {0};
    draw(weights, "我 爱猫", "I cats love", HEATMAP_SHADES, 0, &out);
    ck_assert_str_eq(out.data, "      我 爱 猫\n"
                               "   I │███      │\n"
                               "cats │      ███│\n"
                               "love │   ▒▒▒▒▒▒│\n");
    bytes_clear(&out);
    // and down the side, a narrow label among wide ones
    draw(weights, "a b c", "我也x", HEATMAP_SHADES, 0, &out);
    ck_assert_str_eq(out.data, "     a  b  c\n"
                               "我 │███      │\n"
                               "也 │      ███│\n"
                               " x │   ▒▒▒▒▒▒│\n");
    bytes_free(&out);
}

TEST(colours)
{
    const float weights[1 * 2] = {0, 1};
    Bytes out = {0};
    draw(weights, "a b", "c", HEATMAP_TRUECOLOR, 0, &out);
    ck_assert_str_eq(out.data, "   a  b\n"
                               "c \x1b[48;2;16;20;72m   \x1b[48;2;250;226;70m   \x1b[0m\n");
    bytes_clear(&out);
    draw(weights, "a b", "c", HEATMAP_256, 0, &out);
    ck_assert_str_eq(out.data, "   a  b\n"
                               "c \x1b[48;5;17m   \x1b[48;5;221m   \x1b[0m\n");
    bytes_free(&out);
}

TEST(goes_on_below)
{
    const float weights[1 * 5] = {1, 0, 0, 0, 1};
    Bytes out = {0};
    // "x │" and "│" take 4, so 10 columns have room for two of three cells
    draw(weights, "a b c d e", "x", HEATMAP_SHADES, 10, &out);
    ck_assert_str_eq(out.data, "    a  b\n"
                               "x │███   │\n"
                               "\n"
                               "    c  d\n"
                               "x │      │\n"
                               "\n"
                               "    e\n"
                               "x │███│\n");
    // one more column is no more room, 13 is; and a terminal too narrow for anything still shows
    // one at a time
    size_t blocks[][2] = {{11, 3}, {12, 3}, {13, 2}, {18, 2}, {19, 1}, {1, 5}, {7, 5}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        bytes_clear(&out);
        draw(weights, "a b c d e", "x", HEATMAP_SHADES, blocks[i][0], &out);
        size_t found = 1;
        for (const char *at = out.data; (at = strstr(at, "\n\n")); at++) found++;
        ck_assert_msg(found == blocks[i][1], "%zu columns: %zu blocks", blocks[i][0], found);
    }
    bytes_free(&out);
}

// No line is wider than the terminal, escape sequences not counted.
TEST(keeps_to_the_width)
{
    float weights[3 * 20];
    for (size_t i = 0; i < 3 * 20; i++) weights[i] = (float)i / 60;
    for (size_t columns = 12; columns < 100; columns++)
        for (int style = HEATMAP_TRUECOLOR; style <= HEATMAP_SHADES; style++) {
            Bytes out = {0};
            draw(weights, "a bb ccc d e f g h i j k l m n o p q r s t",
                 "a averyveryverylongwordthatmustbecutsomewhere 我们", (HeatmapStyle)style, columns,
                 &out);
            size_t width = 0;
            for (size_t at = 0; at < out.length;) {
                uint32_t code_point;
                at += utf8_decode(out.data + at, out.length - at, &code_point, NULL);
                if (code_point == 0x1b)
                    at += strcspn(out.data + at, "m") + 1;
                else
                    width = code_point == '\n' ? 0 : width + (size_t)utf8_width(code_point);
                ck_assert_msg(width <= columns, "a line of more than %zu columns", columns);
            }
            assert_contains(out.data, "…");
            bytes_free(&out);
        }
}

TEST(labels_cannot_steer)
{
    const float weights[1] = {NAN}; // shown as nothing
    Bytes out = {0};
    draw(weights, "\x1b]0;x\x07", "\x1b[2J\u202E", HEATMAP_SHADES, 80, &out);
    ck_assert_ptr_null(strchr(out.data, '\x1b'));
    ck_assert_ptr_null(strchr(out.data, '\x07'));
    ck_assert_ptr_null(strstr(out.data, "\u202E"));
    assert_contains(out.data, "\uFFFD[2J │   │\n");
    bytes_free(&out);
}

TEST(empty_sides)
{
    Bytes out = {0};
    assert_ok(bytes_append_string(&out, "before", NULL));
    draw(NULL, "", "a", HEATMAP_TRUECOLOR, 80, &out);
    draw(NULL, "a", "", HEATMAP_SHADES, 80, &out);
    draw(NULL, "", "", HEATMAP_256, 0, &out);
    ck_assert_str_eq(out.data, "before");
    bytes_free(&out);
}
