#include "corpus/language_tag.h"

#include <stdbool.h>

// ASCII only: the result must not depend on the locale.
static char folded(char c)
{
    if (c == '_') return '-';
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
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
