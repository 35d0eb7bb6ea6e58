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

// In any case, but one that is listed with a capital must have it.
static bool stands_at(TextView listed, TextView text, size_t at)
{
    return listed.length <= text.length - at &&
           strncasecmp(text.data + at, listed.data, listed.length) == 0 &&
           (!ascii_is_capital(*listed.data) || ascii_is_capital(text.data[at])) &&
           !utf8_is_inside_word(text, at + listed.length);
}

TextView abbreviation_at(TextView text, size_t *at, const Language *language)
{
    const char *list = language ? language->abbreviations : NULL;
    for (TextView words; word_list_next(&list, &words);) {
        const TextView listed = text_view_cut(&words, ':');
        const bool numbered = *words.data == '%';
        const size_t end = *at + listed.length;
        if (!stands_at(listed, text, *at) || (numbered && !is_before_number(text, end))) continue;
        *at = end;
        return text_view_from(words, numbered);
    }
    return (TextView){"", 0};
}
