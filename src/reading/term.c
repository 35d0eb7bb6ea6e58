#include "reading/term.h"

#include "base/ascii.h"
#include "text/utf8.h"
#include "text/word_list.h"

enum { DAY_DIGITS = 2, YEAR_DIGITS = 4, LAST_DAY = 31 };

typedef struct Date {
    int day, year;
    size_t month; // 0 … 11
} Date;

// Takes the next word of a row, but none with this mark.
static bool next_of(TextView *row, TextView *word, char left_out)
{
    bool marked, found;
    do {
        *word = text_view_cut(row, '/');
        found = word->length > 0 && *word->data != left_out;
        marked = found && (*word->data == '<' || *word->data == '>');
        *word = (TextView){word->data + marked, word->length - marked};
    } while (!found && row->length > 0);
    return found;
}

// Whether a text goes on like this at *at, which is moved behind it.
static bool read_text(TextView text, size_t *at, const char *wanted, size_t length)
{
    if (text.length - *at < length) return false;
    for (size_t i = 0; i < length; i++)
        if (text.data[*at + i] != (wanted[i] == '_' ? ' ' : wanted[i])) return false;
    *at += length;
    return true;
}

// The number that begins at *at, which is moved behind it; 0 if it has not that many digits.
static int read_number(TextView text, size_t *at, size_t least, size_t most)
{
    size_t begin = *at;
    int number = 0;
    for (; *at < text.length && ascii_is_digit(text.data[*at]) && *at - begin <= most; ++*at)
        number = 10 * number + text.data[*at] - '0';
    return *at - begin >= least && *at - begin <= most ? number : 0;
}

// 4 or 4th
static bool read_day(Date *date, TextView text, size_t *at)
{
    date->day = read_number(text, at, 1, DAY_DIGITS);
    bool ordinal = *at + 1 < text.length && ascii_is_small(text.data[*at]) &&
                   ascii_is_small(text.data[*at + 1]);
    if (ordinal) *at += 2;
    return date->day >= 1 && date->day <= LAST_DAY;
}

static bool read_month(Date *date, TextView text, size_t *at, const Language *language)
{
    const char *months = language_list(language, WORDS_MONTHS);
    date->month = 0;
    for (TextView month; word_list_next(&months, &month); date->month++)
        if (read_text(text, at, month.data, month.length)) return true;
    return false;
}

// Reads what % and a letter stand for.
static bool read_part(Date *date, char part, TextView text, size_t *at, const Language *language)
{
    if (part == 'm') return read_month(date, text, at, language);
    if (part == 'd') return read_day(date, text, at);
    return (date->year = read_number(text, at, YEAR_DIGITS, YEAR_DIGITS)) > 0;
}

// Whether a word of a list stands at *at, which is moved behind it.
static bool read_word(Date *date, TextView word, TextView text, size_t *at,
                      const Language *language)
{
    for (size_t i = 0; i < word.length; i++)
        if (word.data[i] == '%' ? !read_part(date, word.data[++i], text, at, language)
                                : !read_text(text, at, word.data + i, 1))
            return false;
    return true;
}

// Whether a word goes on at a place; a unit may touch its number: 5pm.
static bool is_inside_word(TextView text, size_t at)
{
    bool unit = utf8_is_number(utf8_before(text.data, at)) &&
                !utf8_is_number(utf8_at(text.data, text.length, at));
    return !unit && utf8_is_inside_word(text, at);
}

// Whether a number is before a place, with one space between, or in the word there: 12, 1er, 5个.
static bool is_behind_number(TextView text, size_t at)
{
    static const char measure[] = "个";
    size_t word = at > 0 && text.data[at - 1] == ' ' ? at - 1 : at;
    if (word >= sizeof measure &&
        !memcmp(text.data + word - strlen(measure), measure, strlen(measure)))
        word -= strlen(measure);
    if (word > 0 && ascii_is_digit(text.data[word - 1])) return true;
    while (word > 0 && text.data[word - 1] != ' ') word--;
    return word < at && ascii_is_digit(text.data[word]);
}

