#include "text/end_mark.h"

#include "text/utf8.h"
#include "text/word.h"

enum { SHORT_WORDS = 3, SHORT_HAN = 6 };

const char *end_mark_missing(const char *text, size_t length)
{
    size_t words = 0, han = 0;
    uint32_t last = 0;
    Word word;
    for (size_t at = 0; word_next(text, length, at, &word); at = word.end) words++;
    for (size_t at = 0; at < length; han += utf8_is_han(last)) last = utf8_next(text, length, &at);
    if (words > SHORT_WORDS || han > SHORT_HAN || !utf8_is_letter(last)) return NULL;
    return utf8_is_han(last) ? "。" : ".";
}

size_t end_mark_strip(const char *text, size_t length)
{
    size_t end = 0;
    for (size_t at = 0; at < length;) {
        uint32_t c = utf8_next(text, length, &at);
        if (!utf8_is_space(c) && !utf8_is_among(c, ".!?…。！？")) end = at;
    }
    return end > 0 ? end : length;
}
