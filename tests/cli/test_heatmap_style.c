#define _GNU_SOURCE
#include "cli/terminal.h"

#include "support/label_pair.h"
#include "support/suite.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int terminal; // one end of a pseudo-terminal

static void set(const char *name, const char *value)
{
    ck_assert_int_eq(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

/* A picture as it is shown on a descriptor, or as it should be. */
static void draw(Bytes *out, int descriptor, const HeatmapStyle *style, size_t columns)
{
    const float weights[2] = {0.7F, 0.3F};
    LabelPair pair;
    label_pair_set(&pair, "le chat", "cat");
    const Picture picture = {weights, pair.source, pair.target};
    Writer writer = writer_start(out, NULL);
    if (style)
        heatmap_write(&writer, &picture, *style, columns);
    else
        terminal_heatmap(&writer, &picture, descriptor);
    assert_ok(writer_end(&writer));
    label_pair_free(&pair);
}

static void expect_style(int descriptor, HeatmapStyle style, size_t columns)
{
    Bytes shown = {0}, expected = {0};
    draw(&shown, descriptor, NULL, 0);
    draw(&expected, descriptor, &style, columns);
    ck_assert_str_eq(shown.data, expected.data);
    bytes_free(&shown);
    bytes_free(&expected);
}

static void expect(const char *term, const char *more, const char *no_color, HeatmapStyle expected)
{
    set("TERM", term);
    set("COLORTERM", more);
    set("NO_COLOR", no_color);
    expect_style(terminal, expected, 80);
    int nowhere = open("/dev/null", O_WRONLY); // where no terminal is there are no colours
    expect_style(nowhere, HEATMAP_SHADES, 0);
    close(nowhere);
}

TEST(styles)
{
    int other = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(other >= 0 && grantpt(other) == 0 && unlockpt(other) == 0);
    terminal = open(ptsname(other), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(terminal, 0);

    expect("xterm-256color", "truecolor", NULL, HEATMAP_TRUECOLOR);
    expect("xterm", "24bit", "", HEATMAP_TRUECOLOR); // an empty NO_COLOR says nothing
    expect("xterm-direct", NULL, NULL, HEATMAP_TRUECOLOR);
    expect("xterm-256color", NULL, NULL, HEATMAP_256);
    expect("screen.xterm-256color", "yes", NULL, HEATMAP_256);
    expect("xterm", NULL, NULL, HEATMAP_SHADES);
    expect("linux", "", NULL, HEATMAP_SHADES);
    expect("dumb", "truecolor", NULL, HEATMAP_SHADES);
    expect(NULL, "truecolor", NULL, HEATMAP_SHADES);
    expect("xterm-256color", "truecolor", "1", HEATMAP_SHADES);

    close(terminal);
    close(other);
}
