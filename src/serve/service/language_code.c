#include "serve/service/language_code.h"

#include "base/ascii.h"

#include <stdio.h>
#include <string.h>

// In lower case, with - for _; "" for text that is no tag. ASCII only, whatever the locale.
static LanguageCode lower(const char *tag)
{
    LanguageCode code = {""};
    for (size_t i = 0; language_is_tag(tag) && tag[i]; i++)
        code.text[i] = tag[i] == '_' ? '-' : ascii_to_small(tag[i]);
    return code;
}

static bool names_traditional(const char *lower_tag)
{
    static const char *const subtags[] = {"-hant", "-tw", "-hk", "-mo"};
    for (size_t i = 0; i < sizeof subtags / sizeof *subtags; i++)
        if (strstr(lower_tag, subtags[i])) return true;
    return false;
}

LanguageCode language_code_of(const char *tag)
{
    LanguageCode code = lower(tag);
    size_t language = language_of(code.text);
    if (strcmp(code.text, "zt") == 0) return (LanguageCode){"zh-Hant"};
    if (language == NO_LANGUAGE) {
        code.text[strcspn(code.text, "-")] = '\0';
        return code;
    }
    const char *known = language_code(language);
    if (language == language_of("zh")) known = names_traditional(code.text) ? "zh-Hant" : "zh-Hans";
    (void)snprintf(code.text, sizeof code.text, "%s", known);
    return code;
}

bool language_code_equal(const LanguageCode *a, const LanguageCode *b)
{
    return strcmp(a->text, b->text) == 0;
}

bool language_code_same_language(const LanguageCode *a, const LanguageCode *b)
{
    size_t length = strcspn(a->text, "-");
    return length == strcspn(b->text, "-") && strncmp(a->text, b->text, length) == 0;
}

const char *language_code_name(const LanguageCode *code)
{
    if (strcmp(code->text, "zh-Hant") == 0) return "Chinese (traditional)";
    size_t language = language_of(code->text);
    return language == NO_LANGUAGE ? code->text : language_name(language);
}
