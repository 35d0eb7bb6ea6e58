#include "reading/term.h"

#include "base/ascii.h"
#include "reading/pattern.h"
#include "text/utf8.h"
#include "text/word_list.h"

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
    const TextView measure = text_view_of("个");
    size_t word = at - (text_view_at(text, at - 1) == ' ');
    if (word >= measure.length && text_view_has_at(text, word - measure.length, measure))
        word -= measure.length;
    if (ascii_is_digit(text_view_at(text, word - 1))) return true;
    while (word > 0 && text.data[word - 1] != ' ') word--;
    return word < at && ascii_is_digit(text.data[word]);
}

static bool is_before_number(TextView text, size_t at)
{
    return ascii_is_digit(text_view_at(text, at + (text_view_at(text, at) == ' ')));
}

// Mr. or, before a name, Doctor; in a script without capitals any.
static bool is_title(TextView text, Span span)
{
    uint32_t first = utf8_at(text.data, text.length, span.begin);
    bool cased = utf8_is_lower(first) || utf8_is_upper(first);
    return !cased || text.data[span.end - 1] == '.' ||
           (text_view_at(text, span.end) == ' ' &&
            utf8_is_upper(utf8_at(text.data, text.length, span.end + 1)));
}

static bool is_listed(const char *begin, const char *end, const Language *language,
                      LanguageWords list)
{
    return *language_list(language, list) &&
           language_has_word(language, list, begin, (size_t)(end - begin));
}

bool term_is_behind(TextView text, size_t at, const Language *language, LanguageWords list)
{
    const size_t end = at - (at > 0);
    size_t begin = end;
    while (begin > 0 && !strchr(" '", text.data[begin - 1])) begin--;
    return is_listed(text.data + begin, text.data + end, language, list);
}

// Whether the word behind a place is one of a list.
static bool is_before(TextView text, size_t at, const Language *language, LanguageWords list)
{
    const size_t begin = at + (at < text.length);
    size_t end = begin;
    while (end < text.length && text.data[end] != ' ') end++;
    return is_listed(text.data + begin, text.data + end, language, list);
}

// Whether a number stands behind the next word.
static bool is_range(TextView text, size_t at)
{
    const char *space =
        at < text.length ? memchr(text.data + at + 1, ' ', text.length - at - 1) : NULL;
    return space && ascii_is_digit(text_view_at(text, (size_t)(space - text.data) + 1));
}

/* Whether a time is no length of time, which some languages write alike: à 3 h, de 3 h à 5 h, à 3 h
 * de Paris. */
static bool is_no_duration(TextView text, Span span, const PatternValues *values,
                           const Language *language)
{
    enum { NOON = 12 };
    const size_t begin = span.begin, end = span.end;
    if (!*language_list(language, WORDS_BEFORE_TIME) || values->has_part) return true;
    if (is_before(text, end, language, WORDS_BEHIND_DURATION)) return false;
    return term_is_behind(text, begin, language, WORDS_BEFORE_TIME) ||
           (is_before(text, end, language, WORDS_BEFORE_TIME) && is_range(text, end)) ||
           (values->hour > NOON &&
            (begin == 0 || term_is_behind(text, begin, language, WORDS_BEFORE_AFTERNOON)));
}

/* Whether an ordinal is no day of a month, the 3rd day, but neither by the 3rd nor the 3rd of every
 * month; nor goes on with a number, 20世纪50年代. */
static bool is_no_day(TextView text, Span span, const PatternValues *values,
                      const Language *language)
{
    const char next = text_view_at(text, span.end);
    if (values->number > 0 && ascii_is_digit(next)) return false;
    return memchr(text.data + span.begin, ' ', span.end - span.begin) ||
           !term_is_behind(text, span.begin, language, WORDS_BEFORE_DAY) ||
           (next == ' ' && !is_before(text, span.end, language, WORDS_BEHIND_DAY));
}

static bool is_in_place(TextView text, Span span, LanguageWords list)
{
    if (list == WORDS_PATTERNS) return !utf8_is_inside_word(text, span.begin);
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
        while (word_list_next_of(&row, &word, '>')) {
            PatternValues values = {0};
            size_t end = at;
            if (pattern_read(&values, word, text, &end, language) && end - at > found.text.length &&
                !utf8_is_inside_word(text, end) && is_in_place(text, (Span){at, end}, list) &&
                (values.is_time ? is_no_duration(text, (Span){at, end}, &values, language)
                                : is_no_day(text, (Span){at, end}, &values, language)))
                found = (Term){{text.data + at, end - at}, list, number};
        }
    return found;
}

// Whether a row has a term, and the values in it.
static bool has_term(TextView row, const Term *term, PatternValues *values,
                     const Language *language)
{
    for (TextView word; word_list_next_of(&row, &word, '>');) {
        size_t end = 0;
        if (pattern_read(values, word, term->text, &end, language) && end == term->text.length)
            return true;
    }
    return false;
}

Status term_translate(Bytes *out, size_t *place, const Term *term,
                      const Language *const languages[2], Error *error)
{
    const char *from = language_list(languages[0], term->list);
    const char *to = language_list(languages[1], term->list);
    size_t left = ++*place;
    PatternValues values = {0};
    bytes_clear(out);
    TextView row, said, word;
    for (size_t i = 0; word_list_next(&from, &row) && word_list_next(&to, &said); i++) {
        // 5:30 is half past five and five thirty, which is the same
        if (term->list == WORDS_PATTERNS && i != term->row) continue;
        if (!has_term(row, term, &values, languages[0])) continue;
        while (word_list_next_of(&said, &word, '<'))
            if (--left == 0) return pattern_write(out, word, &values, languages[1], error);
    }
    return STATUS_OK;
}
