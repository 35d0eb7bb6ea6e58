#include "reading/variable.h"

#include "base/ascii.h"
#include "text/utf8.h"

enum { MOST_BYTES = 64 }; // in brackets, so that a line takes linear time

// Whether a text has one of these at a place.
static bool has_one(TextView text, size_t at, const char *characters)
{
    const char c = text_view_at(text, at);
    return c != '\0' && strchr(characters, c);
}

// Behind the word that begins at a place; the place if there is none.
static size_t name_end(TextView text, size_t at)
{
    while (ascii_is_alphanumeric(text_view_at(text, at)) || text_view_at(text, at) == '_') at++;
    return at;
}

static size_t bracket_end(TextView text, size_t begin)
{
    size_t at = begin;
    while (text_view_at(text, at) == '{' && at - begin < MOST_BYTES) at++;
    size_t opened = at - begin, closed = 0;
    at += text_view_at(text, at) == ' ';
    while (text_view_at(text, at) && at - begin < MOST_BYTES && !has_one(text, at, " {}")) at++;
    at += text_view_at(text, at) == ' ';
    for (; closed < opened && text_view_at(text, at) == '}'; at++) closed++;
    return opened > 0 && closed == opened ? at : begin;
}

static size_t html_tag_end(TextView text, size_t begin)
{
    size_t at = begin + 1;
    at += text_view_at(text, at) == '/';
    if (name_end(text, at) == at) return begin;
    while (text_view_at(text, at) && !has_one(text, at, "<>")) at++;
    return text_view_at(text, at) == '>' ? at + 1 : begin;
}

static size_t conversion_end(TextView text, size_t begin)
{
    size_t at = begin + 1;
    if (text_view_at(text, at) == '(' && text_view_at(text, name_end(text, at + 1)) == ')')
        at = name_end(text, at + 1) + 1;
    while (has_one(text, at, "0123456789$.+#-lh")) at++;
    const bool ends = has_one(text, at, "sdiufgexXc@") &&
                      !utf8_is_in_word(utf8_at(text.data, text.length, at + 1));
    return ends ? at + 1 : begin;
}

size_t variable_end(TextView text, size_t begin)
{
    size_t end = begin + 1;
    switch (text_view_at(text, begin)) {
    case '{':
        return bracket_end(text, begin);
    case '$':
        end = bracket_end(text, end);
        return end > begin + 1 ? end : begin;
    case '<':
        return html_tag_end(text, begin);
    case '%':
        return conversion_end(text, begin);
    default:
        return begin;
    }
}
