#include "render/pictures.h"

#include "render/colour_map.h"
#include "render/glyphs.h"
#include "text/utf8.h"

// in px but for MAX_LABEL
enum {
    CELL = 24,
    COLUMN = 8,       // per terminal column at 13 px, generously
    LINE = 16,        // between upright characters
    GAP = 6,          // between a label and the matrix
    MARGIN = 12,      // around everything, and between pictures
    LEGEND = 34,      // height of the colour legend
    LEGEND_BAR = 120, // its length
    MAX_LABEL = 32,   // columns of a terminal; longer labels are cut
};

// The extent of text at 45° in either direction, per length: 1 / √2, rounded up.
#define SLANT 0.7072

// A picture being drawn.
typedef struct Drawing {
    Writer *out;
    const float *weights; // (target labels, source labels)
    Glyphs source;
    Glyphs target;
    size_t left, top;     // of the matrix
    size_t right, bottom; // of the whole picture
} Drawing;

static void write_glyphs(Writer *out, const Glyphs *glyphs, Span numbers)
{
    const TextView text = glyphs_text(glyphs, numbers);
    writer_markup(out, text.data, text.length, true);
}

static void write_label(Writer *out, const Glyphs *glyphs, size_t label)
{
    write_glyphs(out, glyphs, glyphs->labels.items[label]);
}

// Whether a source label is upright: one with a wide character.
static bool is_upright(const Glyphs *glyphs, size_t label)
{
    for (size_t g = glyphs->labels.items[label].begin; g < glyphs->labels.items[label].end; g++)
        if (glyphs_width(glyphs, g) > 1) return true;
    return false;
}

// Where the matrix begins and the picture ends.
static void measure(Drawing *drawing, size_t top)
{
    size_t header = 0, sources = drawing->source.labels.count;
    drawing->left = MARGIN + glyphs_widest_label(&drawing->target) * COLUMN + GAP;
    drawing->right = drawing->left + sources * CELL;
    for (size_t s = 0; s < sources; s++) {
        size_t height = span_length(drawing->source.labels.items[s]) * LINE;
        if (!is_upright(&drawing->source, s)) {
            size_t width = glyphs_label_width(&drawing->source, s) * COLUMN;
            height = (size_t)((double)width * SLANT) + LINE / 2;
            size_t right = drawing->left + s * CELL + CELL / 2 + height;
            if (right > drawing->right) drawing->right = right;
        }
        if (height > header) header = height;
    }
    drawing->top = top + header + GAP;
    drawing->bottom = drawing->top + drawing->target.labels.count * CELL;
}

static void draw_source_labels(Drawing *drawing)
{
    for (size_t s = 0; s < drawing->source.labels.count; s++) {
        size_t x = drawing->left + s * CELL + CELL / 2, y = drawing->top - GAP;
        if (!is_upright(&drawing->source, s)) {
            writer_format(drawing->out, "<text transform=\"translate(%zu %zu) rotate(-45)\">",
                          x + 4, y);
            write_label(drawing->out, &drawing->source, s);
            writer_format(drawing->out, "</text>\n");
            continue;
        }
        const Span label = drawing->source.labels.items[s];
        writer_format(drawing->out, "<text class=\"u\">");
        for (size_t g = label.begin; g < label.end; g++) {
            writer_format(drawing->out, "<tspan x=\"%zu\" y=\"%zu\">", x,
                          y - (label.end - 1 - g) * LINE);
            write_glyphs(drawing->out, &drawing->source, (Span){g, g + 1});
            writer_format(drawing->out, "</tspan>");
        }
        writer_format(drawing->out, "</text>\n");
    }
}

static void draw_target_labels(Drawing *drawing)
{
    for (size_t t = 0; t < drawing->target.labels.count; t++) {
        writer_format(drawing->out, "<text class=\"t\" x=\"%zu\" y=\"%zu\">", drawing->left - GAP,
                      drawing->top + t * CELL + CELL / 2 + 5);
        write_label(drawing->out, &drawing->target, t);
        writer_format(drawing->out, "</text>\n");
    }
}

static void draw_cell(Drawing *drawing, size_t t, size_t s)
{
    float weight = drawing->weights[t * drawing->source.labels.count + s];
    int per_mille = weight_per_mille(weight);
    if (per_mille == 0) return;
    writer_format(drawing->out,
                  "<rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" fill=\"%s\"><title>",
                  drawing->left + s * CELL, drawing->top + t * CELL, CELL - 1, CELL - 1,
                  colour_map_name(weight).text);
    write_label(drawing->out, &drawing->target, t);
    writer_format(drawing->out, " ← ");
    write_label(drawing->out, &drawing->source, s);
    writer_string(drawing->out, ": ");
    writer_fixed(drawing->out, per_mille / 1000.0, 3);
    writer_string(drawing->out, "</title></rect>\n");
}

