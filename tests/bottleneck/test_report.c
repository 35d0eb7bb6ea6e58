// The drawing, the page and the table of made-up figures: well-formed, nothing missing, nothing outside the picture.

#include "bench/bottleneck/report.h"

#include "bench/bottleneck/drawing.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <string.h>

// Scorers that fall from 80 by 10 in every class, each 5 lower than the one before it.
static Curve made_up(size_t series)
{
    static const char *const names[] = {"none", "additive", "a<b>&\"c\"", "d", "e", "f", "g", "h"};
    Curve curve = {.count = series, .test = {.count = 70}};
    for (size_t c = 0; c < LENGTH_CLASSES; c++) {
        curve.counts[c] = 10;
        curve.mean_lengths[c] = 6.0 + 10.0 * (double)c;
        for (size_t s = 0; s < series; s++) {
            double bleu = 80.0 - 10.0 * (double)c - 2.0 * (double)s;
            curve.series[s].points[c] = (CurvePoint){bleu, {bleu - 2, bleu + 2}};
        }
    }
    for (size_t s = 0; s < series; s++) curve.series[s].name = names[s];
    return curve;
}

static Bytes drawn(const Curve *curve, DrawingForm form)
{
    Bytes svg = {0};
    ck_assert_int_eq(drawing_append(curve, form, "A & B", &svg, NULL), STATUS_OK);
    return svg;
}

static xmlDocPtr parse(const Bytes *text)
{
    xmlDocPtr document =
        xmlReadMemory(text->data, (int)text->length, "drawing", NULL, XML_PARSE_NONET);
    ck_assert_msg(document, "not well-formed:\n%s", text->data);
    return document;
}

// How many elements of well-formed markup an XPath expression finds.
static int count(const Bytes *text, const char *path)
{
    xmlDocPtr document = parse(text);
    xmlXPathContextPtr context = xmlXPathNewContext(document);
    xmlXPathObjectPtr found = xmlXPathEvalExpression((const xmlChar *)path, context);
    ck_assert_ptr_nonnull(found);
    int number = found->nodesetval ? found->nodesetval->nodeNr : 0;
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    xmlFreeDoc(document);
    return number;
}

START_TEST(test_drawing)
{
    static const size_t series[] = {1, 2, 3, MAX_CURVE_SERIES};
    for (size_t i = 0; i < sizeof series / sizeof *series; i++)
        for (DrawingForm form = DRAWING_WIDE; form <= DRAWING_NARROW; form++) {
            Curve curve = made_up(series[i]);
            Bytes svg = drawn(&curve, form);
            int lines = (int)series[i];
            // a point in the legend and one in each class
            ck_assert_int_eq(count(&svg, "//*[starts-with(@class, 'point')]"), 8 * lines);
            ck_assert_int_eq(count(&svg, "//*[starts-with(@class, 'line ')]"), 2 * lines);
            ck_assert_int_eq(count(&svg, "//*[starts-with(@class, 'interval')]"), 7 * lines);
            ck_assert_int_eq(count(&svg, "//*[text() = 'A & B']"), 1);
            ck_assert_int_eq(count(&svg, "//*[text() = 'BLEU']"), 1);
            ck_assert_int_eq(count(&svg, "//*[text() = 'words in the source']"), 1);
            bytes_free(&svg);
        }
}
END_TEST

START_TEST(test_coordinates)
{
    Curve curve = made_up(1);
    Bytes svg = drawn(&curve, DRAWING_WIDE);
    // 80 of 100 in a field from y = 116 to 416, 6 of 72 words in one from x = 44 to 704
    ck_assert_msg(strstr(svg.data, "d=\"M99.0 176.0L190.7 206.0L"), "%s", svg.data);
    bytes_free(&svg);
}
END_TEST

