#include "text/number.h"

#include "base/ascii.h"
#include "text/utf8.h"
#include "text/word_list.h"

#include <string.h>

enum { GROUP = 3, LIST_GROUPS = 3, HOUR_DIGITS = 2, MINUTE_DIGITS = 2 };

/* Symbols of units, the same in all languages (The International System of Units,
 * 9th edition, section 5.2). Those that are words too, such as A, are left out. */
static const char units[] = "m km cm mm nm µm μm m² km² cm² m³ cm³ km/h m/s g kg mg µg μg l L ml "
                            "mL cl cL dl dL W kW MW kWh V kV mV Hz kHz MHz GHz kB KB MB GB TB "
                            "kbit/s Mbit/s Gbit/s min ms °C °F ° ℃ ℉";

static char byte_at(const char *text, size_t length, size_t at)
{
    return at < length ? text[at] : '\0';
}

static size_t digits_end(const char *text, size_t length, size_t at)
{
    while (ascii_is_digit(byte_at(text, length, at))) at++;
    return at;
}

// Whether what stands at a place goes on with the word before it.
static bool goes_on(const char *text, size_t length, size_t at)
{
    return utf8_is_in_word(utf8_at(text, length, at));
}

// Digits with marks between them, and groups of three behind a space.
static size_t marked_end(const char *text, size_t length, size_t begin)
{
    size_t at = digits_end(text, length, begin), end = at;
    bool spaced = at - begin <= GROUP;
    for (size_t next; at < length && strchr(".,:/- ", text[at]); end = at = next) {
        next = digits_end(text, length, at + 1);
        bool group = text[at] == ' ' && spaced && next - at == 1 + GROUP;
        if (next == at + 1 || (text[at] == ' ' && !group)) break;
        spaced = group;
    }
    return end;
}

// Where groups of digits end, one behind `at` and the others behind spaces; `at` if they are few.
static size_t list_end(const char *text, size_t length, size_t begin, size_t at)
{
    size_t groups = digits_end(text, length, begin) == at, end = at;
    while (groups > 0 && byte_at(text, length, end) == ' ') {
        size_t next = digits_end(text, length, end + 1);
        if (next == end + 1 || goes_on(text, length, next)) break;
        end = next;
        groups++;
    }
    return groups >= LIST_GROUPS ? end : at;
}

// A unit's symbol at `at` or behind a space there; an elided word is none: 10 m'ont dit.
static size_t unit_end(const char *text, size_t length, size_t at)
{
    size_t begin = at + (byte_at(text, length, at) == ' '), longest = 0;
    const char *list = units;
    for (TextView unit; word_list_next(&list, &unit);) {
        bool same = unit.length <= length - begin && !memcmp(text + begin, unit.data, unit.length);
        size_t end = begin + unit.length;
        if (same && unit.length > longest && !goes_on(text, length, end) &&
            !utf8_is_apostrophe(utf8_at(text, length, end)))
            longest = unit.length;
    }
    return longest > 0 ? begin + longest : at;
}

// 9h30 and 8 h 05, of which the digits before h end at `at`.
static size_t time_end(const char *text, size_t length, size_t begin, size_t at)
{
    size_t hour = at + (byte_at(text, length, at) == ' ');
    if (at - begin > HOUR_DIGITS || byte_at(text, length, hour) != 'h') return at;
    size_t minutes = hour + 1 + (byte_at(text, length, hour + 1) == ' ');
    size_t end = digits_end(text, length, minutes);
    bool minute = end - minutes == MINUTE_DIGITS && !goes_on(text, length, end);
    return minute ? unit_end(text, length, end) : at;
}

// A sign, a unit, or 万 and 亿.
static size_t sign_end(const char *text, size_t length, size_t at)
{
    size_t sign = at + (byte_at(text, length, at) == ' ');
    while (utf8_is_among(utf8_at(text, length, at), "万萬亿億")) (void)utf8_next(text, length, &at);
    if (!utf8_is_among(utf8_at(text, length, sign), "%‰€£¥")) return unit_end(text, length, at);
    (void)utf8_next(text, length, &sign);
    // 5 £15: the sign may be that of the number behind it
    return ascii_is_digit(byte_at(text, length, sign)) ? at : sign;
}

size_t number_end(const char *text, size_t length, size_t begin, bool *runs_on, size_t *behind)
{
    size_t digits = marked_end(text, length, begin);
    size_t end = list_end(text, length, begin, digits);
    if (end == digits) end = time_end(text, length, begin, digits);
    if (end == digits && digits < length) end = sign_end(text, length, digits);
    *behind = digits;
    *runs_on = end == digits && goes_on(text, length, digits);
    return *runs_on ? begin : end;
}
