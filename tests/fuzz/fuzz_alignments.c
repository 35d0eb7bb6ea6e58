/* For libFuzzer: lines of links, joining two alignments, lines of tokens, cutting into units, and the pictures drawn of them
 * take any bytes.
 * tests/fuzz/run builds and runs it. */
#include "fuzz.h"

#include "align/detokenise.h"
#include "align/links.h"
#include "base/memory.h"
#include "render/pictures.h"
#include "text/normalise.h"

#include <stdlib.h>
#include <string.h>

// What is taken must be a set, be written, and be read again the same.
static void fuzz_links(const char *text, size_t length)
{
    Links sure = {0}, possible = {0}, again = {0};
    Bytes out = {0};
    Error error;
    if (!links_parse(&sure, &possible, "fuzz", &(Line){text, length, 1, false}, &error)) {
        Writer writer = writer_start(&out, &error);
        links_write(&writer, &possible);
        require(writer_end(&writer) == STATUS_OK);
        require(links_parse(&again, &sure, "again", &(Line){out.data, out.length, 1, false},
                            &error) == STATUS_OK);
        require(again.count == possible.count);
        for (size_t i = 0; i < again.count; i++) require(links_contain(&possible, again.items[i]));
    }
    links_free(&sure);
    links_free(&possible);
    links_free(&again);
    bytes_free(&out);
}

// What two halves of a line say becomes a set between their intersection and their union.
static void fuzz_symmetrize(const char *text, size_t length)
{
    enum { MAX_INDEX = 99 }; // what larger links need in memory is no fault
    Links sides[2] = {{0}, {0}}, possible = {0}, joint[3] = {{0}, {0}, {0}};
    Error error;
    bool taken = true;
    for (size_t side = 0; side < 2; side++) {
        size_t begin = side * (length / 2), half = side ? length - length / 2 : length / 2;
        taken &= !links_parse(&possible, &sides[side], "fuzz",
                              &(Line){text + begin, half, 1, false}, &error) &&
                 !links_check(&sides[side], MAX_INDEX, MAX_INDEX, "fuzz", 1, &error);
    }
    for (size_t way = 0; way < 3 && taken; way++)
        require(links_symmetrize(&joint[way], (Symmetrization)way, &sides[0], &sides[1], &error) ==
                STATUS_OK);
    const Links *grown = &joint[SYMMETRIZE_GROW_DIAG_FINAL_AND];
    const Links *inner = &joint[SYMMETRIZE_INTERSECTION], *outer = &joint[SYMMETRIZE_UNION];
    for (size_t i = 0; i < inner->count; i++) require(links_contain(grown, inner->items[i]));
    for (size_t i = 0; i < grown->count; i++) require(links_contain(outer, grown->items[i]));
    links_free(&sides[0]);
    links_free(&sides[1]);
    links_free(&possible);
    for (size_t way = 0; way < 3; way++) links_free(&joint[way]);
}

// The text of a normal line of tokens is in normal form, and holds as many units as the line words.
static void fuzz_detokenise(const char *text, size_t length)
{
    Bytes line = {0}, again = {0};
    DetokenisedText made = {0};
    Spans words = {0};
    Error error;
    require(normalise(&line, text, length, NULL, &error) == STATUS_OK);
    const char *normal = line.data ? line.data : "";
    require(detokenise(&made, normal, line.length, &error) == STATUS_OK);
    require(units_split(&words, UNITS_WORDS, normal, line.length, &error) == STATUS_OK);
    require(made.units.count == words.count);
    const char *joined = made.text.data ? made.text.data : "";
    require(normalise(&again, joined, made.text.length, NULL, &error) == STATUS_OK);
    require(again.length == made.text.length &&
            !memcmp(again.data ? again.data : "", joined, again.length));
    bytes_free(&line);
    bytes_free(&again);
    detokenised_text_free(&made);
    spans_free(&words);
}

// Units lie in order within the text, and plain shades hold no control character.
static void fuzz_picture(const char *text, size_t length, UnitKind kind, size_t columns)
{
    Spans units = {0};
    Bytes out = {0};
    Error error;
    require(units_split(&units, kind, text, length, &error) == STATUS_OK);
    for (size_t i = 0, end = 0; i < units.count; i++) {
        require(units.items[i].begin >= end && units.items[i].end > units.items[i].begin);
        end = units.items[i].end;
        require(end <= length);
    }
    float *weights = memory_new(units.count * units.count, sizeof *weights);
    require(weights != NULL);
    Labels labels = {text, &units};
    Picture picture = {weights, labels, labels};
    Writer writer = writer_start(&out, &error);
    heatmap_write(&writer, &picture, HEATMAP_SHADES, columns);
    require(writer_end(&writer) == STATUS_OK);
    for (size_t i = 0; i < out.length; i++) {
        unsigned char byte = (unsigned char)out.data[i];
        require((byte >= 0x20 && byte != 0x7F) || byte == '\n');
    }
    memory_free(weights);
    spans_free(&units);
    bytes_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const char *text = (const char *)data + 1;
    size_t length = size - 1 < 256 ? size - 1 : 256; // pictures grow with the square
    fuzz_links(text, size - 1);
    fuzz_symmetrize(text, size - 1);
    fuzz_detokenise(text, size - 1);
    fuzz_picture(text, length, data[0] & 1 ? UNITS_WORDS : UNITS_CHARACTERS, data[0] >> 1);
    return 0;
}
