#define _GNU_SOURCE // memmem
#include "html/token.h"

#include "base/ascii.h"
#include "html/element.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static bool begins(TextView text, size_t at, const char *word)
{
    size_t length = strlen(word);
    return text.length - at >= length && memcmp(text.data + at, word, length) == 0;
}

// The place behind the next `word`, or the end of the text.
static size_t behind(TextView text, size_t at, const char *word)
{
    const char *found = memmem(text.data + at, text.length - at, word, strlen(word));
    return found ? (size_t)(found - text.data) + strlen(word) : text.length;
}

static size_t skip_space(TextView tag, size_t at)
{
    while (at < tag.length && is_space(tag.data[at])) at++;
    return at;
}

// The end of a value without or with quotation marks, which begins at `at`.
static size_t value_end(TextView tag, size_t at, TextView *value)
{
    char quote = tag.data[at];
    if (quote != '"' && quote != '\'') {
        size_t begin = at;
        while (at < tag.length && !is_space(tag.data[at]) && tag.data[at] != '>') at++;
        *value = (TextView){tag.data + begin, at - begin};
        return at;
    }
    const char *end = memchr(tag.data + at + 1, quote, tag.length - at - 1);
    size_t stop = end ? (size_t)(end - tag.data) : tag.length;
    *value = (TextView){tag.data + at + 1, stop - at - 1};
    return end ? stop + 1 : stop;
}

bool html_next_attribute(TextView tag, size_t *at, HtmlAttribute *attribute)
{
    size_t i = *at;
    while (i < tag.length && (is_space(tag.data[i]) || tag.data[i] == '/')) i++;
    *at = i;
    if (i >= tag.length || tag.data[i] == '>') return false;
    size_t begin = i++; // an equals sign here is part of the name
    while (i < tag.length && !is_space(tag.data[i]) && tag.data[i] != '/' && tag.data[i] != '>' &&
           tag.data[i] != '=')
        i++;
    *attribute = (HtmlAttribute){.name = {tag.data + begin, i - begin}};
    *at = i;
    i = skip_space(tag, i);
    if (i == tag.length || tag.data[i] != '=') return true;
    i = skip_space(tag, i + 1);
    bool has_value = i < tag.length && tag.data[i] != '>';
    *at = has_value ? value_end(tag, i, &attribute->value) : i;
    return true;
}

static bool ends_name(char c)
{
    return is_space(c) || c == '/' || c == '>';
}

static size_t name_end(TextView text, size_t at)
{
    while (at < text.length && !ends_name(text.data[at])) at++;
    return at;
}

// Reads the tag at `at`; its name begins at `name`. Returns where it ends.
static size_t read_tag(TextView text, size_t at, size_t name, HtmlToken *token)
{
    HtmlAttribute attribute;
    size_t end = name_end(text, name), last;
    token->kind = name == at + 1 ? HTML_START : HTML_END;
    token->name = (TextView){text.data + name, end - name};
    do last = end;
    while (html_next_attribute(text, &end, &attribute));
    if (end == text.length) {
        token->kind = HTML_OTHER; // cut off: browsers show nothing of it
        return end;
    }
    token->self_closed = end > last && text.data[end - 1] == '/';
    return end + 1;
}

// The end of a comment whose text begins at `at`.
static size_t comment_end(TextView text, size_t at)
{
    if (begins(text, at, ">")) return at + 1;
    if (begins(text, at, "->")) return at + 2;
    text.length = behind(text, at, "-->");
    return behind(text, at, "--!>");
}

// The end of what begins with "<!" or "<?" at `at`.
static size_t declaration_end(const HtmlReader *reader, size_t at)
{
    TextView text = reader->text;
    if (begins(text, at, "<!--")) return comment_end(text, at + 4);
    if (reader->foreign > 0 && begins(text, at, "<![CDATA[")) return behind(text, at, "]]>");
    if (begins(text, at, "<?php") || begins(text, at, "<?=")) return behind(text, at, "?>");
    return behind(text, at, ">");
}

