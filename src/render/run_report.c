#include "render/run_report.h"

#include "base/array.h"
#include "render/chart.h"
#include "render/pictures.h"

#include <math.h>

enum { MAX_FRAMES = 60 };

// The runs, in groups of those of one command.
typedef struct Report {
    Writer *out;
    const RunLog *logs; // (count)
    size_t count, groups;
    size_t group[MAX_RUNS]; // of each log
    size_t first[MAX_RUNS]; // of each group, a log
} Report;

static void write_text(Writer *out, const char *text)
{
    if (text) writer_markup(out, text, strlen(text), true);
}

static void set_groups(Report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        size_t g = 0;
        while (g < report->groups &&
               !json_equal(report->logs[i].command, report->logs[report->first[g]].command))
            g++;
        if (g == report->groups) report->first[report->groups++] = i;
        report->group[i] = g;
    }
}

// The point of a log at that step with that measure; *from is where to begin, and goes on.
static const RunPoint *point_at(const RunLog *log, size_t *from, double step, RunMeasure measure)
{
    for (; *from < log->count && log->points[*from].step <= step; ++*from) {
        const RunPoint *point = &log->points[*from];
        if (point->step == step && isfinite(point->values[measure])) return point;
    }
    return NULL;
}

// The mean over the runs of a group at each step of its first, of those that have it.
static Status set_line(ChartLine *line, const Report *report, RunMeasure measure, bool by_time,
                       Error *error)
{
    const RunLog *first = &report->logs[report->first[line->colour]];
    size_t from[MAX_RUNS] = {0};
    for (size_t i = 0; i < first->count; i++) {
        double count = 0, sum = 0, squares = 0, minutes = 0, step = first->points[i].step;
        if (!isfinite(first->points[i].values[measure])) continue;
        for (size_t r = 0; r < report->count; r++) {
            if (report->group[r] != line->colour) continue;
            const RunPoint *point = point_at(&report->logs[r], &from[r], step, measure);
            if (!point) continue;
            double value = point->values[measure];
            count++, sum += value, squares += value * value, minutes += point->minutes;
        }
        if (count == 0) continue; // a step that stands twice
        double mean = sum / count, variance = count > 1 ? (squares - sum * mean) / (count - 1) : 0;
        TRY(array_add(&line->points, &line->count, &line->capacity, "a report", error,
                      (ChartPoint){by_time ? minutes / count : step, mean,
                                   variance > 0 ? sqrt(variance) : 0}));
    }
    return STATUS_OK;
}

// A chart of one measure over steps or time, or of another one too, which is faint.
static void write_chart(const Report *report, const char *title, const RunMeasure measures[2],
                        bool by_time)
{
    Writer *out = report->out;
    ChartLine lines[2 * MAX_RUNS];
    size_t count = 0;
    for (int m = measures[0] == measures[1] ? 0 : 1; m >= 0; m--)
        for (size_t g = 0; g < report->groups && !out->status; g++) {
            lines[count] = (ChartLine){.colour = g, .faint = m == 1};
            out->status = set_line(&lines[count++], report, measures[m], by_time, out->error);
        }
    if (!out->status) chart_write(out, title, by_time ? "minutes" : "steps", lines, count);
    for (size_t i = 0; i < count; i++) memory_free(lines[i].points);
}

// Charts of the validation sets that do not decide, with the names that the first runs give them.
static void write_other_sets(const Report *report)
{
    Writer *out = report->out;
    FREED_BY(bytes_free) Bytes title = {0};
    for (RunMeasure measure = RUN_OTHER_BLEU; measure < RUN_MEASURES; measure++) {
        const char *name = NULL;
        for (size_t i = 0; i < report->count && !name; i++)
            name = json_string_value(
                json_array_get(json_object_get(report->logs[i].header, "validation"),
                               measure - RUN_OTHER_BLEU + 1));
        bytes_clear(&title);
        if (!name || out->status) break;
        out->status = bytes_append_format(&title, out->error, "BLEU of %s", name);
        for (int by_time = 0; by_time < 2; by_time++)
            write_chart(report, bytes_text(&title), (const RunMeasure[]){measure, measure},
                        by_time);
    }
}

