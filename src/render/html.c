#include "render/html.h"

#include "io/json.h"
#include "text/utf8.h"

enum { BASE = 64, FIRST_RUN = 1000 / BASE + 1 };

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
        int per_mille = weight_per_mille(weights[i]);
        if (per_mille == 0)
            zeros++;
        else
            write_number(out, &zeros, per_mille);
    }
    write_number(out, &zeros, 0);
}

/* A JSON string inside <script>: no text in it may look like a tag, above all not like </script>,
 * so `<` is escaped. */
static void write_string(Writer *out, const char *text, size_t length)
{
    FREED_BY(bytes_free) Bytes json = {0};
    Writer writer = writer_start(&json, out->error);
    writer.status = out->status;
    json_write(&writer, json_stringn(text, length), JSON_ENCODE_ANY);
    out->status = writer_end(&writer);
    for (size_t i = 0; i < json.length; i++)
        if (json.data[i] == '<')
            writer_string(out, "\\u003c");
        else
            writer_bytes(out, &json.data[i], 1);
}

// A file's name may be any bytes; what is not UTF-8 becomes U+FFFD.
static void write_member(Writer *out, const char *name, const char *text)
{
    FREED_BY(bytes_free) Bytes decoded = {0};
    for (size_t at = 0, length = strlen(text); at < length && !out->status;)
        out->status = utf8_append(&decoded, utf8_next(text, length, &at), out->error);
    writer_format(out, "\"%s\":", name);
    write_string(out, bytes_text(&decoded), decoded.length);
    writer_string(out, ",");
}

// A list of labels, each from where the one before ends.
static void write_labels(Writer *out, const char *name, Labels labels)
{
    writer_format(out, "\"%s\":[", name);
    for (size_t i = 0, begin = 0, end; i < labels.units->count; i++, begin = end) {
        end = labels.units->items[i].end;
        writer_string(out, i ? "," : "");
        write_string(out, labels.text + begin, end - begin);
    }
    writer_string(out, "],");
}

static void write_view(Writer *out, const char *name, const AlignmentView *view, size_t matrices)
{
    size_t count = view->source.units->count * view->target.units->count;
    writer_format(out, "\"%s\":{", name);
    write_labels(out, "source", view->source);
    write_labels(out, "target", view->target);
    writer_string(out, "\"weights\":[");
    for (size_t i = 0; i < matrices; i++) {
        writer_string(out, i ? ",\"" : "\"");
        write_matrix(out, view->weights[i], count);
        writer_string(out, "\"");
    }
    writer_string(out, "]}");
}

void html_begin(Writer *out, const HtmlPage *page)
{
    const char *mark = strstr(page_html, PAGE_PAIRS);
    writer_bytes(out, page_html, (size_t)(mark - page_html));
    writer_string(out, "{");
    write_member(out, "model", page->model);
    write_member(out, "attention", page->attention);
    if (page->shows) write_member(out, "shows", page->shows);
    writer_format(out, "\"units\":[\"%s\",\"%s\"],\"heads\":%zu,\"pairs\":[",
                  unit_kind_names[page->units[0]], unit_kind_names[page->units[1]], page->heads);
}

void html_add(Writer *out, const HtmlPage *page, const AlignedPair *pair, size_t number)
{
    size_t matrices = html_matrices(page->heads);
    writer_string(out, number ? ",\n{" : "\n{");
    write_view(out, "words", &pair->words, matrices);
    writer_string(out, ",");
    write_view(out, "subwords", &pair->subwords, matrices);
    if (pair->links) {
        writer_string(out, ",\"links\":\"");
        links_write(out, pair->links);
        writer_string(out, "\"");
    }
    if (pair->differ[0]) {
        writer_string(out, ",\"differ\":[\"");
        links_write(out, pair->differ[0]);
        writer_string(out, "\",\"");
        links_write(out, pair->differ[1]);
        writer_string(out, "\"]");
    }
    writer_string(out, "}");
}

void html_end(Writer *out)
{
    writer_string(out, "]}");
    writer_string(out, strstr(page_html, PAGE_PAIRS) + sizeof PAGE_PAIRS - 1);
}
