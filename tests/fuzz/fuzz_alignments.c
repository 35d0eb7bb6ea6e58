/* For libFuzzer: lines of links, cutting into units, and the pictures drawn of them take any bytes.
 *
 * tests/fuzz/run builds and runs it. */
#include "align/heatmap.h"
#include "align/links.h"
#include "base/memory.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

// What is taken must be a set, be written, and be read again the same.
static void fuzz_links(const char *text, size_t length)
{
    Links sure = {0}, possible = {0}, again = {0};
    Bytes out = {0};
    Error error;
    if (!links_parse(text, length, "fuzz", 1, &sure, &possible, &error)) {
        require(links_write_pharaoh(&possible, &out, &error) == STATUS_OK);
        require(links_parse(out.data, out.length, "again", 1, &again, &sure, &error) == STATUS_OK);
        require(again.count == possible.count);
        for (size_t i = 0; i < again.count; i++) require(links_contain(&possible, again.items[i]));
    }
    links_free(&sure);
    links_free(&possible);
    links_free(&again);
    bytes_free(&out);
}

// Units lie in order within the text, and plain shades hold no control character.
static void fuzz_picture(const char *text, size_t length, UnitKind kind, size_t columns)
{
    Units units = {0};
    Bytes out = {0};
    Error error;
    require(units_split(&units, kind, text, length, &error) == STATUS_OK);
    for (size_t i = 0, end = 0; i < units.count; i++) {
        require(units.begins[i] >= end && units.ends[i] > units.begins[i]);
        end = units.ends[i];
        require(end <= length);
    }
    float *weights = memory_new(units.count * units.count, sizeof *weights);
    require(weights != NULL);
    Labels labels = {text, &units};
    require(heatmap_write(weights, labels, labels, HEATMAP_SHADES, columns, &out, &error) ==
            STATUS_OK);
    for (size_t i = 0; i < out.length; i++) {
        unsigned char byte = (unsigned char)out.data[i];
        require((byte >= 0x20 && byte != 0x7F) || byte == '\n');
    }
    memory_free(weights);
    units_free(&units);
    bytes_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const char *text = (const char *)data + 1;
    size_t length = size - 1 < 256 ? size - 1 : 256; // pictures grow with the square
    fuzz_links(text, size - 1);
    fuzz_picture(text, length, data[0] & 1 ? UNITS_WORDS : UNITS_CHARACTERS, data[0] >> 1);
    return 0;
}
