#include "reading/line_mark.h"

#include "base/ascii.h"
#include "text/utf8.h"

enum { MAX_DIGITS = 3, MAX_HEADING = 6 };
enum { FIRST_SYMBOL = 0x2190, LAST_SYMBOL = 0x2BFF }; // all blocks of symbols: → ① ▪ ★

// Behind the character at a place, if it is one of these; else the place.
static size_t behind(TextView text, size_t at, const char *characters)
{
    size_t end = at;
    return at < text.length && utf8_is_among(utf8_next(text.data, text.length, &end), characters)
               ? end
               : at;
}

static size_t run_end(TextView text, size_t at, char c)
{
    while (text_view_at(text, at) == c) at++;
    return at;
}

// The mark of a number or letter; where it begins, if it is none.
static size_t number_end(TextView text, size_t begin, const Language *language)
{
    size_t opened = behind(text, begin, "(（"), end = text_view_digits_end(text, opened);
    bool bracket = opened > begin || language_has_ordinals(language);
    const char *marks = bracket ? ")）" : ".)）、．";
    if (end == opened && ascii_is_letter(text_view_at(text, opened))) {
        end++;
        marks = bracket ? ")）" : ")）、"; // A. may be a name's
    }
    if (end == opened || end > opened + MAX_DIGITS) return begin;
    size_t stop = behind(text, end, marks);
    return stop > end ? stop : begin;
}

// The mark of an item; where it begins, if it is none.
static size_t item_end(TextView text, size_t begin)
{
    size_t end = begin;
    if (begin == text.length) return begin;
    const uint32_t c = utf8_next(text.data, text.length, &end);
    return (c >= FIRST_SYMBOL && c <= LAST_SYMBOL) || utf8_is_among(c, "•‣·*-–—©") ? end : begin;
}

static size_t task_end(TextView text, size_t begin)
{
    bool task = text_view_at(text, begin) == '[' && text_view_at(text, begin + 2) == ']' &&
                behind(text, begin + 1, " xX") > begin + 1;
    return task ? begin + 3 : begin;
}

// The end of one mark; where it begins, if there is none.
static size_t mark_end(TextView text, size_t begin, const Language *language)
{
    size_t end = run_end(text, begin, '>');
    if (end > begin) return end;
    end = run_end(text, begin, '#');
    if (end > begin + MAX_HEADING) return begin;
    if (end == begin) end = item_end(text, begin);
    if (end == begin) end = task_end(text, begin);
    if (end == begin) end = number_end(text, begin, language);
    uint32_t next = utf8_at(text.data, text.length, end);
    return next == ' ' || utf8_is_han(next) ? end : begin;
}

size_t line_mark_end(TextView text, const Language *language)
{
    size_t end = 0;
    for (size_t at = 0, next; (next = mark_end(text, at, language)) > at;) {
        end = next;
        at = run_end(text, next, ' ');
    }
    return utf8_has(text.data + end, text.length - end, utf8_is_letter) ? end : 0;
}