START_TEST(test_empty_classes)
{
    Curve curve = made_up(1);
    curve.counts[0] = curve.counts[3] = 0;
    Bytes svg = drawn(&curve, DRAWING_WIDE), table = {0};
    ck_assert_int_eq(count(&svg, "//*[starts-with(@class, 'point')]"), 6);
    // two stretches: 11–30 and 41 onwards
    const char *line = strstr(svg.data, "<path class=\"line line0 dashed0\" d=\"M190");
    ck_assert_ptr_nonnull(line);
    size_t moves = 0;
    for (; strncmp(line, "/>", 2) != 0; line++) moves += *line == 'M';
    ck_assert_uint_eq(moves, 2);
    ck_assert_int_eq(report_table(&curve, &table, NULL), STATUS_OK);
    ck_assert_ptr_null(strstr(table.data, "1–10 "));
    ck_assert_ptr_nonnull(strstr(table.data, "41–50"));
    bytes_free(&svg);
    bytes_free(&table);
}
END_TEST

START_TEST(test_nothing_at_all)
{
    Curve curve = {.count = 1, .series = {{.name = "none"}}};
    Bytes svg = drawn(&curve, DRAWING_NARROW);
    ck_assert_int_eq(count(&svg, "//*[starts-with(@class, 'point')]"), 1);
    ck_assert_ptr_null(strstr(svg.data, "nan"));
    bytes_free(&svg);
}
END_TEST

START_TEST(test_table)
{
    Curve curve = made_up(2);
    Bytes table = {0};
    ck_assert_int_eq(report_table(&curve, &table, NULL), STATUS_OK);
    ck_assert_ptr_nonnull(strstr(table.data,
                                 "\n11–20        10    70.0 [68.0, 72.0]       68.0 [66.0, "
                                 "70.0]\n"));
    ck_assert_ptr_null(strstr(table.data, " \n"));
    bytes_free(&table);
}
END_TEST

START_TEST(test_page)
{
    Curve curve = made_up(3);
    Bytes page = {0};
    ck_assert_int_eq(
        report_page(&curve, "A", "Corpus\tfive <pairs>\nalone\n\nBudget\tx\ty", &page, NULL),
        STATUS_OK);
    ck_assert_int_eq(count(&page, "//*[local-name() = 'svg']"), 2);
    ck_assert_int_eq(count(&page, "//tbody/tr"), 8);
    ck_assert_int_eq(count(&page, "//tbody/tr[1]/td"), 4);
    ck_assert_int_eq(count(&page, "//dd[text() = 'five <pairs>']"), 1);
    ck_assert_int_eq(count(&page, "//dt"), 4);
    ck_assert_int_eq(count(&page, "//th[text() = 'a<b>&\"c\"']"), 1);
    // whole in itself
    ck_assert_int_eq(
        count(&page, "//@src | //@href | //*[local-name() = 'link' or local-name() = 'script']"),
        0);
    bytes_free(&page);
    ck_assert_int_eq(report_page(&curve, NULL, NULL, &page, NULL), STATUS_OK);
    ck_assert_int_eq(count(&page, "//dl"), 0);
    bytes_free(&page);
}
END_TEST

// A name with bytes that XML cannot hold.
START_TEST(test_awkward_name)
{
    Curve curve = made_up(1);
    curve.series[0].name = "a\x01\xff";
    Bytes svg = drawn(&curve, DRAWING_WIDE);
    ck_assert_int_eq(count(&svg, "//*[text() = 'a\uFFFD\uFFFD']"), 1);
    bytes_free(&svg);
}
END_TEST

START_TEST(test_out_of_memory)
{
    Curve curve = made_up(2);
    for (size_t n = 1;; n++) {
        Bytes page = {0}, table = {0};
        failing_malloc_at(n);
        Status status = report_page(&curve, "A", "B\tC\n", &page, NULL);
        if (!status) status = report_table(&curve, &table, NULL);
        bool failed = failing_malloc_stop();
        ck_assert_int_eq(status, failed ? STATUS_MEMORY : STATUS_OK);
        bytes_free(&page);
        bytes_free(&table);
        if (!failed) break;
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report");
    suite_add(suite, "drawing", test_drawing);
    suite_add(suite, "coordinates", test_coordinates);
    suite_add(suite, "empty classes", test_empty_classes);
    suite_add(suite, "nothing at all", test_nothing_at_all);
    suite_add(suite, "table", test_table);
    suite_add(suite, "page", test_page);
    suite_add(suite, "awkward name", test_awkward_name);
    suite_add(suite, "out of memory", test_out_of_memory);
    return suite_run(suite);
}
