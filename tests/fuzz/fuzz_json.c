/* Any texts in the lines of JSON that align and translate print: each line is JSON, and says the texts again.
 *
 * tests/fuzz/run builds and runs it. Of the first byte one bit says whether the texts are in normal form, as the program
 * has them; raw bytes must be refused unless they are UTF-8. */
#include "fuzz.h"

#include "base/memory.h"
#include "base/utf8_sequence.h"
#include "render/pictures.h"
#include "translate/translation_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// One line of JSON without a character that would steer a terminal.
static json_t *parsed(const Bytes *out)
{
    size_t length = out->length;
    if (length > 0 && out->data[length - 1] == '\n') length--;
    for (size_t i = 0, taken; i < length; i += taken) {
        taken = utf8_sequence(out->data + i);
        require(taken && !utf8_control(out->data + i, taken));
    }
    json_t *json = json_loadb(out->data, length, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
    require(json != NULL);
    return json;
}

static void require_text(const json_t *json, const char *text, size_t length)
{
    require(json_string_length(json) == length);
    require(!length || !memcmp(json_string_value(json), text, length));
}

static void fuzz_translation(Bytes *source, Bytes *target)
{
    double score = source->length ? -1.0 / (double)source->length : -1e300;
    Rendering rendering = {.text = *target, .score = (real)score, .log_p = score};
    Translation translation = {.source = *source, .renderings = &rendering, .count = 1};
    Bytes out = {0};
    Error error = {0};
    Writer writer = writer_start(&out, &error);
    translation_json_write(&writer, &translation, 7, &(TranslationParts){0});
    if (writer_end(&writer)) {
        require(error.text[0]);
    } else {
        json_t *json = parsed(&out);
        require_text(json_object_get(json, "source"), bytes_text(source), source->length);
        const json_t *first = json_array_get(json_object_get(json, "translations"), 0);
        require_text(json_object_get(first, "text"), bytes_text(target), target->length);
        json_decref(json);
    }
    bytes_free(&out);
}

static void fuzz_alignment(const Bytes *source, const Bytes *target, UnitKind kind, bool normal)
{
    Spans units[2] = {{0}, {0}};
    Bytes out = {0};
    Links links = {0};
    Error error = {0};
    require(units_split(&units[0], kind, bytes_text(source), source->length, &error) == STATUS_OK);
    require(units_split(&units[1], kind, bytes_text(target), target->length, &error) == STATUS_OK);
    float *weights = memory_new(units[0].count * units[1].count, sizeof *weights);
    require(weights != NULL);
    for (size_t i = 0; i < units[0].count * units[1].count; i++) weights[i] = (float)(i % 3) / 2;
    Labels labels[2] = {{bytes_text(source), &units[0]}, {bytes_text(target), &units[1]}};
    const float *const matrices[] = {weights};
    const AlignmentView view = {labels[0], labels[1], matrices};
    AlignedPair pair = {.words = view, .subwords = view, .links = &links};
    Writer writer = writer_start(&out, &error);
    alignment_json_write(&writer, &pair);
    Status status = writer_end(&writer);
    require(!normal || !status);
    if (status) {
        require(error.text[0]);
    } else {
        json_t *json = parsed(&out);
        require(json_array_size(json_object_get(json, "weights")) == units[1].count);
        for (size_t i = 0; i < units[0].count; i++)
            require_text(json_array_get(json_object_get(json, "source"), i),
                         labels[0].text + units[0].items[i].begin,
                         units[0].items[i].end - units[0].items[i].begin);
        json_decref(json);
    }
    memory_free(weights);
    spans_free(&units[0]);
    spans_free(&units[1]);
    bytes_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const char *text = (const char *)data + 1;
    size_t length = size - 1 < 256 ? size - 1 : 256; // matrices grow with the square
    bool normal = data[0] & 1;
    Bytes source = {0}, target = {0};
    take_text(&source, text, length / 2, normal);
    take_text(&target, text + length / 2, length - length / 2, normal);
    fuzz_translation(&source, &target);
    fuzz_alignment(&source, &target, data[0] & 2 ? UNITS_WORDS : UNITS_CHARACTERS, normal);
    bytes_free(&source);
    bytes_free(&target);
    return 0;
}
