#include "text/chunks.h"

#include "text/utf8.h"

typedef enum Kind { KIND_LETTER, KIND_HAN, KIND_NUMBER, KIND_REST } Kind;

static Kind kind_of(uint32_t code_point)
{
    if (utf8_is_han(code_point)) return KIND_HAN;
    if (utf8_is_letter(code_point)) return KIND_LETTER;
    return utf8_is_number(code_point) ? KIND_NUMBER : KIND_REST;
}

static bool is_letter_at(const char *text, size_t length, size_t at)
{
    if (at >= length) return false;
    uint32_t code_point;
    utf8_decode(text + at, length - at, &code_point, NULL);
    return !utf8_extends(code_point) && kind_of(code_point) == KIND_LETTER;
}

size_t chunk_end(const char *text, size_t length, size_t begin)
{
    size_t at = begin + (text[begin] == ' ');
    if (at == length || text[at] == ' ') return at;

    uint32_t code_point;
    at += utf8_decode(text + at, length - at, &code_point, NULL);
    Kind kind = kind_of(code_point);
    while (at < length && text[at] != ' ') {
        size_t next = at + utf8_decode(text + at, length - at, &code_point, NULL);
        if (kind == KIND_LETTER && (code_point == '\'' || code_point == 0x2019) &&
            is_letter_at(text, length, next))
            return next;
        if (!utf8_extends(code_point) && kind_of(code_point) != kind) break;
        at = next;
    }
    return at;
}
