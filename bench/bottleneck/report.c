#include "bench/bottleneck/report.h"

#include "bench/bottleneck/drawing.h"
#include "bench/bottleneck/markup.h"
#include "text/utf8.h"

#include <stdio.h>
#include <string.h>

enum { COLUMN = 24 };

// Text and blanks up to a width in columns of the terminal.
static void write_cell(Markup *table, const char *text, size_t width)
{
    size_t taken = utf8_text_width(text, strlen(text));
    markup_write(table, "%s%*s", text, taken < width ? (int)(width - taken) : 1, "");
}

// A row's end: no blanks, which the last cell may have left.
static void end_row(Markup *table)
{
    while (!table->status && table->out->length && table->out->data[table->out->length - 1] == ' ')
        table->out->length--;
    markup_write(table, "\n");
}

Status report_table(const Curve *curve, Bytes *out, Error *error)
{
    Markup table = {.out = out, .error = error};
    char cell[64];
    markup_write(&table, "BLEU by the length of the source in %s; in brackets 95 %% confidence\n\n",
                 units_kind_name(curve->unit));
    write_cell(&table, "length", 8);
    write_cell(&table, "sources", 10);
    for (size_t s = 0; s < curve->count; s++) write_cell(&table, curve->series[s].name, COLUMN);
    end_row(&table);
    for (size_t c = 0; c < LENGTH_CLASSES; c++) {
        if (curve->counts[c] == 0) continue;
        write_cell(&table, length_class_name(c), 8);
        snprintf(cell, sizeof cell, "%7zu", curve->counts[c]);
        write_cell(&table, cell, 10);
        for (size_t s = 0; s < curve->count; s++) {
            const CurvePoint *point = &curve->series[s].points[c];
            snprintf(cell, sizeof cell, "%5.1f [%.1f, %.1f]", point->bleu, point->interval.lower,
                     point->interval.upper);
            write_cell(&table, cell, COLUMN);
        }
        end_row(&table);
    }
    write_cell(&table, "all", 8);
    snprintf(cell, sizeof cell, "%7zu", curve->test.count);
    write_cell(&table, cell, 10);
    for (size_t s = 0; s < curve->count; s++) {
        snprintf(cell, sizeof cell, "%5.1f", curve->series[s].bleu);
        write_cell(&table, cell, COLUMN);
    }
    end_row(&table);
    return table.status;
}

static const char style[] =
    ":root { color-scheme: light dark; --paper: #ffffff; --ink: #1d2430; --soft: #5a6474; "
    "--rule: #dfe3e9; }\n"
    "@media (prefers-color-scheme: dark) { :root { --paper: #12161d; --ink: #e6eaf0; "
    "--soft: #a2adbd; --rule: #2c3440; } }\n"
    "body { margin: 0 auto; padding: 16px; max-width: 752px; box-sizing: border-box; "
    "background: var(--paper); color: var(--ink); "
    "font: 16px/1.5 system-ui, \"Segoe UI\", \"DejaVu Sans\", sans-serif; }\n"
    "h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.15rem; margin-top: 2rem; }\n"
    "svg { max-width: 100%; height: auto; display: block; margin: 0 auto; }\n"
    ".narrow { display: none; }\n"
    "@media (max-width: 600px) { .narrow { display: block; } .wide { display: none; } }\n"
    ".scroll { overflow-x: auto; }\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums; }\n"
    "th, td { text-align: right; padding: .35em .8em; border-bottom: 1px solid var(--rule); "
    "white-space: nowrap; }\n"
    "th:first-child { text-align: left; padding-left: 0; }\n"
    "@media (max-width: 600px) { th, td { padding: .35em .45em; } td:last-child { padding-right: "
    "0; } }\n"
    "td small, dt { color: var(--soft); } td small { display: block; line-height: 1.2; }\n"
    "dt { margin-top: .7em; } dd { margin: 0; overflow-wrap: anywhere; }\n";

