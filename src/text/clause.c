#include "text/clause.h"

#include "text/utf8.h"

size_t clause_end(const char *text, size_t length, size_t most)
{
    size_t clause = 0, comma = 0, word = 0, character = 0;
    for (size_t at = 0; at < length && at < most;) {
        size_t begin = at;
        uint32_t c = utf8_next(text, length, &at);
        if (at > most) break;
        if (utf8_is_space(c) && begin > 0) word = begin;
        if (!utf8_is_space(c)) character = at;
        bool wide = utf8_is_among(c, "；：，、");
        if (!wide && (at == length || !utf8_is_space((unsigned char)text[at]))) continue;
        if (utf8_is_among(c, ";:；：")) clause = at;
        if (utf8_is_among(c, ",，、")) comma = at;
    }
    if (clause >= most / 2) return clause;
    if (comma >= most / 2) return comma;
    if (word > 0) return word;
    return character > 0 ? character : most;
}