static bool is_before_number(TextView text, size_t at)
{
    at += at < text.length && text.data[at] == ' ';
    return at < text.length && ascii_is_digit(text.data[at]);
}

// Mr. or, before a name, Doctor; in a script without capitals any.
static bool is_title(TextView text, Span span)
{
    uint32_t first = utf8_at(text.data, text.length, span.begin);
    bool cased = utf8_is_lower(first) || utf8_is_upper(first);
    bool space = span.end < text.length && text.data[span.end] == ' ';
    return !cased || text.data[span.end - 1] == '.' ||
           (space && utf8_is_upper(utf8_at(text.data, text.length, span.end + 1)));
}

static bool is_in_place(TextView text, Span span, LanguageWords list)
{
    if (list == WORDS_DATES) return !utf8_is_inside_word(text, span.begin);
    if (list == WORDS_TITLES) return is_title(text, span);
    bool behind = is_behind_number(text, span.begin), before = is_before_number(text, span.end);
    if (list == WORDS_COUNTED) return behind && !before;
    return behind || before || ascii_is_digit(text.data[span.begin]);
}

Term term_at(TextView text, size_t at, const Language *language, LanguageWords list)
{
    const char *rows = language_list(language, list);
    Term found = {{NULL, 0}, list, 0};
    if (is_inside_word(text, at)) return found;
    TextView row, word;
    for (size_t number = 0; word_list_next(&rows, &row); number++)
        while (next_of(&row, &word, '>')) {
            Date date;
            size_t end = at;
            if (read_word(&date, word, text, &end, language) && end - at > found.text.length &&
                !utf8_is_inside_word(text, end) && is_in_place(text, (Span){at, end}, list))
                found = (Term){{text.data + at, end - at}, list, number};
        }
    return found;
}

// Whether a row has a term, which may be a date.
static bool has_term(TextView row, const Term *term, Date *date, const Language *language)
{
    for (TextView word; next_of(&row, &word, '>');) {
        size_t end = 0;
        if (read_word(date, word, term->text, &end, language) && end == term->text.length)
            return true;
    }
    return false;
}

static Status write_part(Bytes *out, char part, const Date *date, const Language *language,
                         Error *error)
{
    const char *months = language_list(language, WORDS_MONTHS);
    TextView month = {"", 0};
    if (part == 'd' && date->day == 1 && language->first_day)
        return bytes_append_string(out, language->first_day, error);
    if (part != 'm')
        return bytes_append_format(out, error, "%d", part == 'Y' ? date->year : date->day);
    for (size_t i = 0; i <= date->month; i++) (void)word_list_next(&months, &month);
    return bytes_append(out, month.data, month.length, error);
}

static Status write_word(Bytes *out, TextView word, const Date *date, const Language *language,
                         Error *error)
{
    for (size_t i = 0; i < word.length; i++) {
        const char c = word.data[i];
        if (c == '%')
            TRY(write_part(out, word.data[++i], date, language, error));
        else
            TRY(bytes_append(out, c == '_' ? " " : &c, 1, error));
    }
    return STATUS_OK;
}

Status term_translate(Bytes *out, size_t *place, const Term *term,
                      const Language *const languages[2], Error *error)
{
    const char *from = language_list(languages[0], term->list);
    const char *to = language_list(languages[1], term->list);
    size_t left = ++*place;
    Date date = {0};
    bytes_clear(out);
    for (TextView row, said, word; word_list_next(&from, &row) && word_list_next(&to, &said);) {
        if (!has_term(row, term, &date, languages[0])) continue;
        while (next_of(&said, &word, '<'))
            if (--left == 0) return write_word(out, word, &date, languages[1], error);
    }
    return STATUS_OK;
}
