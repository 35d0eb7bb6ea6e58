#include "render/svg.h"

#include "render/glyphs.h"
#include "render/markup.h"
#include "render/ramp.h"

#include <stdio.h>
#include <string.h>

// in px but for MAX_LABEL
enum {
    CELL = 24,
    COLUMN = 8,       // what a column of a terminal takes at 13 px, generously
    LINE = 16,        // from one upright character to the next
    GAP = 6,          // between a label and the matrix
    MARGIN = 12,      // around everything, and between pictures
    LEGEND = 34,      // height of the strip that tells the colours
    LEGEND_BAR = 120, // its length
    MAX_LABEL = 32,   // columns of a terminal; longer labels are cut
};

// Text at 45° needs so much of its length in either direction.
#define SLANT 0.7072

// A picture being drawn: writes until something fails.
typedef struct Pen {
    Bytes *out;
    Status status;
    Error *error;
    const float *weights; // (target labels, source labels)
    Glyphs source;
    Glyphs target;
    size_t left, top;     // of the matrix
    size_t right, bottom; // of the whole picture
} Pen;

#define pen_format(pen, ...)                                                                       \
    do {                                                                                           \
        if (!(pen)->status)                                                                        \
            (pen)->status = bytes_append_format((pen)->out, (pen)->error, __VA_ARGS__);            \
    } while (0)

static void pen_text(Pen *pen, const char *text, size_t length)
{
    if (!pen->status) pen->status = markup_text(pen->out, text, length, pen->error);
}

static void pen_glyphs(Pen *pen, const Glyphs *glyphs, size_t begin, size_t end)
{
    size_t first = glyphs->glyphs.begins[begin];
    pen_text(pen, glyphs->text.data + first, glyphs->glyphs.ends[end - 1] - first);
}

static void pen_label(Pen *pen, const Glyphs *glyphs, size_t label)
{
    pen_glyphs(pen, glyphs, glyphs->labels.begins[label], glyphs->labels.ends[label]);
}

// Whether a source label stands upright: one character alone, or one that is wide among several.
static bool is_upright(const Glyphs *glyphs, size_t label)
{
    size_t begin = glyphs->labels.begins[label], end = glyphs->labels.ends[label];
    if (end - begin == 1) return true;
    for (size_t g = begin; g < end; g++)
        if (glyphs_width(glyphs, g) > 1) return true;
    return false;
}

static size_t slanted_extent(const Glyphs *glyphs, size_t label)
{
    return (size_t)((double)(glyphs_label_width(glyphs, label) * COLUMN) * SLANT) + LINE / 2;
}

// Where the matrix begins and the picture ends.
static void measure(Pen *pen, size_t top)
{
    size_t header = 0, widest = 0, sources = pen->source.labels.count;
    for (size_t t = 0; t < pen->target.labels.count; t++) {
        size_t width = glyphs_label_width(&pen->target, t) * COLUMN;
        if (width > widest) widest = width;
    }
    pen->left = MARGIN + widest + GAP;
    pen->right = pen->left + sources * CELL;
    for (size_t s = 0; s < sources; s++) {
        const Units *labels = &pen->source.labels;
        size_t height = (labels->ends[s] - labels->begins[s]) * LINE;
        if (!is_upright(&pen->source, s)) {
            height = slanted_extent(&pen->source, s);
            size_t right = pen->left + s * CELL + CELL / 2 + height;
            if (right > pen->right) pen->right = right;
        }
        if (height > header) header = height;
    }
    pen->top = top + header + GAP;
    pen->bottom = pen->top + pen->target.labels.count * CELL;
}

static void draw_source_labels(Pen *pen)
{
    for (size_t s = 0; s < pen->source.labels.count; s++) {
        size_t x = pen->left + s * CELL + CELL / 2, y = pen->top - GAP;
        if (!is_upright(&pen->source, s)) {
            pen_format(pen, "<text transform=\"translate(%zu %zu) rotate(-45)\">", x + 4, y);
            pen_label(pen, &pen->source, s);
            pen_format(pen, "</text>\n");
            continue;
        }
        size_t begin = pen->source.labels.begins[s], end = pen->source.labels.ends[s];
        pen_format(pen, "<text class=\"u\">");
        for (size_t g = begin; g < end; g++) {
            pen_format(pen, "<tspan x=\"%zu\" y=\"%zu\">", x, y - (end - 1 - g) * LINE);
            pen_glyphs(pen, &pen->source, g, g + 1);
            pen_format(pen, "</tspan>");
        }
        pen_format(pen, "</text>\n");
    }
}

static void draw_target_labels(Pen *pen)
{
    for (size_t t = 0; t < pen->target.labels.count; t++) {
        pen_format(pen, "<text class=\"t\" x=\"%zu\" y=\"%zu\">", pen->left - GAP,
                   pen->top + t * CELL + CELL / 2 + 5);
        pen_label(pen, &pen->target, t);
        pen_format(pen, "</text>\n");
    }
}