static void write_charts(const Report *report)
{
    static const struct {
        const char *title;
        RunMeasure measures[2];
    } charts[] = {
        {"Loss of the validation pairs, and of training (thin)", {RUN_VALIDATION_LOSS, RUN_LOSS}},
        {"BLEU of the validation pairs", {RUN_BLEU, RUN_BLEU}},
        {"Learning rate", {RUN_LEARNING_RATE, RUN_LEARNING_RATE}},
        {"Target tokens a second", {RUN_SPEED, RUN_SPEED}},
    };
    writer_string(report->out, "<div id=\"charts\">\n");
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++)
        for (int by_time = 0; by_time < 2; by_time++)
            write_chart(report, charts[i].title, charts[i].measures, by_time);
    write_other_sets(report);
    writer_string(report->out, "</div>\n");
}

static void write_name(const Report *report, size_t i)
{
    const char *model = json_string_value(json_object_get(report->logs[i].header, "model"));
    writer_format(report->out, "<span class=\"swatch c%zu\"></span> ",
                  report->group[i] % CHART_COLOURS);
    write_text(report->out, model ? model : report->logs[i].path);
}

static void write_number(Writer *out, double number, int digits)
{
    writer_string(out, "<td class=\"number\">");
    if (isfinite(number)) chart_number(out, number, digits);
    writer_string(out, "</td>");
}

static void write_run(const Report *report, size_t i)
{
    const RunLog *log = &report->logs[i];
    const RunPoint none = {.values = {[RUN_BLEU] = -1}}, *best = &none;
    const RunPoint *last = log->count ? &log->points[log->count - 1] : &none;
    const json_t *seed = json_object_get(json_object_get(log->header, "options"), "seed");
    for (size_t k = 0; k < log->count; k++)
        if (log->points[k].values[RUN_BLEU] > best->values[RUN_BLEU]) best = &log->points[k];
    writer_string(report->out, "<tr><td>");
    write_name(report, i);
    writer_string(report->out, "</td>");
    write_number(report->out, json_number_value(seed), 10);
    write_number(report->out, best == &none ? (double)NAN : best->values[RUN_BLEU], 3);
    write_number(report->out, best == &none ? (double)NAN : best->step, 10);
    write_number(report->out, last->step, 10);
    write_number(report->out, last->minutes, 3);
    writer_string(report->out, "</tr>\n");
}

static json_t *value_of(const Report *report, size_t g, const char *key)
{
    return json_object_get(report->logs[report->first[g]].command, key);
}

// A row, unless all groups have the same.
static void write_difference(const Report *report, const char *key)
{
    Writer *out = report->out;
    size_t g = 1;
    while (g < report->groups && json_equal(value_of(report, g, key), value_of(report, 0, key)))
        g++;
    if (g == report->groups) return;
    writer_string(out, "<tr><th>");
    write_text(out, key);
    writer_string(out, "</th>");
    for (g = 0; g < report->groups; g++) {
        FREED char *text = NULL;
        if (value_of(report, g, key) && !out->status)
            out->status =
                json_text(&text, json_incref(value_of(report, g, key)),
                          JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6), out->error);
        writer_string(out, "<td>");
        write_text(out, text);
        writer_string(out, "</td>");
    }
    writer_string(out, "</tr>\n");
}

static void write_differences(const Report *report)
{
    const char *key;
    json_t *value, *all;
    if (report->groups < 2) return;
    all = json_object();
    writer_string(report->out, "<h2>What differs</h2>\n<div class=\"scroll\"><table><tr><th></th>");
    for (size_t g = 0; g < report->groups; g++) {
        writer_string(report->out, "<th>");
        write_name(report, report->first[g]);
        writer_string(report->out, "</th>");
        if (json_object_update(all, report->logs[report->first[g]].command) ||
            json_memory_was_short())
            writer_fail(report->out, STATUS_MEMORY, "out of memory: a report");
    }
    writer_string(report->out, "</tr>\n");
    json_object_foreach(all, key, value)
    {
        write_difference(report, key);
    }
    writer_string(report->out, "</table></div>\n");
    json_decref(all);
}

// Adds the texts of a list.
static Status add_labels(LabelTexts *labels, const json_t *list, Error *error)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *label = json_string_value(json_array_get(list, i));
        TRY(label_texts_add(labels, text_view_of(label ? label : ""), error));
    }
    return STATUS_OK;
}