// Whether the name that begins at `at` is `name`, and something ends it.
static bool is_named(TextView text, size_t at, TextView name)
{
    size_t end = at + name.length;
    return end < text.length && ends_name(text.data[end]) &&
           html_name_equal((TextView){text.data + at, name.length}, name);
}

/* The end of the raw content at `at`: its element's end tag. In a script, "<!--" hides the end tags
 * of scripts that begin behind it, until "-->". */
static size_t raw_end(TextView text, size_t at, TextView name)
{
    bool script = html_is_called(name, "script"), escaped = false, hidden = false;
    if (html_is_called(name, "plaintext")) return text.length;
    for (; at < text.length; at++) {
        if (script && begins(text, at, "-->")) escaped = hidden = false;
        if (text.data[at] != '<') continue;
        bool ends = begins(text, at, "</");
        escaped = escaped || (script && begins(text, at, "<!--"));
        if (!is_named(text, at + 1 + ends, name)) continue;
        if (ends && !hidden) return at;
        hidden = escaped && !ends;
    }
    return text.length;
}

// Where the text at `at` ends: before the next "<" that begins something else.
static size_t text_end(TextView text, size_t at)
{
    for (;; at++) {
        const char *found = memchr(text.data + at, '<', text.length - at);
        if (!found) return text.length;
        at = (size_t)(found - text.data);
        char next = at + 1 < text.length ? text.data[at + 1] : ' ';
        if (ascii_is_letter(next) || next == '!' || next == '?') return at;
        if (next == '/' && at + 2 < text.length) return at;
    }
}

static size_t read_markup(const HtmlReader *reader, HtmlToken *token)
{
    TextView text = reader->text;
    size_t at = reader->at;
    char next = text.data[at + 1];
    token->kind = HTML_OTHER;
    if (ascii_is_letter(next)) return read_tag(text, at, at + 1, token);
    if (next != '/') return declaration_end(reader, at);
    if (ascii_is_letter(text.data[at + 2])) return read_tag(text, at, at + 2, token);
    return behind(text, at, ">");
}

// What a tag says of the content behind it.
static void enter_or_leave(HtmlReader *reader, HtmlToken *tag)
{
    unsigned properties = html_element(tag->name);
    bool starts = tag->kind == HTML_START;
    if (properties & HTML_FOREIGN) {
        if (starts && !tag->self_closed) reader->foreign++;
        if (!starts && reader->foreign > 0) reader->foreign--;
    } else if (starts && properties & HTML_RAW && reader->foreign == 0 &&
               !(reader->xml && tag->self_closed)) {
        reader->raw = tag->name;
        tag->self_closed = false;
    }
}

bool html_next(HtmlReader *reader, HtmlToken *token)
{
    TextView text = reader->text;
    size_t at = reader->at, end;
    *token = (HtmlToken){.kind = HTML_TEXT};
    if (at == text.length) return false;
    if (reader->raw.length > 0) {
        bool kept = html_element(reader->raw) & HTML_KEPT;
        end = raw_end(text, at, reader->raw);
        token->kind = kept ? HTML_OTHER : HTML_TEXT;
        token->raw = !kept;
        reader->raw = (TextView){0};
        if (end == at) return html_next(reader, token);
    } else {
        end = text_end(text, at);
        if (end == at) end = read_markup(reader, token);
        if (token->kind == HTML_START || token->kind == HTML_END) enter_or_leave(reader, token);
        reader->xml = reader->xml || begins(text, at, "<?xml ");
    }
    token->bytes = (TextView){text.data + at, end - at};
    reader->at = end;
    return true;
}

bool html_attribute(const HtmlToken *tag, const char *name, TextView *value)
{
    HtmlAttribute attribute;
    size_t at = 1 + tag->name.length;
    while (html_next_attribute(tag->bytes, &at, &attribute)) {
        *value = attribute.value;
        if (html_is_called(attribute.name, name)) return true;
    }
    return false;
}
