// Glossaries in requests.
#include "serve/service_case.h"

static void set_up(void)
{
    service_options = default_options();
    open_service();
}

TESTS_SHARE(write_models, .remove = remove_models, .before = set_up, .after = close_service)

TEST(glossary)
{
    json_t *json =
        respond_json("POST", "/translate",
                     "{\"source\":\"de\", \"target\":\"en\", \"q\":[\"das Haus\", \"ein\"],"
                     " \"glossary\":{\"haus\":\"qux zyx\"}}",
                     200);
    const json_t *texts = json_object_get(json, "translatedText");
    ck_assert_ptr_nonnull(strstr(json_string_value(json_array_get(texts, 0)), "ux zyx"));
    ck_assert_ptr_null(strstr(json_string_value(json_array_get(texts, 1)), "ux zyx"));
    json_decref(json);
    expect_error("/translate",
                 "{\"source\":\"de\", \"target\":\"en\", \"q\":\"a\", \"glossary\":[]}", 400,
                 "glossary is not an object of terms and their translations");
    expect_error("/translate",
                 "{\"source\":\"de\", \"target\":\"en\", \"q\":\"a\", \"glossary\":{\"a\":1}}", 400,
                 "glossary is not an object of terms and their translations");
    expect_error("/translate",
                 "{\"source\":\"de\", \"target\":\"en\", \"q\":\"a\", \"glossary\":{\"a\":\"\"}}",
                 400, "glossary: the translation of \"a\" is empty");
    expect_error("/translate?glossary=a", "{\"source\":\"de\", \"target\":\"en\", \"q\":\"a\"}",
                 400, "glossary is not an object of terms and their translations");
    char body[1024] = "{\"source\":\"de\", \"target\":\"en\", \"q\":\"a\", \"glossary\":{\"b\":\"";
    memset(body + strlen(body), 'c', 499);
    memcpy(body + strlen(body), "\"}}", 4);
    expect_error("/translate", body, 413, "request (501) exceeds text limit (500)");
}
