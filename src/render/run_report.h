/* Trainings as one self-contained page: curves of loss, BLEU, learning rate and speed over steps and
 * time, what the runs differ in, the alignments of watched sentences over time, and translations that
 * changed. Everything is there without JavaScript, which only adds a slider to the alignments. */
#pragma once

#include "io/json.h"

// The log of a training (docs/formats.md), as it is drawn: its header, the numbers of its rows, and what
// was watched.

// What is drawn of a row.
typedef enum RunMeasure {
    RUN_LOSS,
    RUN_VALIDATION_LOSS,
    RUN_BLEU,
    RUN_LEARNING_RATE,
    RUN_SPEED,      // target tokens a second
    RUN_OTHER_BLEU, // of the validation sets that do not decide, one after another
    RUN_MEASURES = RUN_OTHER_BLEU + 8,
} RunMeasure;

typedef struct RunPoint {
    double step, minutes;        // of training, without validation and saving
    double values[RUN_MEASURES]; // NaN: the row does not have it
} RunPoint;

// Start from {0}, end with run_log_free.
typedef struct RunLog {
    const char *path; // not owned
    json_t *header;
    json_t *
        command; // what the header says, with all options, but for what runs of one command differ in
    RunPoint *points; // (count)
    size_t count, capacity;
    json_t *pictures; // the rows with "watched" or "translations"; what is in them may be anything
} RunLog;

/* Reads a log. A last line that is cut off, of a run that goes on, is passed over. STATUS_FORMAT, with the
 * line, if it is not the log of a training. */
Status run_log_read(RunLog *log, const char *path, Error *error);

void run_log_free(RunLog *log);

enum { MAX_RUNS = 64 };

/* Writes the page of so many runs. Those of one command with several seeds are drawn as one: the mean of
 * their numbers with the standard deviation. */
void run_report_write(Writer *out, const RunLog *logs, size_t count);

// The page without its contents, embedded by the build (tools/embed).
#define REPORT_RUNS "{{runs}}"
extern const char report_html[];

// A chart of lines with their spread, as an SVG element of a page, whose style has the colours (report.css).

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
