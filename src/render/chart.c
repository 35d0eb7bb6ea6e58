#include "render/chart.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 440, HEIGHT = 220, LEFT = 62, RIGHT = 14, TOP = 30, BOTTOM = 38, TICKS = 5 };

// What a chart shows of one axis, and the places of its ends.
typedef struct Axis {
    double low, high, step; // of its ticks
    int begin, end;
} Axis;

void chart_number(Writer *out, double value, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, value);
    for (char *comma = text; (comma = strchr(comma, ','));) *comma = '.';
    writer_string(out, text);
}

static void include(Axis *axis, double value)
{
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

// Ticks at 1, 2 or 5 times a power of ten.
static void choose_ticks(Axis *axis)
{
    if (!(axis->high > axis->low)) axis->high = axis->low + (axis->low > 0 ? axis->low : 1);
    double rough = (axis->high - axis->low) / TICKS, power = pow(10, floor(log10(rough)));
    double times = rough / power;
    axis->step = power * (times > 5 ? 10 : times > 2 ? 5 : times > 1 ? 2 : 1);
    axis->low = floor(axis->low / axis->step) * axis->step;
    axis->high = ceil(axis->high / axis->step) * axis->step;
}

static int place(const Axis *axis, double value)
{
    double share = (value - axis->low) / (axis->high - axis->low);
    return axis->begin + (int)lround(share * (axis->end - axis->begin));
}

static void draw_ticks(Writer *out, const Axis *axis, bool up)
{
    for (long i = 0; i <= lround((axis->high - axis->low) / axis->step); i++) {
        double value = (double)(lround(axis->low / axis->step) + i) * axis->step;
        int at = place(axis, value);
        if (up)
            writer_format(out, "<path class=\"grid\" d=\"M%d %dH%d\"/>", LEFT, at, WIDTH - RIGHT);
        writer_format(out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", up ? "up" : "across",
                      up ? LEFT - 6 : at, up ? at + 4 : HEIGHT - BOTTOM + 16);
        chart_number(out, value, 6);
        writer_string(out, "</text>");
    }
}

static void draw_line(Writer *out, const ChartLine *line, const Axis *x, const Axis *y)
{
    bool spread = false;
    for (size_t i = 0; i < line->count; i++) spread |= line->points[i].spread > 0;
    if (spread) writer_format(out, "<path class=\"band c%zu\" d=\"", line->colour % CHART_COLOURS);
    for (size_t i = 0; i < 2 * line->count && spread; i++) {
        bool back = i >= line->count;
        const ChartPoint *point = &line->points[back ? 2 * line->count - 1 - i : i];
        writer_format(out, "%c%d %d", i ? 'L' : 'M', place(x, point->x),
                      place(y, point->y + (back ? -point->spread : point->spread)));
    }
    writer_format(out, "%s<path class=\"line%s c%zu\" d=\"", spread ? "Z\"/>" : "",
                  line->faint ? " faint" : "", line->colour % CHART_COLOURS);
    for (size_t i = 0; i < line->count; i++)
        writer_format(out, "%c%d %d", i ? 'L' : 'M', place(x, line->points[i].x),
                      place(y, line->points[i].y));
    writer_string(out, line->count == 1 ? "h0\"/>" : "\"/>");
}

void chart_write(Writer *out, const char *title, const char *across, const ChartLine *lines,
                 size_t count)
{
    Axis x = {INFINITY, -INFINITY, 0, LEFT, WIDTH - RIGHT};
    Axis y = {INFINITY, -INFINITY, 0, HEIGHT - BOTTOM, TOP};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < lines[i].count; k++) {
            const ChartPoint *point = &lines[i].points[k];
            include(&x, point->x);
            include(&y, point->y - point->spread);
            include(&y, point->y + point->spread);
        }
    if (!(x.low <= x.high)) return;
    choose_ticks(&x);
    choose_ticks(&y);
    writer_format(out, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
                  WIDTH, HEIGHT);
    writer_markup(out, title, strlen(title), true);
    writer_format(out, " by %s\"><text x=\"%d\" y=\"16\">", across, LEFT);
    writer_markup(out, title, strlen(title), true);
    writer_format(out, "</text><text class=\"across\" x=\"%d\" y=\"%d\">%s</text>",
                  (LEFT + WIDTH) / 2, HEIGHT - 4, across);
    draw_ticks(out, &x, false);
    draw_ticks(out, &y, true);
    for (size_t i = 0; i < count; i++)
        if (lines[i].count) draw_line(out, &lines[i], &x, &y);
    writer_string(out, "</svg>\n");
}
