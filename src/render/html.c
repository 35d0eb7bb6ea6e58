#include "render/html.h"

#include "render/page.h"
#include "render/ramp.h"

#include <jansson.h>
#include <string.h>

enum { UNIT = 1000, BASE = 64, FIRST_RUN = UNIT / BASE + 1 };

size_t html_matrices(size_t heads)
{
    return heads > 1 ? heads + 1 : 1;
}

// Cuts `out` back to what it was before something failed.
static Status ended(Status status, Bytes *out, size_t before)
{
    if (status && out->data) {
        out->length = before;
        out->data[before] = '\0';
    }
    return status;
}

// The last zeros of a matrix, and then a number if it is not 0.
static Status write_number(Bytes *out, size_t *zeros, int per_mille, Error *error)
{
    static const char digits[BASE + 1] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { LONGEST_RUN = BASE - FIRST_RUN };
    Status status = STATUS_OK;
    while (*zeros && !status) {
        size_t run = *zeros < LONGEST_RUN ? *zeros : LONGEST_RUN;
        status = bytes_append(out, &digits[FIRST_RUN + run - 1], 1, error);
        *zeros -= run;
    }
    char number[2] = {digits[per_mille / BASE], digits[per_mille % BASE]};
    return status || per_mille == 0 ? status : bytes_append(out, number, sizeof number, error);
}

static Status write_matrix(Bytes *out, const float *weights, size_t count, Error *error)
{
    size_t zeros = 0;
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        float weight = weights[i]; // the rounding of a softmax may pass 1; NaN becomes 0
        int per_mille = weight > 0 ? weight < 1 ? (int)(weight * UNIT + 0.5F) : UNIT : 0;
        if (per_mille == 0)
            zeros++;
        else
            status = write_number(out, &zeros, per_mille, error);
    }
    return status ? status : write_number(out, &zeros, 0, error);
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
        failed = write_matrix(&numbers, view->weights[i], count, NULL) ||
                 json_array_append_new(
                     list, json_stringn(numbers.data ? numbers.data : "", numbers.length));
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
    json_t *ramp = json_array();
    for (int i = 0; i < COLOURS && ramp; i++) {
        Colour colour = ramp_colour((float)i / (COLOURS - 1));
        json_t *name = json_sprintf("#%02x%02x%02x", colour.red, colour.green, colour.blue);
        if (!json_array_append_new(ramp, name)) continue;
        json_decref(ramp);
        ramp = NULL;
    }
    return json_pack("{s:s, s:s, s:[s, s], s:I, s:o}", "model", page->model, "attention",
                     page->attention, "units", page->units[0], page->units[1], "heads",
                     (json_int_t)page->heads, "ramp", ramp);
}

typedef struct Sink {
    Bytes *out;
    Error *error;
    Status status;
} Sink;

/* JSON inside <script>: no text in it may look like a tag, above all not like </script>. A `<` can
 * only stand in a string, where an escape says the same. */
static int append_for_script(const char *data, size_t length, void *context)
{
    Sink *sink = context;
    for (size_t at = 0; at < length && !sink->status; at++) {
        const char *tag = memchr(data + at, '<', length - at);
        size_t plain = (tag ? (size_t)(tag - data) : length) - at;
        sink->status = bytes_append(sink->out, data + at, plain, sink->error);
        if (!sink->status && tag)
            sink->status = bytes_append_string(sink->out, "\\u003c", sink->error);
        at += plain;
    }
    return sink->status ? -1 : 0;
}

// Appends and releases it. NULL is what could not be made.
static Status append_json(Bytes *out, json_t *json, Error *error)
{
    if (!json)
        return error_set(error, STATUS_ARGUMENT,
                         "a pair cannot be written as JSON: it is not UTF-8 (normalise the text), "
                         "or memory is short");
    Sink sink = {out, error, STATUS_OK};
    int failed = json_dump_callback(json, append_for_script, &sink, JSON_COMPACT);
    json_decref(json);
    if (failed && !sink.status) return error_memory(error, out->length, "a page");
    return sink.status;
}

static Status write_begin(const HtmlPage *page, Bytes *out, Error *error)
{
    const char *mark = strstr(page_html, PAGE_PAIRS);
    Status status = bytes_append(out, page_html, (size_t)(mark - page_html), error);
    if (!status) status = append_json(out, page_json(page), error);
    if (status) return status;
    out->length--; // the object's }, which stands behind the pairs
    return bytes_append_string(out, ",\"pairs\":[", error);
}

Status html_begin(const HtmlPage *page, Bytes *out, Error *error)
{
    size_t before = out->length;
    return ended(write_begin(page, out, error), out, before);
}

Status html_add(const HtmlPage *page, const HtmlPair *pair, size_t number, Bytes *out, Error *error)
{
    size_t before = out->length, matrices = html_matrices(page->heads);
    Status status = bytes_append_string(out, number ? ",\n" : "\n", error);
    if (!status) {
        json_t *words = view_json(&pair->words, matrices);
        json_t *subwords = view_json(&pair->subwords, matrices);
        json_t *both = json_pack("{s:o, s:o}", "words", words, "subwords", subwords);
        status = append_json(out, both, error);
    }
    return ended(status, out, before);
}

Status html_end(Bytes *out, Error *error)
{
    size_t before = out->length;
    const char *rest = strstr(page_html, PAGE_PAIRS) + sizeof PAGE_PAIRS - 1;
    Status status = bytes_append_string(out, "]}", error);
    if (!status) status = bytes_append_string(out, rest, error);
    return ended(status, out, before);
}
