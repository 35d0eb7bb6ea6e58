#include "render/pictures.h"

#include "render/colour_map.h"
#include "render/glyphs.h"

enum {
    CELL = 3,       // columns of the terminal for a column of the picture
    MAX_LABEL = 24, // columns of a target's label, rows of a source's
    MIN_LABEL = 4,  // a target's label is not cut below that, however narrow the terminal
};

// Keeps blanks back until something visible follows, so that no line ends in one.
typedef struct Pen {
    Writer *out;
    size_t blanks;
} Pen;

typedef struct Heatmap {
    const float *weights; // (target labels, source labels)
    Glyphs source;
    Glyphs target;
    size_t label_width; // of the widest target label
    HeatmapStyle style;
} Heatmap;

static void pen_write(Pen *pen, const char *text, size_t length)
{
    writer_repeat(pen->out, " ", pen->blanks);
    writer_bytes(pen->out, text, length);
    pen->blanks = 0;
}

static void pen_string(Pen *pen, const char *text)
{
    pen_write(pen, text, strlen(text));
}

static void pen_newline(Pen *pen)
{
    pen->blanks = 0;
    pen_write(pen, "\n", 1);
}

static void write_glyphs(Pen *pen, const Glyphs *glyphs, Span numbers)
{
    const TextView text = glyphs_text(glyphs, numbers);
    pen_write(pen, text.data, text.length);
}

// Columns of the terminal left of the matrix: label, space and, without colours, the frame.
static size_t margin(const Heatmap *map)
{
    return map->label_width + 1 + (map->style == HEATMAP_SHADES);
}

// The source labels begin … end-1, written downwards, their last glyphs on one line.
static void write_header(Pen *pen, const Heatmap *map, size_t begin, size_t end)
{
    const Spans *labels = &map->source.labels;
    size_t depth = 0;
    for (size_t s = begin; s < end; s++) {
        size_t length = span_length(labels->items[s]);
        if (length > depth) depth = length;
    }
    for (size_t left = depth; left > 0; left--) { // lines down to the matrix
        pen->blanks = margin(map);
        for (size_t s = begin; s < end; s++) {
            if (span_length(labels->items[s]) < left) {
                pen->blanks += CELL;
                continue;
            }
            size_t glyph = labels->items[s].end - left;
            size_t width = glyphs_width(&map->source, glyph);
            size_t before = width < CELL ? (CELL - width) / 2 : 0;
            pen->blanks += before;
            write_glyphs(pen, &map->source, (Span){glyph, glyph + 1});
            if (before + width < CELL) pen->blanks = CELL - before - width;
        }
        pen_newline(pen);
    }
}

static void write_cell(Pen *pen, HeatmapStyle style, float weight)
{
    if (style == HEATMAP_SHADES) {
        for (int i = 0; i < CELL; i++) pen_string(pen, colour_map_shade(weight));
        return;
    }
    Colour colour = colour_map(weight);
    pen_string(pen, ""); // the blanks before it
    if (style == HEATMAP_256)
        writer_format(pen->out, "\x1b[48;5;%dm%*s", colour_map_256(weight), CELL, "");
    else
        writer_format(pen->out, "\x1b[48;2;%d;%d;%dm%*s", colour.red, colour.green, colour.blue,
                      CELL, "");
}

// A target's line: its label, then its weights for the source labels begin … end-1.
static void write_row(Pen *pen, const Heatmap *map, size_t target, size_t begin, size_t end)
{
    const char *frame = map->style == HEATMAP_SHADES ? "│" : "";
    pen->blanks = map->label_width - glyphs_label_width(&map->target, target);
    write_glyphs(pen, &map->target, map->target.labels.items[target]);
    pen->blanks = 1;
    pen_string(pen, frame);
    for (size_t s = begin; s < end; s++)
        write_cell(pen, map->style, map->weights[target * map->source.labels.count + s]);
    pen_string(pen, map->style == HEATMAP_SHADES ? frame : "\x1b[0m");
    pen_newline(pen);
}

static void write_blocks(Pen *pen, const Heatmap *map, size_t columns)
{
    size_t sources = map->source.labels.count, targets = map->target.labels.count;
    if (targets == 0) return;
    // as many columns of the picture as the terminal has room for, at least one
    size_t taken = margin(map) + (map->style == HEATMAP_SHADES), step = sources;
    if (columns) step = columns > taken + CELL ? (columns - taken) / CELL : 1;
    for (size_t begin = 0; begin < sources && !pen->out->status; begin += step) {
        size_t end = step < sources - begin ? begin + step : sources;
        if (begin) pen_newline(pen);
        write_header(pen, map, begin, end);
        for (size_t t = 0; t < targets; t++) write_row(pen, map, t, begin, end);
    }
}

void heatmap_write(Writer *out, const Picture *picture, HeatmapStyle style, size_t columns)
{
    size_t max_width = columns && columns / 3 < MAX_LABEL ? columns / 3 : MAX_LABEL;
    if (max_width < MIN_LABEL) max_width = MIN_LABEL;
    Heatmap map = {.weights = picture->weights, .style = style};
    if (!out->status) out->status = glyphs_set(&map.source, picture->source, MAX_LABEL, out->error);
    if (!out->status) out->status = glyphs_set(&map.target, picture->target, max_width, out->error);
    map.label_width = glyphs_widest_label(&map.target);
    Pen pen = {.out = out};
    if (!out->status) write_blocks(&pen, &map, columns);
    glyphs_free(&map.source);
    glyphs_free(&map.target);
}
