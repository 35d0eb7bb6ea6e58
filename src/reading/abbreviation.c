#include "reading/abbreviation.h"

#include "base/ascii.h"
#include "reading/placeholders.h"
#include "text/utf8.h"
#include "text/word_list.h"

#include <strings.h>

static bool is_before_number(TextView text, size_t at)
{
    at += text_view_at(text, at) == ' ';
    return utf8_is_number(utf8_at(text.data, text.length, at)) ||
           (at < text.length && placeholder_next(text.data, text.length, &at) < MAX_PLACEHOLDERS);
}

// Whether what ends or begins at `at` goes on there behind a mark: u.s., u-turn.
static bool is_joined(TextView text, size_t at)
{
    return at + 1 < text.length && strchr(".-'", text.data[at]) &&
           utf8_is_letter(utf8_at(text.data, text.length, at + 1));
}

/* In any case, but one that is listed with a capital must have it; and one of letters alone, thx, has
 * none but at the beginning of a text, for Nan may be somebody. */
static bool stands_at(TextView listed, bool numbered, TextView text, size_t at)
{
    const size_t length = listed.length, same = at == 0 && length > 1;
    const char *word = text.data + at;
    if (length > text.length - at || strncasecmp(word, listed.data, length) != 0 ||
        utf8_is_inside_word(text, at + length) ||
        (ascii_is_capital(*listed.data) && !ascii_is_capital(*word)))
        return false;
    if (numbered || listed.data[length - 1] == '.') return true;
    return memcmp(word + same, listed.data + same, length - same) == 0 &&
           !is_joined(text, at + length) && (at == 0 || !is_joined(text, at - 1));
}

TextView abbreviation_at(TextView text, size_t *at, const Language *language)
{
    const char *list = language ? language->abbreviations : NULL;
    for (TextView words; word_list_next(&list, &words);) {
        const TextView listed = text_view_cut(&words, ':');
        const bool numbered = *words.data == '%';
        const size_t end = *at + listed.length;
        if (!stands_at(listed, numbered, text, *at) || (numbered && !is_before_number(text, end)))
            continue;
        *at = end;
        return text_view_from(words, numbered);
    }
    return (TextView){"", 0};
}
