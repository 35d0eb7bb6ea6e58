/* What holds for every translation of an HTML document with its tags in place, whatever its words: for tests
 * and for fuzzing. */
#pragma once

#include "html/element.h"
#include "html/token.h"
#include "text/html_reference.h"
#include "text/normalise.h"
#include "text/utf8.h"

#include <stdbool.h>
#include <string.h>

static inline bool sound_html_is_tag(const HtmlToken *token)
{
    return token->kind == HTML_START || token->kind == HTML_END;
}

// Whether every start tag but those of void elements has its end tag, properly nested.
static inline bool sound_html_is_nested(TextView html)
{
    enum { MOST = 4096 };
    TextView open[MOST];
    size_t depth = 0;
    HtmlReader reader = {.text = html};
    HtmlToken token;
    while (html_next(&reader, &token)) {
        if (!sound_html_is_tag(&token)) continue;
        if (token.kind == HTML_START && token.self_closed) continue;
        if (html_element(token.name) & HTML_VOID) continue;
        if (token.kind == HTML_START && depth == MOST) return false;
        if (token.kind == HTML_START)
            open[depth++] = token.name;
        else if (depth == 0 || !html_name_equal(open[--depth], token.name))
            return false;
    }
    return depth == 0;
}

// How often a token's bytes are a token of the document.
static inline size_t sound_html_count(TextView html, const HtmlToken *wanted)
{
    size_t count = 0;
    HtmlReader reader = {.text = html};
    HtmlToken token;
    while (html_next(&reader, &token))
        count += token.kind == wanted->kind && token.bytes.length == wanted->bytes.length &&
                 !memcmp(token.bytes.data, wanted->bytes.data, token.bytes.length);
    return count;
}

// How many elements that may be written several times or never have nothing in them but white space.
static inline size_t sound_html_hollow(TextView html)
{
    size_t count = 0;
    bool opened = false;
    HtmlReader reader = {.text = html};
    HtmlToken token;
    TextView value;
    while (html_next(&reader, &token)) {
        size_t space = 0;
        while (space < token.bytes.length && token.bytes.data[space] &&
               strchr(" \t\r\n\f", token.bytes.data[space]))
            space++;
        if (token.kind == HTML_TEXT && space == token.bytes.length) continue;
        count += opened && token.kind == HTML_END;
        opened = token.kind == HTML_START && !token.self_closed &&
                 html_element(token.name) & HTML_REPEATS && !html_attribute(&token, "id", &value) &&
                 !html_attribute(&token, "name", &value);
    }
    return count;
}

/* Whether every tag of one document is in the other, but those of elements that may go with their words,
 * and whatever is not a tag of an element with content as often as it was; and whether no more elements are
 * left empty. */
static inline bool sound_html_has_all(TextView html, TextView translated)
{
    HtmlReader reader = {.text = html};
    HtmlToken token;
    while (html_next(&reader, &token)) {
        if (token.kind == HTML_TEXT) continue;
        size_t there = sound_html_count(translated, &token);
        bool once = token.kind == HTML_OTHER || (token.kind == HTML_START && token.self_closed) ||
                    html_element(token.name) & HTML_VOID;
        bool may_go = sound_html_is_tag(&token) && html_element(token.name) & HTML_REPEATS;
        if ((there == 0 && !may_go) || (once && there != sound_html_count(html, &token)))
            return false;
    }
    return sound_html_hollow(translated) <= sound_html_hollow(html);
}

// Passes over an element that is like one character, up to its end tag.
static inline void sound_html_skip(HtmlReader *reader, const HtmlToken *tag)
{
    HtmlToken token;
    for (size_t depth = 1; depth > 0 && html_next(reader, &token);) {
        bool same = sound_html_is_tag(&token) && html_name_equal(token.name, tag->name);
        if (same && token.kind == HTML_END) depth--;
        if (same && token.kind == HTML_START && !token.self_closed) depth++;
    }
}

// Whether the document's text, its white space collapsed, is `text`, in normal form.
static inline bool sound_html_says(TextView html, TextView text)
{
    Bytes seen = {0}, normal = {0};
    HtmlReader reader = {.text = html};
    HtmlToken token;
    Status status = STATUS_OK;
    while (html_next(&reader, &token) && !status) {
        bool opens = token.kind == HTML_START && !token.self_closed;
        if (opens && html_element(token.name) & HTML_GRAPHIC) sound_html_skip(&reader, &token);
        for (size_t at = 0; at < token.bytes.length && token.kind == HTML_TEXT && !status;) {
            uint32_t c = html_character(token.bytes.data, token.bytes.length, &at);
            if (c != HTML_UNKNOWN) status = utf8_append(&seen, c, NULL);
        }
    }
    if (!status) status = normalise(&normal, bytes_text(&seen), seen.length, NULL, NULL);
    bool same = !status && normal.length == text.length &&
                !memcmp(bytes_text(&normal), text.data, text.length);
    bytes_free(&seen);
    bytes_free(&normal);
    return same;
}
