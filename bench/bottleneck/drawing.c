#include "bench/bottleneck/drawing.h"

#include "bench/bottleneck/markup.h"

enum { BLEU_STEP = 20, LENGTH_STEP = 10, LEGEND_ROW = 24 };

// Where things are, in units of the picture.
typedef struct Frame {
    double width, height;
    double left, right, top, bottom; // of the field of the curves
    double longest, highest;         // what stands at its right and at its top
    double legend;                   // the middle of its first row
    size_t legend_columns;
} Frame;

/* Each line's look. The colours are the order of Okabe & Ito (2008), darkened on white and lightened on black until
 * either has a contrast of 3:1 at least. */
static const struct {
    const char *light, *dark, *dashes, *shape;
} looks[MAX_CURVE_SERIES] = {
    {"#c24a00", "#ff9a5c", "none", "M-5 -5H5V5H-5z"},
    {"#0067a8", "#6cb8ff", "none", "M-5.5 0A5.5 5.5 0 0 0 5.5 0A5.5 5.5 0 0 0 -5.5 0z"},
    {"#007a58", "#4fd6a8", "8 4", "M0 -6.5L6 5H-6z"},
    {"#a3457f", "#f2a0d2", "2 4", "M0 -7L7 0L0 7L-7 0z"},
    {"#8a6100", "#f2c14e", "10 4 2 4", "M0 6.5L6 -5H-6z"},
    {"#4b4b4b", "#d0d0d0", "5 3", "M-6 -2H-2V-6H2V-2H6V2H2V6H-2V2H-6z"},
    {"#5b4fc4", "#b9b0ff", "12 4", "M-6.5 -3H6.5V3H-6.5z"},
    {"#7a4a2a", "#d9ae8a", "3 3 8 3", "M-3 -6.5H3V6.5H-3z"},
};

static double greatest_score(const Curve *curve)
{
    double greatest = 0;
    for (size_t s = 0; s < curve->count; s++)
        for (size_t c = 0; c < LENGTH_CLASSES; c++)
            if (curve->series[s].points[c].interval.upper > greatest)
                greatest = curve->series[s].points[c].interval.upper;
    return greatest;
}

static Frame frame_of(const Curve *curve, DrawingForm form, bool captioned)
{
    Frame frame = {.width = form == DRAWING_WIDE ? 720 : 360,
                   .left = 44,
                   .legend = captioned ? 70 : 54,
                   .longest = curve_longest(curve) + 2,
                   .highest = BLEU_STEP,
                   .legend_columns = form == DRAWING_WIDE ? 5 : 2};
    size_t rows = (curve->count + frame.legend_columns - 1) / frame.legend_columns;
    frame.right = frame.width - 16;
    frame.top = frame.legend + 22 + LEGEND_ROW * (double)rows;
    frame.bottom = frame.top + (form == DRAWING_WIDE ? 300 : 260);
    frame.height = frame.bottom + 54;
    while (frame.highest < greatest_score(curve)) frame.highest += BLEU_STEP;
    return frame;
}

static double x_of(const Frame *frame, double length)
{
    return frame->left + (frame->right - frame->left) * length / frame->longest;
}

static double y_of(const Frame *frame, double bleu)
{
    return frame->bottom - (frame->bottom - frame->top) * bleu / frame->highest;
}

static void write_style(Markup *markup, const Curve *curve)
{
    markup_write(markup,
                 "<style>\n.bottleneck { --paper: #ffffff; --ink: #1d2430; --soft: #5a6474; "
                 "--grid: #dfe3e9;");
    for (size_t s = 0; s < curve->count; s++)
        markup_write(markup, " --line%zu: %s;", s, looks[s].light);
    markup_write(markup,
                 " }\n@media (prefers-color-scheme: dark) { .bottleneck { --paper: #12161d; "
                 "--ink: #e6eaf0; --soft: #a2adbd; --grid: #2c3440;");
    for (size_t s = 0; s < curve->count; s++)
        markup_write(markup, " --line%zu: %s;", s, looks[s].dark);
    markup_write(markup, " } }\n"
                         ".bottleneck text { font: 14px system-ui, \"Segoe UI\", \"DejaVu Sans\", "
                         "sans-serif; fill: var(--ink); }\n"
                         ".bottleneck .title { font-size: 17px; font-weight: 600; }\n"
                         ".bottleneck .soft { fill: var(--soft); font-size: 13px; }\n"
                         ".bottleneck .grid { stroke: var(--grid); }\n"
                         ".bottleneck .axis { stroke: var(--soft); }\n"
                         ".bottleneck .line { fill: none; stroke-width: 2.2; }\n"
                         ".bottleneck .interval { stroke-width: 1.4; opacity: .6; }\n");
    for (size_t s = 0; s < curve->count; s++)
        markup_write(markup,
                     ".bottleneck .line%zu { stroke: var(--line%zu); }\n"
                     ".bottleneck .dashed%zu { stroke-dasharray: %s; }\n"
                     ".bottleneck .point%zu { fill: var(--line%zu); stroke: var(--paper); }\n",
                     s, s, s, looks[s].dashes, s, s);
    markup_write(markup, "</style>\n");
}

