#include "html/charset.h"

#include "base/utf8_sequence.h"
#include "html/element.h"
#include "io/text_encoding.h"
#include "text/word_list.h"

#include <stdio.h>
#include <strings.h>

// What browsers take these to mean (WHATWG, Encoding Standard, section 4.2).
static const char *const meanings[][2] = {
    {"utf8 unicode-1-1-utf-8 utf-16 utf-16le utf-16be", "utf-8"},
    {"ascii us-ascii iso-8859-1 iso8859-1 latin1 l1 cp1252", "WINDOWS-1252"},
    {"iso-8859-9 latin5", "WINDOWS-1254"},
    {"gb2312 gbk x-gbk", "GB18030"},
    {"big5", "BIG5-HKSCS"},
    {"shift_jis shift-jis sjis x-sjis", "CP932"},
    {"euc-kr ks_c_5601-1987", "CP949"},
};

// The label in content="text/html; charset=label".
static TextView label_in(TextView content)
{
    static const char before[] = "charset=";
    for (size_t i = 0; i + sizeof before <= content.length; i++) {
        if (strncasecmp(content.data + i, before, sizeof before - 1) != 0) continue;
        TextView label = {content.data + i + sizeof before - 1, 0};
        while (label.data + label.length < content.data + content.length &&
               !strchr(" ;\"'", label.data[label.length]))
            label.length++;
        return label;
    }
    return (TextView){0};
}

enum { LOOKED_AT = 1024 };

// What <meta> calls the encoding, in the first bytes; empty if there is none.
static TextView find_label(const Bytes *html, size_t most)
{
    size_t length = html->length < most ? html->length : most;
    HtmlReader reader = {.text = {bytes_text(html), length}};
    HtmlToken token;
    TextView label = {0};
    while (label.length == 0 && html_next(&reader, &token)) {
        if (token.kind != HTML_START || !html_is_called(token.name, "meta")) continue;
        if (!html_attribute(&token, "charset", &label) && html_attribute(&token, "content", &label))
            label = label_in(label);
    }
    return label;
}

// Makes it UTF-8, if the C library knows the encoding.
static Status decode(Bytes *html, const char *encoding, char charset[CHARSET_SIZE], Error *error)
{
    Bytes text = {0};
    TextDecoder *decoder;
    TRY(text_decoder_open(&decoder, encoding, error));
    if (!decoder) return STATUS_OK;
    Status status = text_decoder_append(decoder, &text, html->data, html->length, true, error);
    text_decoder_close(decoder);
    bytes_free(status ? &text : html);
    if (status) return status;
    *html = text;
    (void)snprintf(charset, CHARSET_SIZE, "%s", encoding);
    return STATUS_OK;
}

// Replaces the label in the document.
static Status relabel(Bytes *html, TextView label, Error *error)
{
    Bytes text = {0};
    size_t begin = (size_t)(label.data - html->data), end = begin + label.length;
    TRY(bytes_reserve(&text, html->length + sizeof "utf-8", error));
    (void)bytes_append(&text, html->data, begin, error);
    (void)bytes_append_string(&text, "utf-8", error);
    (void)bytes_append(&text, html->data + end, html->length - end, error);
    bytes_free(html);
    *html = text;
    return STATUS_OK;
}

Status html_decode(Bytes *html, char charset[CHARSET_SIZE], Error *error)
{
    const char *guessed = text_encoding_guess(bytes_text(html), html->length);
    char said[CHARSET_SIZE] = "utf-8";
    bool marked = utf8_mark_length(bytes_text(html), html->length) > 0;
    bool wide = guessed && strncmp(guessed, "UTF-16", 6) == 0;
    TextView label = find_label(html, LOOKED_AT);
    charset[0] = 0;
    if (label.length > 0 && label.length < CHARSET_SIZE)
        (void)snprintf(said, sizeof said, "%.*s", (int)label.length, label.data);
    else if (guessed)
        (void)snprintf(said, sizeof said, "%s", guessed);
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings && !wide; i++)
        if (word_list_find(meanings[i][0], said, strlen(said)))
            (void)snprintf(said, sizeof said, "%s", meanings[i][1]);
    if (!marked && strcasecmp(said, "utf-8") != 0) TRY(decode(html, said, charset, error));
    label = find_label(html, 3 * LOOKED_AT); // a byte has become three at most
    return charset[0] && label.length > 0 ? relabel(html, label, error) : STATUS_OK;
}
