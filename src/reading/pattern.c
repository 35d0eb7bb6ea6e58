#include "reading/pattern.h"

#include "base/ascii.h"
#include "reading/magnitude.h"
#include "text/word_list.h"

#include <stdio.h>

enum { DAY_DIGITS = 2, YEAR_DIGITS = 4, LAST_DAY = 31, LAST_MINUTE = 59 };
enum { HALF_DAY = 12, DAY = 24 }; // hours
enum { NUMBER_DIGITS = 4, LAST_NUMBER = 9999, TEN = 10, HUNDRED = 100 };
enum { LAST_ROMAN = 29, ROMAN_SIZE = 8 };

// A text that is being read.
typedef struct Scan {
    PatternValues *values;
    TextView text;
    size_t at; // where the rest begins
    const Language *language;
    int part; // the hour at which the part of the day begins; below 0: none is named
} Scan;

// Whether the text goes on like this, which is taken.
static bool read_text(Scan *scan, TextView wanted)
{
    for (size_t i = 0; i < wanted.length; i++) {
        const char c = wanted.data[i] == '_' ? ' ' : wanted.data[i];
        if (text_view_at(scan->text, scan->at + i) != c) return false;
    }
    scan->at += wanted.length;
    return true;
}

// Takes a number of so many digits, of least … most.
static bool read_number(Scan *scan, int *number, size_t least_digits, size_t most_digits, int least,
                        int most)
{
    const size_t begin = scan->at;
    *number = 0;
    scan->at = text_view_digits_end(scan->text, begin);
    const size_t digits = scan->at - begin;
    for (size_t i = 0; i < digits && i < most_digits; i++)
        *number = 10 * *number + scan->text.data[begin + i] - '0';
    return digits >= least_digits && digits <= most_digits && *number >= least && *number <= most;
}

// 4 or 4th
static bool read_day(Scan *scan)
{
    const bool read = read_number(scan, &scan->values->day, 1, DAY_DIGITS, 1, LAST_DAY);
    const char next = text_view_at(scan->text, scan->at);
    if (ascii_is_small(next) && ascii_is_small(text_view_at(scan->text, scan->at + 1)))
        scan->at += 2;
    return read;
}

static bool read_month(Scan *scan)
{
    const char *months = language_list(scan->language, WORDS_MONTHS);
    scan->values->month = 0;
    for (TextView month, word; word_list_next(&months, &month); scan->values->month++)
        while (word_list_next_of(&month, &word, '>'))
            if (read_text(scan, word)) return true;
    return false;
}

bool pattern_is_month(TextView word, const Language *language)
{
    PatternValues values;
    Scan scan = {.values = &values, .text = word, .language = language};
    return read_month(&scan) && scan.at == word.length;
}

// Takes the longest word of a list with numbers, which may be NULL, that is not only written.
static bool read_word(Scan *scan, int *number, const char *words)
{
    const size_t begin = scan->at;
    size_t end = begin;
    int value;
    for (TextView word; word_list_next_numbered(&words, &value, &word, '>'); scan->at = begin) {
        if (!read_text(scan, word) || scan->at <= end) continue;
        end = scan->at;
        *number = value;
    }
    scan->at = end;
    return end > begin;
}

// Takes a number in digits or, in a language that writes them as words, such as 十五.
static bool read_spelt(Scan *scan, int *number, size_t least_digits, int least, int most)
{
    uint64_t value;
    if (!scan->language->digits || ascii_is_digit(text_view_at(scan->text, scan->at)))
        return read_number(scan, number, least_digits, DAY_DIGITS, least, most);
    if (!magnitude_read(scan->text, &scan->at, scan->language, &value)) return false;
    *number = value <= (uint64_t)most ? (int)value : -1;
    return *number >= least;
}

// XXI; larger numbers are not written as words.
static TextView roman(char text[ROMAN_SIZE], int number)
{
    static const char *const ones[] = {"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"};
    (void)snprintf(text, ROMAN_SIZE, "%.*s%s", number / TEN, "XX", ones[number % TEN]);
    return text_view_of(text);
}

static bool read_roman(Scan *scan)
{
    char text[ROMAN_SIZE];
    for (int number = LAST_ROMAN; number > 0; number--) {
        scan->values->number = number;
        if (read_text(scan, roman(text, number))) return true;
    }
    return false;
}

// Takes a number, Roman or not, with an ending of ordinals, if the language has any.
static bool read_ordinal(Scan *scan, bool is_roman)
{
    int *number = &scan->values->number, numbers;
    const bool found =
        is_roman ? read_roman(scan) : read_number(scan, number, 1, NUMBER_DIGITS, 1, LAST_NUMBER);
    const char *endings = scan->language->ordinals;
    return found && (!endings || read_word(scan, &numbers, endings));
}

