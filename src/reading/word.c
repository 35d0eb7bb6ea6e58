#include "reading/word.h"

#include "text/utf8.h"

bool word_next(const char *text, size_t length, size_t at, Word *word)
{
    *word = (Word){0};
    for (size_t next = at; at < length; at = next) {
        uint32_t c = utf8_next(text, length, &next);
        bool han = utf8_is_han(c), letter = utf8_is_letter(c) && !han;
        bool inside = letter || (c == '-' && utf8_is_letter(utf8_at(text, length, next)));
        if (word->letters > 0 && !inside) break;
        if (word->letters == 0 && !letter && !han) continue;
        if (word->letters == 0)
            *word = (Word){.span.begin = at, .capital = utf8_is_upper(c), .han = han};
        word->letters += letter;
        word->span.end = next;
        if (han) break;
    }
    return word->span.end > 0;
}
