// A chart of lines with their spread, as an SVG element of a page, whose style has the colours (report.css).
#pragma once

#include "base/writer.h"

typedef struct ChartPoint {
    double x, y;
    double spread; // above and below y; 0: none
} ChartPoint;

typedef struct ChartLine {
    ChartPoint *points; // (count) finite, by x
    size_t count, capacity;
    size_t colour;
    bool faint;
} ChartLine;

enum { CHART_COLOURS = 6 };

// Writes it; nothing where no line has a point.
void chart_write(Writer *out, const char *title, const char *across, const ChartLine *lines,
                 size_t count);

// A number with so many digits that matter, and a point whatever the user's locale.
void chart_number(Writer *out, double value, int digits);
