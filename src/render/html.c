#include "render/html.h"

#include "io/json.h"
#include "render/colour_map.h"
#include "render/page.h"

#include <string.h>

enum { UNIT = 1000, BASE = 64, FIRST_RUN = UNIT / BASE + 1 };

size_t html_matrices(size_t heads)
{
    return heads > 1 ? heads + 1 : 1;
}

// The last zeros of a matrix, and then a number if it is not 0.
static void write_number(Writer *out, size_t *zeros, int per_mille)
{
    static const char digits[BASE + 1] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { LONGEST_RUN = BASE - FIRST_RUN };
    while (*zeros) {
        size_t run = *zeros < LONGEST_RUN ? *zeros : LONGEST_RUN;
        writer_bytes(out, &digits[FIRST_RUN + run - 1], 1);
        *zeros -= run;
    }
    char number[2] = {digits[per_mille / BASE], digits[per_mille % BASE]};
    if (per_mille) writer_bytes(out, number, sizeof number);
}

static void write_matrix(Writer *out, const float *weights, size_t count)
{
    size_t zeros = 0;
    for (size_t i = 0; i < count; i++) {
        float weight = weights[i]; // the rounding of a softmax may pass 1; NaN becomes 0
        int per_mille = weight > 0 ? weight < 1 ? (int)(weight * UNIT + 0.5F) : UNIT : 0;
        if (per_mille == 0)
            zeros++;
        else
            write_number(out, &zeros, per_mille);
    }
    write_number(out, &zeros, 0);
}

// A list of labels, each from where the one before ends; NULL on failure.
static json_t *labels_json(Labels labels)
{
    json_t *list = json_array();
    for (size_t i = 0; i < labels.units->count; i++) {
        size_t begin = i ? labels.units->ends[i - 1] : 0;
        json_t *label = json_stringn(labels.text + begin, labels.units->ends[i] - begin);
        if (!list || json_array_append_new(list, label)) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *matrices_json(const HtmlView *view, size_t matrices)
{
    json_t *list = json_array();
    Bytes numbers = {0};
    size_t count = view->source.units->count * view->target.units->count;
    bool failed = !list;
    for (size_t i = 0; i < matrices && !failed; i++) {
        bytes_clear(&numbers);
        Writer out = writer_start(&numbers, NULL);
        write_matrix(&out, view->weights[i], count);
        json_t *string = json_stringn(numbers.data ? numbers.data : "", numbers.length);
        failed = writer_end(&out) || json_array_append_new(list, string);
    }
    bytes_free(&numbers);
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

static json_t *view_json(const HtmlView *view, size_t matrices)
{
    // "o" takes the references, also when it fails, and fails for NULL
    return json_pack("{s:o, s:o, s:o}", "source", labels_json(view->source), "target",
                     labels_json(view->target), "weights", matrices_json(view, matrices));
}

static json_t *page_json(const HtmlPage *page)
{
    enum { COLOURS = 101 };
    json_t *colours = json_array();
    for (int i = 0; i < COLOURS && colours; i++) {
        Colour colour = colour_map_rgb((float)i / (COLOURS - 1));
        json_t *name = json_sprintf("#%02x%02x%02x", colour.red, colour.green, colour.blue);
        if (!json_array_append_new(colours, name)) continue;
        json_decref(colours);
        colours = NULL;
    }
    return json_pack("{s:s, s:s, s:[s, s], s:I, s:o}", "model", page->model, "attention",
                     page->attention, "units", page->units[0], page->units[1], "heads",
                     (json_int_t)page->heads, "ramp", colours);
}

/* JSON inside <script>: no text in it may look like a tag, above all not like </script>. A `<` can
 * only stand in a string, where an escape says the same. */
static void write_for_script(Writer *out, const char *json, size_t length)
{
    for (size_t at = 0; at < length; at++) {
        const char *tag = memchr(json + at, '<', length - at);
        size_t plain = (tag ? (size_t)(tag - json) : length) - at;
        writer_bytes(out, json + at, plain);
        if (tag) writer_string(out, "\\u003c");
        at += plain;
    }
}

// Writes an object, of which it takes the reference, without its last `cut` bytes.
static void write_object(Writer *out, json_t *json, size_t cut)
{
    Bytes text = {0};
    Writer writer = writer_start(&text, out->error);
    writer.status = out->status;
    json_write(&writer, json, JSON_COMPACT);
    out->status = writer_end(&writer);
    if (!out->status) write_for_script(out, text.data, text.length - cut);
    bytes_free(&text);
}

void html_begin(Writer *out, const HtmlPage *page)
{
    const char *mark = strstr(page_html, PAGE_PAIRS);
    writer_bytes(out, page_html, (size_t)(mark - page_html));
    write_object(out, page_json(page), 1); // its } stands behind the pairs
    writer_string(out, ",\"pairs\":[");
}

void html_add(Writer *out, const HtmlPage *page, const HtmlPair *pair, size_t number)
{
    size_t matrices = html_matrices(page->heads);
    writer_string(out, number ? ",\n" : "\n");
    json_t *words = view_json(&pair->words, matrices);
    json_t *subwords = view_json(&pair->subwords, matrices);
    write_object(out, json_pack("{s:o, s:o}", "words", words, "subwords", subwords), 0);
}

void html_end(Writer *out)
{
    writer_string(out, "]}");
    writer_string(out, strstr(page_html, PAGE_PAIRS) + sizeof PAGE_PAIRS - 1);
}
