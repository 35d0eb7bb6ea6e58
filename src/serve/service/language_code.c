#include "serve/service/language_code.h"

#include "base/ascii.h"
#include "text/word_list.h"

#include <stdio.h>

// In lower case, with - for _; "" for text that is no tag. ASCII only, whatever the locale.
static LanguageCode lower(const char *tag)
{
    LanguageCode code = {""};
    for (size_t i = 0; language_is_tag(tag) && tag[i]; i++)
        code.text[i] = tag[i] == '_' ? '-' : ascii_to_small(tag[i]);
    return code;
}

// Whether a tag in lower case means the second of a language's scripts.
static bool names_second(const LanguageScripts *scripts, const char *tag)
{
    for (size_t length; *tag; tag += length + (tag[length] == '-')) {
        length = strcspn(tag, "-");
        if (word_list_has(scripts->second_parts, tag, length)) return true;
    }
    return false;
}

LanguageCode language_code_of(const char *tag)
{
    LanguageCode code = lower(tag);
    const Language *language = language_of(code.text);
    if (!language) {
        code.text[strcspn(code.text, "-")] = '\0';
        return code;
    }
    const LanguageScripts *scripts = language->scripts;
    const char *known = scripts ? scripts->tags[names_second(scripts, code.text)] : language->code;
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
    const Language *language = language_of(code->text);
    if (!language) return code->text;
    bool second = language->scripts && strcmp(code->text, language->scripts->tags[1]) == 0;
    return second ? language->scripts->second_name : language->name;
}