// Reads what % and a letter stand for.
static bool read_part(Scan *scan, char part)
{
    PatternValues *values = scan->values;
    values->is_time |= part == 'H' || part == 'I';
    switch (part) {
    case 'd':
        return read_day(scan);
    case 'm':
        return read_month(scan);
    case 'Y':
        return read_number(scan, &values->year, YEAR_DIGITS, YEAR_DIGITS, 1, INT32_MAX);
    case 'H':
        return read_number(scan, &values->hour, 1, DAY_DIGITS, 0, DAY - 1);
    case 'I':
        return read_spelt(scan, &values->hour, 1, 1, HALF_DAY);
    case 'M':
        return read_spelt(scan, &values->minute, DAY_DIGITS, 0, LAST_MINUTE);
    case 'n':
        return read_number(scan, &values->number, 1, NUMBER_DIGITS, 0, LAST_NUMBER);
    case 'o':
    case 'R':
        return read_ordinal(scan, part == 'R');
    default:
        return read_word(scan, &scan->part, scan->language->day_parts);
    }
}

bool pattern_read(PatternValues *values, TextView pattern, TextView text, size_t *at,
                  const Language *language)
{
    Scan scan = {values, text, *at, language, -1};
    *values = (PatternValues){0};
    for (size_t i = 0; i < pattern.length; i++)
        if (pattern.data[i] == '%' ? !read_part(&scan, pattern.data[++i])
                                   : !read_text(&scan, (TextView){pattern.data + i, 1}))
            return false;
    // the first such hour from where the part begins: 12 am is 0, 12 pm is 12
    values->has_part = scan.part >= 0;
    if (values->has_part)
        values->hour = (scan.part + (values->hour - scan.part + DAY) % HALF_DAY) % DAY;
    *at = scan.at;
    return true;
}

// The last part of the day that begins at an hour or before.
static TextView day_part_at(int hour, const Language *language)
{
    const char *parts = language->day_parts;
    TextView found = {"", 0};
    int begin;
    for (TextView word; word_list_next_numbered(&parts, &begin, &word, '<');)
        if (begin <= hour) found = word;
    return found;
}

static TextView month_of(const PatternValues *values, const Language *language)
{
    const char *months = language_list(language, WORDS_MONTHS);
    TextView month = {"", 0};
    for (size_t i = 0; i <= values->month; i++) (void)word_list_next(&months, &month);
    return text_view_cut(&month, '/');
}

// The last ending whose numbers end like this one.
static TextView ending_of(int number, const Language *language)
{
    const char *endings = language->ordinals;
    TextView found = {"", 0};
    int last;
    for (TextView ending; word_list_next_numbered(&endings, &last, &ending, '<');)
        if (last == 0 || number % (last < TEN ? TEN : HUNDRED) == last) found = ending;
    return number == 1 && language->first_ending ? text_view_of(language->first_ending) : found;
}

static Status write_ordinal(Bytes *out, int number, bool is_roman, const Language *language,
                            Error *error)
{
    char text[ROMAN_SIZE];
    TRY(is_roman && number <= LAST_ROMAN ? bytes_append_view(out, roman(text, number), error)
                                         : bytes_append_format(out, error, "%d", number));
    return bytes_append_view(out, ending_of(number, language), error);
}

static Status write_part(Bytes *out, char part, const PatternValues *values,
                         const Language *language, Error *error)
{
    switch (part) {
    case 'm':
        return bytes_append_view(out, month_of(values, language), error);
    case 'P':
        return bytes_append_view(out, day_part_at(values->hour, language), error);
    case 'd':
        if (values->day == 1 && language->first_ending)
            return write_ordinal(out, values->day, false, language, error);
        return bytes_append_format(out, error, "%d", values->day);
    case 'Y':
        return bytes_append_format(out, error, "%d", values->year);
    case 'H':
        return bytes_append_format(out, error, "%d", values->hour);
    case 'M':
        return bytes_append_format(out, error, "%02d", values->minute);
    case 'n':
        return bytes_append_format(out, error, "%d", values->number);
    case 'o':
    case 'R':
        return write_ordinal(out, values->number, part == 'R', language, error);
    default:
        return bytes_append_format(out, error, "%d", (values->hour + 11) % HALF_DAY + 1);
    }
}

Status pattern_write(Bytes *out, TextView pattern, const PatternValues *values,
                     const Language *language, Error *error)
{
    for (size_t i = 0; i < pattern.length; i++) {
        const char c = pattern.data[i];
        if (c == '%')
            TRY(write_part(out, pattern.data[++i], values, language, error));
        else
            TRY(bytes_append(out, c == '_' ? " " : &c, 1, error));
    }
    return STATUS_OK;
}
