#include "text/list_marker.h"

#include "base/ascii.h"
#include "text/utf8.h"

enum { MAX_DIGITS = 3 };

// Where a number with its mark ends; 0 if there is none.
static size_t number_marker_end(const char *text, size_t length, bool ordinals)
{
    size_t at = 0, digits = 0, end;
    bool opened = utf8_is_among(utf8_at(text, length, 0), "(（");
    if (opened) (void)utf8_next(text, length, &at);
    while (at + digits < length && ascii_is_digit(text[at + digits])) digits++;
    if (digits == 0 || digits > MAX_DIGITS) return 0;
    end = at + digits;
    uint32_t mark = utf8_at(text, length, end);
    if (!utf8_is_among(mark, opened || ordinals ? ")）" : ".)）、．")) return 0;
    (void)utf8_next(text, length, &end);
    return end;
}

size_t list_marker_end(const char *text, size_t length, bool ordinals)
{
    size_t end = 0;
    if (utf8_is_among(utf8_at(text, length, 0), "•◦▪‣·*-–—"))
        (void)utf8_next(text, length, &end);
    else
        end = number_marker_end(text, length, ordinals);
    uint32_t next = utf8_at(text, length, end);
    if (end == 0 || (next != ' ' && !utf8_is_han(next))) return 0;
    for (size_t at = end; at < length;)
        if (utf8_is_letter(utf8_next(text, length, &at))) return end;
    return 0;
}