static Status draw_frame(Svg *svg, const json_t *watched, Error *error)
{
    const json_t *rows = json_object_get(watched, "weights");
    FREED_BY(label_texts_free) LabelTexts source = {0}, target = {0};
    FREED float *weights = NULL;
    TRY(add_labels(&source, json_object_get(watched, "source"), error));
    TRY(add_labels(&target, json_object_get(watched, "target"), error));
    size_t sources = source.units.count, cells = sources * target.units.count;
    TRY(array_new(&weights, cells, "a drawing", error));
    for (size_t i = 0; i < cells; i++)
        weights[i] = (float)json_number_value(
            json_array_get(json_array_get(rows, i / sources), i % sources));
    const Picture picture = {weights, label_texts_view(&source), label_texts_view(&target)};
    return svg_add(svg, &picture, error);
}

static void write_frame(Writer *out, const json_t *row)
{
    FREED_BY(svg_free) Svg svg = {0};
    if (!out->status) out->status = draw_frame(&svg, json_object_get(row, "watched"), out->error);
    writer_string(out, "<figure><figcaption>Step ");
    chart_number(out, json_number_value(json_object_get(row, "step")), 10);
    writer_format(out, "</figcaption><svg width=\"%zu\" height=\"%zu\">\n%s</svg></figure>\n",
                  svg.width + 12, svg.height, bytes_text(&svg.body));
}

static void write_film(const Report *report, size_t log)
{
    const json_t *pictures = report->logs[log].pictures;
    size_t count = 0, frames = 0, i;
    json_t *row;
    json_array_foreach(pictures, i, row) count += json_object_get(row, "watched") != NULL;
    if (count == 0) return;
    writer_string(report->out, "<h2>The watched sentence: ");
    write_name(report, log);
    writer_string(report->out, "</h2>\n<div class=\"film\">\n");
    json_array_foreach(pictures, i, row)
    {
        if (!json_object_get(row, "watched")) continue;
        frames++; // of many some at even distances, and the last
        if (frames == count || (frames - 1) % (count / MAX_FRAMES + 1) == 0)
            write_frame(report->out, row);
    }
    writer_string(report->out, "</div>\n");
}

// How the translation of a sample changed: each with the step at which it came.
static void write_changes(Writer *out, const json_t *pictures, size_t sample)
{
    const char *before = NULL;
    size_t i;
    json_t *row;
    json_array_foreach(pictures, i, row)
    {
        const json_t *texts = json_object_get(row, "translations");
        const char *text = json_string_value(json_array_get(texts, sample));
        if (!text || (before && !strcmp(before, text))) continue;
        writer_string(out, "<tr>");
        write_number(out, json_number_value(json_object_get(row, "step")), 10);
        writer_string(out, "<td>");
        write_text(out, text);
        writer_string(out, "</td></tr>\n");
        before = text;
    }
}

static void write_translations(const Report *report, size_t log)
{
    const json_t *samples = json_object_get(report->logs[log].header, "samples");
    for (size_t i = 0; i < json_array_size(samples); i++) {
        const json_t *sample = json_array_get(samples, i);
        writer_string(report->out, i ? "<h3>" : "<h2>Translations: ");
        if (i == 0) write_name(report, log);
        writer_string(report->out, i ? "" : "</h2>\n<h3>");
        write_text(report->out, json_string_value(json_object_get(sample, "source")));
        writer_string(report->out, "</h3>\n<table><tr><th>Step</th><th>");
        write_text(report->out, json_string_value(json_object_get(sample, "target")));
        writer_string(report->out, "</th></tr>\n");
        write_changes(report->out, report->logs[log].pictures, i);
        writer_string(report->out, "</table>\n");
    }
}

void run_report_write(Writer *out, const RunLog *logs, size_t count)
{
    const char *runs = strstr(report_html, REPORT_RUNS);
    Report report = {.out = out, .logs = logs, .count = count};
    set_groups(&report);
    writer_bytes(out, report_html, (size_t)(runs - report_html));
    writer_string(
        out, "<div class=\"scroll\"><table><tr><th>Model</th><th>Seed</th><th>Best BLEU</th><th>at "
             "step</th><th>Steps</th><th>Minutes of training</th></tr>\n");
    for (size_t i = 0; i < count; i++) write_run(&report, i);
    writer_string(out, "</table></div>\n");
    write_charts(&report);
    write_differences(&report);
    for (size_t i = 0; i < count; i++) write_film(&report, i);
    for (size_t i = 0; i < count; i++) write_translations(&report, i);
    writer_string(out, runs + strlen(REPORT_RUNS));
}
