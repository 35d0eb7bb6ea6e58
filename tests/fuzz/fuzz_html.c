/* Any texts in the page and the drawing of alignments: no text becomes markup, the page's data are JSON, the drawing is XML.
 *
 * tests/fuzz/run builds and runs it. Of the first byte one bit says whether the texts are in normal form, as the program
 * has them; raw bytes must be refused unless they are UTF-8. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "base/memory.h"
#include "render/html.h"

#include <expat.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static size_t occurrences(const Bytes *text, const char *word)
{
    size_t count = 0;
    const char *at = text->data, *end = text->data + text->length;
    while ((at = memmem(at, (size_t)(end - at), word, strlen(word)))) {
        at += strlen(word);
        count++;
    }
    return count;
}

// As many tags as in a page without texts, and between the data's tags JSON of as many labels as there are.
static void check_page(const Bytes *page, const Bytes *empty, const AlignedPair *pair)
{
    static const char begin[] = "<script id=\"data\" type=\"application/json\">";
    static const char *const markup[] = {"<script", "</script", "<!--", "<img", "<svg", "<style"};
    for (size_t i = 0; i < sizeof markup / sizeof *markup; i++)
        require(occurrences(page, markup[i]) == occurrences(empty, markup[i]));
    const char *data = memmem(page->data, page->length, begin, sizeof begin - 1);
    require(data != NULL);
    data += sizeof begin - 1;
    const char *end = memmem(data, (size_t)(page->data + page->length - data), "</script>", 9);
    require(end != NULL);
    json_t *json = json_loadb(data, (size_t)(end - data), JSON_ALLOW_NUL, NULL);
    require(json != NULL);
    const json_t *words =
        json_object_get(json_array_get(json_object_get(json, "pairs"), 0), "words");
    require(json_array_size(json_object_get(words, "source")) == pair->words.source.units->count);
    require(json_array_size(json_object_get(words, "target")) == pair->words.target.units->count);
    json_decref(json);
}

static Status write_page(Bytes *out, const HtmlPage *page, const AlignedPair *pair, Error *error)
{
    Writer writer = writer_start(out, error);
    html_begin(&writer, page);
    if (pair) html_add(&writer, page, pair, 0);
    html_end(&writer);
    return writer_end(&writer);
}

static void fuzz_page(const Picture *picture, const char *name, bool normal)
{
    const float *matrices[1] = {picture->weights};
    AlignmentView view = {picture->source, picture->target, matrices};
    AlignedPair pair = {.words = view, .subwords = view};
    HtmlPage named = {name, "additive", .units = {UNITS_WORDS, UNITS_WORDS}, .heads = 1},
             plain = {"m", "additive", .units = {UNITS_WORDS, UNITS_WORDS}, .heads = 1};
    static Bytes empty; // made once
    Bytes out = {0};
    Error error = {0};
    if (!empty.length) require(write_page(&empty, &plain, NULL, &error) == STATUS_OK);
    Status status = write_page(&out, normal ? &named : &plain, &pair, &error);
    require(!normal || !status);
    if (status)
        require(error.text[0]);
    else
        check_page(&out, &empty, &pair);
    bytes_free(&out);
}

static void fuzz_drawing(const Picture *picture, const char *title)
{
    Svg svg = {0};
    Bytes out = {0};
    Error error = {0};
    require(svg_add(&svg, picture, &error) == STATUS_OK);
    Writer writer = writer_start(&out, &error);
    svg_write(&writer, &svg, title);
    require(writer_end(&writer) == STATUS_OK);
    XML_Parser parser = XML_ParserCreate(NULL);
    require(XML_Parse(parser, out.data, (int)out.length, XML_TRUE) == XML_STATUS_OK);
    XML_ParserFree(parser);
    require(!occurrences(&out, "<script") && !occurrences(&out, "<foreignObject") &&
            !occurrences(&out, "<image"));
    svg_free(&svg);
    bytes_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const char *text = (const char *)data + 1;
    size_t length = size - 1 < 120 ? size - 1 : 120; // pictures grow with the square
    bool normal = data[0] & 1;
    UnitKind kind = data[0] & 2 ? UNITS_WORDS : UNITS_CHARACTERS;
    Bytes sides[2] = {{0}, {0}};
    Spans units[2] = {{0}, {0}};
    Error error;
    for (size_t i = 0; i < 2; i++) {
        take_text(&sides[i], text + i * (length / 2), i ? length - length / 2 : length / 2, normal);
        require(units_split(&units[i], kind, bytes_text(&sides[i]), sides[i].length, &error) ==
                STATUS_OK);
    }
    float *weights = memory_new(units[0].count * units[1].count, sizeof *weights);
    require(weights != NULL);
    for (size_t i = 0; i < units[0].count * units[1].count; i++) weights[i] = (float)(i % 5) / 4;
    Picture picture = {
        weights, {bytes_text(&sides[0]), &units[0]}, {bytes_text(&sides[1]), &units[1]}};
    fuzz_page(&picture, bytes_text(&sides[0]), normal);
    fuzz_drawing(&picture, bytes_text(&sides[1]));
    memory_free(weights);
    for (size_t i = 0; i < 2; i++) {
        spans_free(&units[i]);
        bytes_free(&sides[i]);
    }
    return 0;
}
