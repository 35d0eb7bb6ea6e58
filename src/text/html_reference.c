#include "text/html_reference.h"

#include "base/ascii.h"
#include "text/html_names.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

typedef struct Key {
    const char *name;
    size_t length;
} Key;

static int compare(const void *a, const void *b)
{
    const Key *key = a;
    const char *name = ((const HtmlName *)b)->name;
    int order = strncmp(key->name, name, key->length);
    return order ? order : -(name[key->length] != '\0');
}

static const HtmlName *find(const char *name, size_t length)
{
    return bsearch(&(Key){name, length}, html_names, html_name_count, sizeof *html_names, compare);
}

static bool is_digit(char c, bool hexadecimal)
{
    return ascii_is_digit(c) || (hexadecimal && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

// What browsers show for the numbers 0x80 … 0x9F, which are control characters: windows-1252's.
static uint32_t windows_1252(uint32_t number)
{
    static const uint16_t characters[32] = {
        0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    return characters[number - 0x80];
}

// "&#233;", "&#xE9;": at `text`[0] is the &.
static uint32_t read_number(const char *text, size_t length, size_t *used)
{
    bool hexadecimal = length > 2 && (text[2] == 'x' || text[2] == 'X');
    size_t at = hexadecimal ? 3 : 2, first = at;
    uint32_t number = 0;
    for (; at < length && is_digit(text[at], hexadecimal); at++) {
        uint32_t digit = (uint32_t)text[at];
        digit = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
        if (number <= 0x10FFFF) number = number * (hexadecimal ? 16 : 10) + digit;
    }
    if (at == first) return '&';
    *used = at + (at < length && text[at] == ';');
    if (number >= 0x80 && number < 0xA0) return windows_1252(number);
    bool is_none = number == 0 || number > 0x10FFFF || (number >= 0xD800 && number < 0xE000);
    return is_none ? UTF8_REPLACEMENT : number;
}

// "&eacute;", or the longest name without a semicolon that needs none.
static uint32_t read_name(const char *text, size_t length, size_t *used)
{
    enum { MAX_NAME = 32 }; // HTML's longest is CounterClockwiseContourIntegral
    size_t end = 1;
    while (end < length && end <= MAX_NAME && ascii_is_alphanumeric(text[end])) end++;
    bool closed = end > 1 && end < length && text[end] == ';';
    const HtmlName *name = closed && end - 1 <= MAX_HTML_NAME ? find(text + 1, end - 1) : NULL;
    *used = end + closed;
    for (size_t l = end - 1 < MAX_HTML_NAME ? end - 1 : MAX_HTML_NAME; !name && l > 1; l--) {
        name = find(text + 1, l);
        if (name && !name->open) name = NULL;
        if (name) *used = 1 + l;
    }
    if (name) return name->character;
    if (closed) return HTML_UNKNOWN;
    *used = 1;
    return '&';
}

uint32_t html_character(const char *text, size_t length, size_t *at)
{
    const char *reference = text + *at;
    size_t left = length - *at, used = 1;
    if (*reference != '&') return utf8_next(text, length, at);
    bool numeric = left > 1 && reference[1] == '#';
    uint32_t character =
        numeric ? read_number(reference, left, &used) : read_name(reference, left, &used);
    *at += used;
    return character;
}