static void draw_cell(Pen *pen, size_t t, size_t s)
{
    float weight = pen->weights[t * pen->source.labels.count + s];
    // in whole numbers, because a decimal point follows the user's locale; false for NaN
    int per_mille = weight > 0 ? weight < 1 ? (int)(weight * 1000 + 0.5F) : 1000 : 0;
    if (per_mille == 0) return;
    Colour colour = ramp_colour(weight);
    pen_format(pen, "<rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" fill=\"#%02x%02x%02x\">",
               pen->left + s * CELL, pen->top + t * CELL, CELL - 1, CELL - 1, colour.red,
               colour.green, colour.blue);
    pen_format(pen, "<title>");
    pen_label(pen, &pen->target, t);
    pen_format(pen, " ← ");
    pen_label(pen, &pen->source, s);
    pen_format(pen, ": %d.%03d</title></rect>\n", per_mille / 1000, per_mille % 1000);
}

static void draw(Pen *pen)
{
    size_t sources = pen->source.labels.count, targets = pen->target.labels.count;
    Colour nothing = ramp_colour(0);
    pen_format(pen, "<g>\n");
    draw_source_labels(pen);
    draw_target_labels(pen);
    pen_format(pen,
               "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%zu\" fill=\"#%02x%02x%02x\"/>\n",
               pen->left, pen->top, sources * CELL - 1, targets * CELL - 1, nothing.red,
               nothing.green, nothing.blue);
    for (size_t t = 0; t < targets; t++)
        for (size_t s = 0; s < sources && !pen->status; s++) draw_cell(pen, t, s);
    pen_format(pen, "</g>\n");
}

Status svg_add(Svg *svg, const float *weights, Labels source, Labels target, Error *error)
{
    if (source.units->count == 0 || target.units->count == 0) return STATUS_OK;
    Pen pen = {.out = &svg->body, .error = error, .weights = weights};
    size_t before = svg->body.length;
    pen.status = glyphs_set(&pen.source, source, MAX_LABEL, error);
    if (!pen.status) pen.status = glyphs_set(&pen.target, target, MAX_LABEL, error);
    if (!pen.status) {
        measure(&pen, svg->height + MARGIN);
        draw(&pen);
    }
    if (!pen.status) {
        if (pen.right > svg->width) svg->width = pen.right;
        svg->height = pen.bottom + MARGIN;
    } else if (svg->body.data) {
        svg->body.length = before;
        svg->body.data[before] = '\0';
    }
    glyphs_free(&pen.source);
    glyphs_free(&pen.target);
    return pen.status;
}

// The strip of all colours from 0 to 1.
static void draw_legend(Pen *pen, size_t top)
{
    enum { STOPS = 4 }; // between them the ramp is linear (render/ramp.c)
    pen_format(pen, "<linearGradient id=\"ramp\">");
    for (int i = 0; i <= STOPS; i++) {
        Colour colour = ramp_colour((float)i / STOPS);
        pen_format(pen, "<stop offset=\"%d%%\" stop-color=\"#%02x%02x%02x\"/>", i * 100 / STOPS,
                   colour.red, colour.green, colour.blue);
    }
    pen_format(pen, "</linearGradient>\n<text x=\"%d\" y=\"%zu\">0</text>\n", MARGIN, top + 11);
    pen_format(pen, "<rect x=\"%d\" y=\"%zu\" width=\"%d\" height=\"12\" fill=\"url(#ramp)\"/>\n",
               MARGIN + 12, top, LEGEND_BAR);
    pen_format(pen, "<text x=\"%d\" y=\"%zu\">1</text>\n", MARGIN + 12 + LEGEND_BAR + 5, top + 11);
}

static const char style[] =
    "<style>\n"
    "text { font: 13px system-ui, -apple-system, \"Segoe UI\", \"Noto Sans\", \"DejaVu Sans\", "
    "\"Noto Sans CJK SC\", \"PingFang SC\", \"Microsoft YaHei\", sans-serif; fill: #1d2430; }\n"
    ".u { text-anchor: middle; } .t { text-anchor: end; } .paper { fill: #ffffff; }\n"
    "@media (prefers-color-scheme: dark) { text { fill: #e6eaf0; } .paper { fill: #12161d; } }\n"
    "</style>\n";

Status svg_write(const Svg *svg, const char *title, Bytes *out, Error *error)
{
    Pen pen = {.out = out, .error = error};
    size_t legend = MARGIN + 12 + LEGEND_BAR + 12;
    size_t width = (svg->width > legend ? svg->width : legend) + MARGIN;
    size_t height = svg->height + MARGIN + LEGEND;
    pen_format(&pen,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" "
               "viewBox=\"0 0 %zu %zu\" role=\"img\" aria-labelledby=\"title\">\n"
               "<title id=\"title\">",
               width, height, width, height);
    pen_text(&pen, title, strlen(title));
    pen_format(&pen, "</title>\n%s", style);
    pen_format(&pen, "<rect class=\"paper\" width=\"%zu\" height=\"%zu\"/>\n", width, height);
    if (!pen.status && svg->body.length)
        pen.status = bytes_append(out, svg->body.data, svg->body.length, error);
    draw_legend(&pen, svg->height + MARGIN);
    pen_format(&pen, "</svg>\n");
    return pen.status;
}

void svg_free(Svg *svg)
{
    bytes_free(&svg->body);
    *svg = (Svg){0};
}
