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
    uint32_t code_point = utf8_at(text, length, at);
    return !utf8_extends(code_point) && kind_of(code_point) == KIND_LETTER;
}

size_t chunk_end(const char *text, size_t length, size_t begin)
{
    size_t at = begin + (text[begin] == ' ');
    if (at == length || text[at] == ' ') return at;

    Kind kind = kind_of(utf8_next(text, length, &at));
    while (at < length && text[at] != ' ') {
        size_t next = at;
        uint32_t code_point = utf8_next(text, length, &next);
        if (kind == KIND_LETTER && utf8_is_apostrophe(code_point) &&
            is_letter_at(text, length, next))
            return next;
        if (!utf8_extends(code_point) && kind_of(code_point) != kind) break;
        at = next;
    }
    return at;
}
