#include "reading/date.h"

#include "base/ascii.h"
#include "text/utf8.h"
#include "text/word_list.h"

enum { DAY_DIGITS = 2, YEAR_DIGITS = 4, LAST_DAY = 31 };

// The number that begins at *at, which is moved behind it; 0 if it has not that many digits.
static int read_number(TextView text, size_t *at, size_t least, size_t most)
{
    size_t begin = *at;
    int number = 0;
    for (; *at < text.length && ascii_is_digit(text.data[*at]) && *at - begin <= most; ++*at)
        number = 10 * number + text.data[*at] - '0';
    return *at - begin >= least && *at - begin <= most ? number : 0;
}

// A day: 4 or, if it is one of these, 4th.
static bool read_day(Date *date, TextView text, size_t *at, bool ordinal)
{
    date->day = read_number(text, at, 1, DAY_DIGITS);
    for (int i = 0; i < 2 && ordinal; i++, ++*at)
        if (*at == text.length || !ascii_is_small(text.data[*at])) return false;
    return date->day >= 1 && date->day <= LAST_DAY;
}

static bool read_month(Date *date, TextView text, size_t *at, const Language *language)
{
    const char *months = language_list(language, WORDS_MONTHS);
    date->month = 0;
    for (TextView month; word_list_next(&months, &month); date->month++)
        if (text.length - *at >= month.length &&
            !memcmp(text.data + *at, month.data, month.length)) {
            *at += month.length;
            return true;
        }
    return false;
}

// Reads a date as it is written in a format.
static bool read_date(Date *date, TextView text, size_t at, TextView format,
                      const Language *language)
{
    *date = (Date){0};
    for (size_t i = 0; i < format.length; i++) {
        const char c = format.data[i];
        bool read = c == 'M'   ? read_month(date, text, &at, language)
                    : c == 'Y' ? (date->year = read_number(text, &at, YEAR_DIGITS, YEAR_DIGITS)) > 0
                    : c == 'D' || c == 'O'
                        ? read_day(date, text, &at, c == 'O')
                        : at < text.length && text.data[at++] == (c == '_' ? ' ' : c);
        if (c == '1') date->day = 1;
        if (!read) return false;
    }
    date->end = at;
    return true;
}

Date date_at(TextView text, size_t at, const Language *language)
{
    Date found = {0}, date;
    const char *formats = language && language->dates ? language->dates : "";
    if (utf8_is_inside_word(text, at)) return found;
    for (TextView format; word_list_next(&formats, &format);)
        if (read_date(&date, text, at, format, language) && date.end > found.end &&
            !utf8_is_inside_word(text, date.end))
            found = date;
    return found;
}

static bool has(TextView format, char c)
{
    return memchr(format.data, c, format.length) != NULL;
}

// Whether a date is written so: what it has, and days as numbers but for a first of its own.
static bool is_written(TextView format, const Date *date, const Language *language)
{
    char day = date->day == 1 && strchr(language->dates, '1') ? '1' : 'D';
    return has(format, 'Y') == (date->year > 0) && has(format, day) == (date->day > 0) &&
           !has(format, 'O') && (date->day > 0 || !has(format, '1'));
}

bool date_next(Bytes *out, const char **formats, const Date *date, const Language *language,
               Status *status, Error *error)
{
    const char *months = language_list(language, WORDS_MONTHS);
    TextView format, month = {"", 0};
    for (size_t i = 0; i <= date->month; i++) (void)word_list_next(&months, &month);
    do {
        if (*status || !word_list_next(formats, &format)) return false;
    } while (!is_written(format, date, language));
    bytes_clear(out);
    for (size_t i = 0; i < format.length && !*status; i++) {
        const char c = format.data[i];
        if (c == 'M')
            *status = bytes_append(out, month.data, month.length, error);
        else if (c == 'Y' || c == 'D')
            *status = bytes_append_format(out, error, "%d", c == 'Y' ? date->year : date->day);
        else
            *status = bytes_append(out, c == '_' ? " " : &c, 1, error);
    }
    return !*status;
}

static bool is_divided(const Spans *spans, Span span)
{
    const Span *first = spans_ending_behind(spans->items, spans->count, span.begin);
    const Span *last = spans_ending_behind(spans->items, spans->count, span.end);
    return (first && first->begin < span.begin) || (last && last->begin < span.end);
}

Status dates_find(Spans *spans, TextView text, const Spans *apart, const Language *language,
                  Error *error)
{
    spans->count = 0;
    for (size_t at = 0, next; at < text.length; at = next) {
        const Date date = date_at(text, at, language);
        const Span span = {at, date.end};
        next = at;
        (void)utf8_next(text.data, text.length, &next);
        bool whole = date.day > 0 && date.year > 0;
        if (date.end == 0 || (!whole && is_divided(apart, span))) continue;
        TRY(spans_add(spans, span, error));
        next = date.end;
    }
    return STATUS_OK;
}
