// Logs of trainings, read and drawn: numbers by hand, damaged logs, texts that look like markup.
#include "render/chart.h"
#include "render/run_report.h"

#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"
#include "support/xml_lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEADER(model, seed, rate)                                                                  \
    "{\"model\": \"" model "\", \"samples\": [{\"source\": \"<a>\", \"target\": \"<b>\"}], "       \
    "\"options\": {\"seed\": " seed ", \"learning_rate\": " rate "}}\n"
#define STEP(step, loss)                                                                           \
    "{\"epoch\": 1, \"step\": " step ", \"loss\": " loss ", \"seconds\": 30, "                     \
    "\"target_tokens_per_second\": 100, \"learning_rate\": 0.001}\n"
#define VALIDATED(step, loss, bleu, more)                                                          \
    "{\"epoch\": 1, \"step\": " step ", \"validation_loss\": " loss                                \
    ", \"validation_bleu\": " bleu more "}\n"
#define PICTURE(text)                                                                              \
    ", \"watched\": {\"source\": [\"x\", \"y\"], \"target\": [\"z\"], \"weights\": [[0.25, "       \
    "0.75]]}, "                                                                                    \
    "\"translations\": [\"" text "\"]"

static Status read_log(RunLog *log, const char *name, const char *text, Error *error)
{
    return run_log_read(log, scratch_text(name, text), error);
}

TEST(reads)
{
    RunLog log;
    assert_ok(read_log(&log, "log",
                       HEADER("m", "1", "0.5") STEP("50", "3") STEP("100", "2.5")
                           VALIDATED("120", "2.25", "null", PICTURE("t")) "{\"epoch\": 2, \"st",
                       NULL));
    ck_assert_uint_eq(log.count, 3);
    ck_assert_double_eq(log.points[1].minutes, 1);
    ck_assert_double_eq(log.points[2].minutes, 1);
    ck_assert_double_eq(log.points[1].values[RUN_LOSS], 2.5);
    ck_assert_double_eq(log.points[2].values[RUN_VALIDATION_LOSS], 2.25);
    ck_assert(isnan(log.points[2].values[RUN_BLEU]) && isnan(log.points[2].values[RUN_LOSS]));
    ck_assert_uint_eq(json_array_size(log.pictures), 1);
    run_log_free(&log);
}

TEST(refuses)
{
    static const char *const wrong[][2] = {
        {"", "is not the log of a training"},
        {"{}\n", ":1: is not a line of a log"},
        {"[1]\n", ":1: is not a line of a log"},
        {"{\"options\": 3}\n", ":1: is not a line of a log"},
        {HEADER("m", "1", "1") "{\"loss\": 3}\n", ":2: is not a line of a log"},
        {HEADER("m", "1", "1") "{\n" STEP("1", "1"), "a row is not JSON"},
        {"no JSON\n", "a row is not JSON"},
    };
    RunLog log;
    Error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(read_log(&log, "log", wrong[i][0], &error), STATUS_FORMAT);
        assert_contains(error.text, wrong[i][1]);
        ck_assert_ptr_null(log.header);
    }
    ck_assert_int_eq(run_log_read(&log, scratch_path("none"), &error), STATUS_IO);
}

// What the page has within its body, as lines.
static Bytes draw(const RunLog *logs, size_t count)
{
    Bytes page = {0}, xml = {0};
    Writer out = writer_start(&page, NULL);
    run_report_write(&out, logs, count);
    assert_ok(writer_end(&out));
    const char *body = strstr(page.data, "<div class"), *end = strstr(page.data, "<script>\n");
    ck_assert(body && end && body < end);
    assert_ok(bytes_append_string(&xml, "<page>", NULL));
    assert_ok(bytes_append(&xml, body, (size_t)(end - body), NULL));
    assert_ok(bytes_append_string(&xml, "</page>", NULL));
    Bytes lines = xml_lines(&xml);
    bytes_free(&xml);
    bytes_free(&page);
    return lines;
}

static void read_runs(RunLog logs[3])
{
    static const char *const texts[] = {
        HEADER("a", "1", "0.5") STEP("50", "3") VALIDATED("50", "2", "10", PICTURE("<t>"))
            STEP("100", "2") VALIDATED("100", "1", "20", PICTURE("<t>"))
                VALIDATED("150", "1", "19", PICTURE("u")),
        HEADER("b", "2", "0.5") STEP("50", "4") VALIDATED("50", "2", "12", "")
            VALIDATED("100", "2", "22", ""),
        HEADER("<c>", "1", "0.25") STEP("50", "5"),
    };
    char name[] = "log0";
    for (size_t i = 0; i < 3; i++, name[3]++) assert_ok(read_log(&logs[i], name, texts[i], NULL));
}

