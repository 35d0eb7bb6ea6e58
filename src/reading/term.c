#include "reading/term.h"

#include "base/ascii.h"
#include "text/utf8.h"
#include "text/word_list.h"

// Takes the next word of an entry.
static bool next_of(TextView *entry, TextView *word)
{
    const char *slash = entry->length > 0 ? memchr(entry->data, '/', entry->length) : NULL;
    *word = *entry;
    if (slash) word->length = (size_t)(slash - entry->data);
    size_t taken = word->length + (slash != NULL);
    *entry = (TextView){entry->data + taken, entry->length - taken};
    return word->length > 0;
}

// Whether a word goes on at a place; a unit may touch its number: 5pm.
static bool is_inside_word(TextView text, size_t at)
{
    uint32_t before = utf8_before(text.data, at), next = utf8_at(text.data, text.length, at);
    bool unit = utf8_is_number(before) && !utf8_is_number(next);
    return !unit && utf8_is_in_word(before) && utf8_is_in_word(next);
}

static bool stands_at(TextView text, size_t at, TextView word)
{
    if (text.length - at < word.length || is_inside_word(text, at)) return false;
    for (size_t i = 0; i < word.length; i++)
        if (text.data[at + i] != (word.data[i] == '_' ? ' ' : word.data[i])) return false;
    return !is_inside_word(text, at + word.length);
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
    bool behind = is_behind_number(text, span.begin), before = is_before_number(text, span.end);
    if (list == WORDS_MONTHS) return behind || before || ascii_is_digit(text.data[span.begin]);
    return list == WORDS_COUNTED ? behind && !before : is_title(text, span);
}

Term term_at(TextView text, size_t at, const Language *language, bool months)
{
    static const LanguageWords lists[] = {WORDS_MONTHS, WORDS_COUNTED, WORDS_TITLES};
    Term found = {{NULL, 0}, 0};
    for (size_t i = !months; i < (months ? 1 : sizeof lists / sizeof *lists); i++) {
        const char *words = language_list(language, lists[i]);
        for (TextView entry, word; word_list_next(&words, &entry);)
            while (next_of(&entry, &word))
                if (word.length > found.word.length && stands_at(text, at, word) &&
                    is_in_place(text, (Span){at, at + word.length}, lists[i]))
                    found = (Term){{text.data + at, word.length}, lists[i]};
    }
    return found;
}

static bool has_word(TextView entry, TextView wanted)
{
    for (TextView word; next_of(&entry, &word);)
        if (word.length == wanted.length && stands_at(wanted, 0, word)) return true;
    return false;
}

Status term_translate(Bytes *out, size_t *place, const Term *term,
                      const Language *const languages[2], Error *error)
{
    const char *from = language_list(languages[0], term->list);
    const char *to = language_list(languages[1], term->list);
    size_t left = ++*place;
    bytes_clear(out);
    for (TextView entry, said, word; word_list_next(&from, &entry) && word_list_next(&to, &said);) {
        if (!has_word(entry, term->word)) continue;
        while (next_of(&said, &word) && --left > 0) {}
        if (left > 0) continue;
        size_t skipped = word.data[0] == '~';
        TRY(bytes_append(out, word.data + skipped, word.length - skipped, error));
        for (size_t i = 0; i < out->length; i++)
            if (out->data[i] == '_') out->data[i] = ' ';
        return STATUS_OK;
    }
    return STATUS_OK;
}