static void write_axes(Markup *markup, const Curve *curve, const Frame *frame)
{
    for (int bleu = 0; bleu <= (int)frame->highest; bleu += BLEU_STEP) {
        double y = y_of(frame, bleu);
        markup_write(markup, "<path class=\"%s\" d=\"M%.1f %.1fH%.1f\"/>\n", bleu ? "grid" : "axis",
                     frame->left, y, frame->right);
        markup_write(markup,
                     "<text class=\"soft\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n",
                     frame->left - 8, y + 4.5, bleu);
    }
    for (int length = 0; length <= (int)frame->longest; length += LENGTH_STEP) {
        double x = x_of(frame, length);
        markup_write(markup, "<path class=\"axis\" d=\"M%.1f %.1fv5\"/>\n", x, frame->bottom);
        markup_write(
            markup, "<text class=\"soft\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d</text>\n",
            x, frame->bottom + 20, length);
    }
    markup_write(markup, "<text x=\"%.1f\" y=\"%.1f\">BLEU</text>\n", 16.0, frame->top - 16);
    markup_write(
        markup, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s in the source</text>\n",
        (frame->left + frame->right) / 2, frame->bottom + 42, units_kind_name(curve->unit));
}

static void write_legend(Markup *markup, const Curve *curve, const Frame *frame)
{
    double column = (frame->width - 32) / (double)frame->legend_columns;
    for (size_t s = 0; s < curve->count; s++) {
        double x = 16 + column * (double)(s % frame->legend_columns);
        double y = frame->legend + LEGEND_ROW * (double)(s / frame->legend_columns);
        markup_write(markup, "<path class=\"line line%zu dashed%zu\" d=\"M%.1f %.1fh34\"/>", s, s,
                     x, y);
        markup_write(markup,
                     "<path class=\"point%zu\" transform=\"translate(%.1f %.1f)\" d=\"%s\"/>", s,
                     x + 17, y, looks[s].shape);
        markup_write(markup, "<text x=\"%.1f\" y=\"%.1f\">", x + 42, y + 5);
        markup_text(markup, curve->series[s].name);
        markup_write(markup, "</text>\n");
    }
}

/* One scorer's line, which is broken where a class is empty, its intervals, and its points with their figures, which a
 * mouse at rest shows. */
static void write_series(Markup *markup, const Curve *curve, const Frame *frame, size_t s)
{
    const CurveSeries *series = &curve->series[s];
    bool begun = false, joined = false;
    for (size_t c = 0; c < LENGTH_CLASSES; c++) {
        if (curve->counts[c] == 0) {
            joined = false;
            continue;
        }
        if (!begun) markup_write(markup, "<path class=\"line line%zu dashed%zu\" d=\"", s, s);
        markup_write(markup, "%s%.1f %.1f", joined ? "L" : "M", x_of(frame, curve->mean_lengths[c]),
                     y_of(frame, series->points[c].bleu));
        begun = joined = true;
    }
    if (begun) markup_write(markup, "\"/>\n");
    for (size_t c = 0; c < LENGTH_CLASSES; c++) {
        if (curve->counts[c] == 0) continue;
        const CurvePoint *point = &series->points[c];
        double x = x_of(frame, curve->mean_lengths[c]);
        markup_write(markup, "<path class=\"interval line%zu\" d=\"M%.1f %.1fV%.1f\"/>", s, x,
                     y_of(frame, point->interval.lower), y_of(frame, point->interval.upper));
        markup_write(markup,
                     "<path class=\"point%zu\" transform=\"translate(%.1f %.1f)\" d=\"%s\">", s, x,
                     y_of(frame, point->bleu), looks[s].shape);
        markup_write(markup, "<title>");
        markup_text(markup, series->name);
        markup_write(markup, ", %s %s: %.1f BLEU (%.1f to %.1f)</title></path>\n",
                     length_class_name(c), units_kind_name(curve->unit), point->bleu,
                     point->interval.lower, point->interval.upper);
    }
}

Status drawing_append(const Curve *curve, DrawingForm form, const char *caption, Bytes *out,
                      Error *error)
{
    Markup markup = {.out = out, .error = error};
    Frame frame = frame_of(curve, form, caption != NULL);
    const char *unit = units_kind_name(curve->unit);
    markup_write(&markup,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"bottleneck\" width=\"%.0f\" "
                 "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
                 "aria-label=\"BLEU by the number of %s in the source\">\n",
                 frame.width, frame.height, frame.width, frame.height, unit);
    write_style(&markup, curve);
    markup_write(&markup,
                 "<rect width=\"%.0f\" height=\"%.0f\" rx=\"10\" style=\"fill: var(--paper)\"/>\n",
                 frame.width, frame.height);
    markup_write(&markup, "<text class=\"title\" x=\"16\" y=\"28\">BLEU by the length of the source"
                          "</text>\n");
    if (caption) {
        markup_write(&markup, "<text class=\"soft\" x=\"16\" y=\"48\">");
        markup_text(&markup, caption);
        markup_write(&markup, "</text>\n");
    }
    write_axes(&markup, curve, &frame);
    write_legend(&markup, curve, &frame);
    for (size_t s = 0; s < curve->count; s++) write_series(&markup, curve, &frame, s);
    markup_write(&markup, "</svg>\n");
    return markup.status;
}