static void write_figures(Markup *page, const Curve *curve)
{
    markup_write(page, "<div class=\"scroll\"><table>\n<thead><tr><th>%s</th><th>sources</th>",
                 units_kind_name(curve->unit));
    for (size_t s = 0; s < curve->count; s++) {
        markup_write(page, "<th>");
        markup_text(page, curve->series[s].name);
        markup_write(page, "</th>");
    }
    markup_write(page, "</tr></thead>\n<tbody>\n");
    for (size_t c = 0; c < LENGTH_CLASSES; c++) {
        if (curve->counts[c] == 0) continue;
        markup_write(page, "<tr><th>%s</th><td>%zu</td>", length_class_name(c), curve->counts[c]);
        for (size_t s = 0; s < curve->count; s++) {
            const CurvePoint *point = &curve->series[s].points[c];
            markup_write(page, "<td>%.1f <small>%.1f–%.1f</small></td>", point->bleu,
                         point->interval.lower, point->interval.upper);
        }
        markup_write(page, "</tr>\n");
    }
    markup_write(page, "<tr><th>all</th><td>%zu</td>", curve->test.count);
    for (size_t s = 0; s < curve->count; s++)
        markup_write(page, "<td>%.1f</td>", curve->series[s].bleu);
    markup_write(page, "</tr>\n</tbody></table></div>\n");
}

// Lines of LABEL<TAB>TEXT as a list; a line without a TAB is a label alone.
static void write_notes(Markup *page, const char *notes)
{
    Bytes part = {0};
    markup_write(page, "<h2>How it was made</h2>\n<dl>\n");
    while (*notes && !page->status) {
        size_t length = strcspn(notes, "\n"), label = strcspn(notes, "\t\n");
        bytes_clear(&part);
        page->status = bytes_append(&part, notes, label, page->error);
        markup_write(page, "<dt>");
        if (!page->status) markup_text(page, part.data);
        markup_write(page, "</dt>");
        bytes_clear(&part);
        if (label < length && !page->status)
            page->status = bytes_append(&part, notes + label + 1, length - label - 1, page->error);
        markup_write(page, "<dd>");
        if (!page->status && part.length) markup_text(page, part.data);
        markup_write(page, "</dd>\n");
        notes += length + (notes[length] == '\n');
    }
    markup_write(page, "</dl>\n");
    bytes_free(&part);
}

Status report_page(const Curve *curve, const char *caption, const char *notes, Bytes *out,
                   Error *error)
{
    Markup page = {.out = out, .error = error};
    markup_write(
        &page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<title>The bottleneck that attention breaks</title>\n<style>\n%s</style>\n</head>\n"
        "<body>\n<h1>The bottleneck that attention breaks</h1>\n"
        "<p>Without attention the decoder reads one vector, whatever the length of the "
        "source; with it, it looks at the source anew for every word. The same models, the "
        "same sentences, the same batches in the same order; only the context differs.</p>\n",
        style);
    markup_write(&page, "<div class=\"wide\">\n");
    if (!page.status) page.status = drawing_append(curve, DRAWING_WIDE, caption, out, error);
    markup_write(&page, "</div>\n<div class=\"narrow\">\n");
    if (!page.status) page.status = drawing_append(curve, DRAWING_NARROW, NULL, out, error);
    markup_write(&page,
                 "</div>\n<p>A point is the BLEU of all sources of a class of lengths, drawn "
                 "at their mean length; its bar is the 95&#160;%% interval of 1,000 resamples of "
                 "its sentences. After figure 2 of Bahdanau, Cho and Bengio (2014), "
                 "<i>Neural machine translation by jointly learning to align and "
                 "translate</i>.</p>\n<h2>The figures</h2>\n");
    write_figures(&page, curve);
    if (notes) write_notes(&page, notes);
    markup_write(&page, "</body>\n</html>\n");
    return page.status;
}
