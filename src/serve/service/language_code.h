/* Languages as LibreTranslate's API names them: "en", "fr", "zh-Hans". */
#pragma once

#include "language/language.h"

typedef struct LanguageCode {
    char text[LANGUAGE_SIZE];
} LanguageCode;

/* The code of a language tag, in any case: "FR-ca" is "fr"; "zh", "zh-CN" and "zh-hans" are
 * "zh-Hans", "zh-TW", "zh-hant" and "zt" (LibreTranslate's older name) "zh-Hant". Of a language
 * that is not known, the tag's first part in lower case. Text that is no tag gives "". */
LanguageCode language_code_of(const char *tag);

bool language_code_equal(const LanguageCode *a, const LanguageCode *b);

// Whether both are the same language, perhaps in two scripts: zh-Hans and zh-Hant.
bool language_code_same_language(const LanguageCode *a, const LanguageCode *b);

// "French", "Chinese", "Chinese (traditional)"; the code itself of a language that is not known.
const char *language_code_name(const LanguageCode *code);
