// Tags of languages as LibreTranslate's API names them.

#include "serve/service/language_code.h"

#include "support/suite.h"

static void expect_code(const char *tag, const char *code, const char *name)
{
    LanguageCode found = language_code_of(tag);
    ck_assert_str_eq(found.text, code);
    ck_assert_str_eq(language_code_name(&found), name);
}

TEST(codes)
{
    expect_code("en", "en", "English");
    expect_code("FR-ca", "fr", "French");
    expect_code("deu", "de", "German");
    expect_code("zh", "zh-Hans", "Chinese");
    expect_code("ZH_hans", "zh-Hans", "Chinese");
    expect_code("zh-CN", "zh-Hans", "Chinese");
    expect_code("cmn", "zh-Hans", "Chinese");
    expect_code("zh-Hant-HK", "zh-Hant", "Chinese (traditional)");
    expect_code("zh-tw", "zh-Hant", "Chinese (traditional)");
    expect_code("zt", "zh-Hant", "Chinese (traditional)");
    expect_code("Tlh-x", "tlh", "tlh");
    expect_code("", "", "");
    expect_code("en fr", "", "");
}

TEST(equal)
{
    LanguageCode a = language_code_of("zh"), b = language_code_of("zh-hans"),
                 c = language_code_of("zh-Hant");
    ck_assert(language_code_equal(&a, &b));
    ck_assert(!language_code_equal(&a, &c));
    ck_assert(language_code_same_language(&a, &c));
    c = language_code_of("zha");
    ck_assert(!language_code_same_language(&a, &c));
}