static void draw(Drawing *drawing)
{
    size_t sources = drawing->source.labels.count, targets = drawing->target.labels.count;
    writer_format(drawing->out, "<g>\n");
    draw_source_labels(drawing);
    draw_target_labels(drawing);
    writer_format(drawing->out,
                  "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%zu\" fill=\"%s\"/>\n",
                  drawing->left, drawing->top, sources * CELL - 1, targets * CELL - 1,
                  colour_map_name(0).text);
    for (size_t t = 0; t < targets; t++)
        for (size_t s = 0; s < sources && !drawing->out->status; s++) draw_cell(drawing, t, s);
    writer_format(drawing->out, "</g>\n");
}

Status label_texts_add(LabelTexts *labels, TextView text, Error *error)
{
    size_t begin = labels->text.length;
    TRY(bytes_append(&labels->text, text.data, text.length, error));
    TRY(spans_append(&labels->units, (Span){begin, labels->text.length}, error));
    return bytes_append(&labels->text, " ", 1, error);
}

void label_texts_free(LabelTexts *labels)
{
    bytes_free(&labels->text);
    spans_free(&labels->units);
}

Status svg_add(Svg *svg, const Picture *picture, Error *error)
{
    if (picture->source.units->count == 0 || picture->target.units->count == 0) return STATUS_OK;
    Writer out = writer_start(&svg->body, error);
    Drawing drawing = {.out = &out, .weights = picture->weights};
    out.status = glyphs_set(&drawing.source, picture->source, MAX_LABEL, error);
    if (!out.status) out.status = glyphs_set(&drawing.target, picture->target, MAX_LABEL, error);
    if (!out.status) {
        measure(&drawing, svg->height + MARGIN);
        draw(&drawing);
    }
    if (!out.status) {
        if (drawing.right > svg->width) svg->width = drawing.right;
        svg->height = drawing.bottom + MARGIN;
    }
    glyphs_free(&drawing.source);
    glyphs_free(&drawing.target);
    return writer_end(&out);
}

// The legend: all colours from 0 to 1.
static void draw_legend(Writer *out, size_t top)
{
    enum { STOPS = 4 }; // the colour map is linear between them (render/colour_map.c)
    writer_format(out, "<linearGradient id=\"ramp\">");
    for (int i = 0; i <= STOPS; i++)
        writer_format(out, "<stop offset=\"%d%%\" stop-color=\"%s\"/>", i * 100 / STOPS,
                      colour_map_name((float)i / STOPS).text);
    writer_format(out, "</linearGradient>\n<text x=\"%d\" y=\"%zu\">0</text>\n", MARGIN, top + 11);
    writer_format(out,
                  "<rect x=\"%d\" y=\"%zu\" width=\"%d\" height=\"12\" fill=\"url(#ramp)\"/>\n",
                  MARGIN + 12, top, LEGEND_BAR);
    writer_format(out, "<text x=\"%d\" y=\"%zu\">1</text>\n", MARGIN + 12 + LEGEND_BAR + 5,
                  top + 11);
}

static const char style[] =
    "<style>\n"
    "text { font: 13px system-ui, -apple-system, \"Segoe UI\", \"Noto Sans\", \"DejaVu Sans\", "
    "\"Noto Sans CJK SC\", \"PingFang SC\", \"Microsoft YaHei\", sans-serif; fill: #1d2430; }\n"
    ".u { text-anchor: middle; } .t { text-anchor: end; } .paper { fill: #ffffff; }\n"
    "@media (prefers-color-scheme: dark) { text { fill: #e6eaf0; } .paper { fill: #12161d; } }\n"
    "</style>\n";

// Any bytes, such as a file's name: white space becomes a space, and what XML cannot hold U+FFFD.
static void write_title(Writer *out, const char *title)
{
    for (size_t at = 0, length = strlen(title); at < length && !out->status;) {
        char bytes[4];
        uint32_t code_point = utf8_next(title, length, &at);
        if (code_point == '\t' || code_point == '\n' || code_point == '\r') code_point = ' ';
        // "Char" of XML 1.0
        if (code_point < 0x20 || code_point == 0xFFFE || code_point == 0xFFFF)
            code_point = UTF8_REPLACEMENT;
        writer_markup(out, bytes, utf8_encode(code_point, bytes), true);
    }
}

void svg_write(Writer *out, const Svg *svg, const char *title)
{
    size_t legend = MARGIN + 12 + LEGEND_BAR + 12;
    size_t width = (svg->width > legend ? svg->width : legend) + MARGIN;
    size_t height = svg->height + MARGIN + (svg->no_weights ? 0 : LEGEND);
    writer_format(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" "
                  "viewBox=\"0 0 %zu %zu\" role=\"img\" aria-labelledby=\"title\">\n"
                  "<title id=\"title\">",
                  width, height, width, height);
    write_title(out, title);
    writer_format(out, "</title>\n%s", style);
    writer_format(out, "<rect class=\"paper\" width=\"%zu\" height=\"%zu\"/>\n", width, height);
    writer_bytes(out, svg->body.data, svg->body.length);
    if (!svg->no_weights) draw_legend(out, svg->height + MARGIN);
    writer_string(out, "</svg>\n");
}

void svg_free(Svg *svg)
{
    bytes_free(&svg->body);
    *svg = (Svg){0};
}
