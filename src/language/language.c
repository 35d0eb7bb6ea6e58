#include "language/language.h"

#include "base/ascii.h"
#include "text/word_list.h"

const Language *language_of(const char *tag)
{
    size_t length = tag ? strcspn(tag, "-_") : 0;
    for (const Language *language = language_table; language->code; language++)
        if (word_list_find(language->code, tag, length) ||
            word_list_find(language->name, tag, length) ||
            word_list_find(language->others, tag, length))
            return language;
    return NULL;
}

// Only the case of ASCII's letters is ignored: abbreviations hardly have others.
static bool is_listed(const char *list, const char *word, size_t length)
{
    const char *listed = word_list_find(list, word, length);
    return listed && (*listed == *word || !ascii_is_capital(*listed));
}

bool language_has_word(const Language *language, LanguageWords list, const char *word,
                       size_t length)
{
    if (language && language->sentence_words[0])
        return is_listed(language->sentence_words[list], word, length);
    for (language = language_table; language->code; language++)
        if (is_listed(language->sentence_words[list], word, length)) return true;
    return false;
}

TextView language_unit(const Language *language, TextView symbol)
{
    const char *units = language ? language->units : NULL;
    for (TextView unit; word_list_next(&units, &unit);)
        if (text_view_equal(text_view_cut(&unit, ':'), symbol)) return unit;
    return (TextView){"", 0};
}

static bool ends_with(TextView text, const char *list)
{
    for (TextView word; word_list_next(&list, &word);)
        if (word.length <= text.length && text_view_has_at(text, text.length - word.length, word))
            return true;
    return false;
}

bool language_ends_in_speech(TextView text)
{
    for (const Language *language = language_table; language->code; language++)
        if (language->letters_per_word > 0 &&
            ends_with(text, language->sentence_words[WORDS_OF_SPEECH]) &&
            !ends_with(text, language->sentence_words[WORDS_NOT_OF_SPEECH]))
            return true;
    return false;
}

// ASCII only: the result must not depend on the locale.
static char folded(char c)
{
    return c == '_' ? '-' : ascii_to_small(c);
}

LanguageMatch language_match(const char *wanted, const char *tag)
{
    bool has_subtag = false;
    for (; *wanted && folded(*wanted) == folded(*tag); wanted++, tag++)
        if (folded(*wanted) == '-') has_subtag = true;
    if (*wanted) return LANGUAGE_OTHER;
    if (!*tag) return LANGUAGE_SAME;
    return folded(*tag) == '-' && !has_subtag ? LANGUAGE_RELATED : LANGUAGE_OTHER;
}

bool language_is_tag(const char *tag)
{
    size_t length = strlen(tag);
    for (size_t i = 0; i < length; i++)
        if (!ascii_is_alphanumeric(tag[i]) && folded(tag[i]) != '-') return false;
    return length > 0 && length < LANGUAGE_SIZE;
}