// Two seeds of one command are one line with its spread; what differs is told; texts are no markup.
TEST(draws)
{
    RunLog logs[3];
    read_runs(logs);
    Bytes lines = draw(logs, 3);
    ck_assert_uint_eq(xml_lines_count(&lines, "figure"), 3);
    ck_assert(xml_lines_have(&lines, "td", " <c>"));
    ck_assert(xml_lines_have(&lines, "h3", "<a>"));
    ck_assert(xml_lines_have(&lines, "td", "<t>"));
    ck_assert(xml_lines_have(&lines, "th", "learning_rate"));
    ck_assert(xml_lines_have(&lines, "td", "0.25"));
    ck_assert(!xml_lines_have(&lines, "th", "seed"));
    ck_assert(xml_lines_have(&lines, "path@class", "line c0"));
    ck_assert(xml_lines_have(&lines, "path@class", "line faint c1"));
    ck_assert(xml_lines_have(&lines, "path@class", "band c0"));
    ck_assert(!xml_lines_have(&lines, "path@class", "band c1"));
    bytes_free(&lines);
    lines = draw(logs + 2, 1); // without validations, pictures and others to compare with
    ck_assert_uint_eq(xml_lines_count(&lines, "figure"), 0);
    ck_assert(!xml_lines_have(&lines, "h2", "What differs"));
    bytes_free(&lines);
    for (size_t i = 0; i < 3; i++) run_log_free(&logs[i]);
}

// A chart of each validation set that does not decide, under its name.
TEST(other_sets)
{
    RunLog log;
    assert_ok(read_log(
        &log, "log",
        "{\"model\": \"m\", \"validation\": [\"first\", \"<news>\"], \"options\": {}}\n" VALIDATED(
            "50", "2", "10", ", \"other_validations\": [{\"loss\": 3, \"bleu\": 7}]"),
        NULL));
    ck_assert_double_eq(log.points[0].values[RUN_OTHER_BLEU], 7);
    ck_assert(isnan(log.points[0].values[RUN_OTHER_BLEU + 1]));
    Bytes lines = draw(&log, 1);
    ck_assert(xml_lines_have(&lines, "text", "BLEU of <news>"));
    ck_assert(xml_lines_have(&lines, "svg@aria-label", "BLEU of <news> by minutes"));
    ck_assert(!xml_lines_have(&lines, "text", "BLEU of first"));
    bytes_free(&lines);
    run_log_free(&log);
}

// Whatever stands in the place of lists, texts and numbers.
TEST(other_values)
{
    static const char *const texts[] = {
        ", \"watched\": 1",
        ", \"watched\": {\"source\": [1, \"a\"], \"target\": [\"b\"]}",
        ", \"watched\": {\"source\": [\"a\"], \"target\": [\"b\"], \"weights\": [[\"x\"]]}",
        ", \"watched\": {\"source\": [\"a\"], \"target\": [\"b\"], \"weights\": [[1e300]]}",
        ", \"translations\": 3",
        ", \"translations\": [4]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[600];
        RunLog log;
        snprintf(text, sizeof text,
                 HEADER("m", "1", "1") "{\"step\": 1e300, \"loss\": -1e300%s}\n"
                                       "{\"step\": -5, \"loss\": 1e300}\n",
                 texts[i]);
        assert_ok(read_log(&log, "log", text, NULL));
        Bytes lines = draw(&log, 1);
        bytes_free(&lines);
        run_log_free(&log);
    }
}

static void chart(Bytes *lines, ChartPoint *points, size_t count)
{
    Bytes svg = {0};
    const ChartLine line = {.points = points, .count = count, .colour = 7};
    Writer out = writer_start(&svg, NULL);
    chart_write(&out, "Loss", "steps", &line, 1);
    assert_ok(writer_end(&out));
    *lines = xml_lines(&svg);
    bytes_free(&svg);
}

// Ticks by hand: 0 … 10 in fives, 2 … 3 in fifths; a corner of the line in the corner of the axes.
TEST(charts)
{
    Bytes lines;
    ChartPoint points[] = {{0, 2, 0}, {10, 3, 0}};
    chart(&lines, points, 2);
    ck_assert(xml_lines_have(&lines, "text", "8") && xml_lines_have(&lines, "text", "2.4"));
    ck_assert(!xml_lines_have(&lines, "text", "12") && !xml_lines_have(&lines, "text", "3.2"));
    ck_assert(xml_lines_have(&lines, "path@d", "M62 182L426 30"));
    ck_assert(xml_lines_have(&lines, "path@class", "line c1"));
    bytes_free(&lines);
    chart(&lines, points, 1); // one point is a dot
    ck_assert(xml_lines_have(&lines, "path@d", "M62 182h0"));
    bytes_free(&lines);
    points[0].spread = 0.5;
    chart(&lines, points, 2);
    ck_assert(xml_lines_have(&lines, "path@class", "band c1"));
    bytes_free(&lines);
    Bytes none = {0};
    Writer out = writer_start(&none, NULL);
    chart_write(&out, "Loss", "steps", NULL, 0);
    assert_ok(writer_end(&out));
    ck_assert_uint_eq(none.length, 0);
}

// A last line that there is no memory for is not one that is cut off.
TEST(out_of_memory_while_reading)
{
    const char *path =
        scratch_text("log", HEADER("m", "1", "0.5") VALIDATED("1", "2", "3", PICTURE("t")));
    json_watch();
    while (failing_malloc_next()) {
        RunLog log;
        if (failing_malloc_expect(run_log_read(&log, path, NULL))) continue;
        ck_assert_uint_eq(log.count, 1);
        run_log_free(&log);
    }
}

TEST(out_of_memory)
{
    RunLog logs[3];
    read_runs(logs);
    while (failing_malloc_next()) {
        Bytes page = {0};
        Writer out = writer_start(&page, NULL);
        run_report_write(&out, logs, 3);
        (void)failing_malloc_expect(writer_end(&out));
        bytes_free(&page);
    }
    for (size_t i = 0; i < 3; i++) run_log_free(&logs[i]);
}
