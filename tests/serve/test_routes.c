// What each path answers, without a socket.

#include "serve/service_case.h"

static const char *member_text(const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    ck_assert_msg(text != NULL, "%s", name);
    return text;
}

// Releases what it compares.
static void expect_equal(json_t *json, const char *expected)
{
    json_t *other = json_loads(expected, 0, NULL);
    char *text = json_dumps(json, 0);
    ck_assert_ptr_nonnull(other);
    ck_assert_msg(json_equal(json, other), "%s", text);
    free(text);
    json_decref(json);
    json_decref(other);
}

TESTS_SHARE(write_models, .before = open_default_service, .after = close_service)

TEST(translate)
{
    json_t *json =
        respond_json("POST", "/translate",
                     "{\"q\": \"die Katze\", \"source\": \"DE\", \"target\": \"en\"}", 200);
    json_t *form = respond_json("POST", "/translate?source=de", "q=die+Katze&target=en-US", 200);
    ck_assert(*member_text(json, "translatedText"));
    ck_assert(json_equal(json, form));
    ck_assert_uint_eq(json_object_size(json), 1);
    json_decref(json);
    json_decref(form);
}

// Lists are answered by lists, lines by lines.
TEST(lists)
{
    json_t *alone = respond_json("POST", "/translate", "source=de&target=en&q=das Haus", 200);
    json_t *list = respond_json("POST", "/translate",
                                "{\"q\": [\"\", \"das Haus\\n\\n das Haus \"], \"source\": \"de\","
                                " \"target\": \"en\"}",
                                200);
    const char *text = member_text(alone, "translatedText");
    const json_t *texts = json_object_get(list, "translatedText");
    char expected[512];
    (void)snprintf(expected, sizeof expected, "%s\n\n %s ", text, text);
    ck_assert_uint_eq(json_array_size(texts), 2);
    ck_assert_str_eq(json_string_value(json_array_get(texts, 0)), "");
    ck_assert_str_eq(json_string_value(json_array_get(texts, 1)), expected);
    json_decref(alone);
    json_decref(list);
}

TEST(alternatives)
{
    json_t *json = respond_json("POST", "/translate",
                                "source=de&target=en&alternatives=7&q=wir gehen nicht", 200);
    const json_t *others = json_object_get(json, "alternatives");
    const json_t *best = json_object_get(json, "translatedText");
    ck_assert_uint_ge(json_array_size(others), 1);
    ck_assert_uint_le(json_array_size(others), 2); // a beam of 3
    ck_assert(!json_equal(json_array_get(others, 0), best));
    json_decref(json);
    json = respond_json("POST", "/translate",
                        "{\"source\":\"de\", \"target\":\"en\", \"alternatives\":1, \"q\":[\"a\"]}",
                        200);
    others = json_array_get(json_object_get(json, "alternatives"), 0);
    ck_assert_uint_eq(json_array_size(others), 1);
    json_decref(json);
}

TEST(detected_language)
{
    json_t *json = respond_json("POST", "/translate",
                                "source=auto&target=en&q=die Katze ist nicht im Haus", 200);
    const json_t *language = json_object_get(json, "detectedLanguage");
    ck_assert_str_eq(member_text(language, "language"), "de");
    ck_assert(json_number_value(json_object_get(language, "confidence")) > 50);
    json_decref(json);
    // in the target's language already: unchanged
    json = respond_json(
        "POST", "/translate",
        "{\"source\": \"auto\", \"target\": \"en\", \"q\": [\"where is the cat?\"]}", 200);
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(json, "translatedText"), 0)),
                     "where is the cat?");
    language = json_array_get(json_object_get(json, "detectedLanguage"), 0);
    ck_assert_str_eq(member_text(language, "language"), "en");
    ck_assert_ptr_null(json_object_get(json, "alternatives"));
    json_decref(json);
    json = respond_json("POST", "/translate", "source=en&target=en&q=the+cat&alternatives=2", 200);
    expect_equal(json, "{\"translatedText\": \"the cat\", \"alternatives\": []}");
    json = respond_json("POST", "/translate",
                        "{\"source\": \"en\", \"target\": \"en\", \"q\": [\"a\", \"b\"],"
                        " \"alternatives\": 1}",
                        200);
    expect_equal(json, "{\"translatedText\": [\"a\", \"b\"], \"alternatives\": [[], []]}");
    // nothing to tell from: from the language that a model translates from
    json = respond_json("POST", "/translate", "source=auto&target=de&q=123", 200);
    ck_assert_str_eq(member_text(json_object_get(json, "detectedLanguage"), "language"), "en");
    json_decref(json);
}

static size_t link_end(const json_t *alignment, size_t link, size_t side)
{
    const json_t *pair = json_array_get(json_object_get(alignment, "links"), link);
    return (size_t)json_integer_value(json_array_get(pair, side));
}

// Links point to units, also of a second line.
static void expect_alignment(const json_t *alignment, size_t sources)
{
    size_t targets = json_array_size(json_object_get(alignment, "target"));
    size_t links = json_array_size(json_object_get(alignment, "links"));
    ck_assert_uint_eq(json_array_size(json_object_get(alignment, "source")), sources);
    ck_assert_uint_ge(links, 1);
    for (size_t i = 0; i < links; i++) {
        ck_assert_uint_lt(link_end(alignment, i, 0), sources);
        ck_assert_uint_lt(link_end(alignment, i, 1), targets);
    }
}

TEST(alignment)
{
    json_t *json = respond_json("POST", "/translate",
                                "{\"source\": \"de\", \"target\": \"en\", \"alignment\": true,"
                                " \"q\": [\"das Haus\\ndie Katze\"]}",
                                200);
    expect_alignment(json_array_get(json_object_get(json, "alignment"), 0), 4);
    json_decref(json);
    json = respond_json("POST", "/align",
                        "source=de&target=en&q=das+kleine+Haus&translation=the+small+house", 200);
    expect_alignment(json_object_get(json, "alignment"), 3);
    ck_assert_uint_eq(json_object_size(json), 1);
    json_decref(json);
    expect_error("/align", "source=de&target=en&q=a", 400, "missing translation parameter");
    expect_error("/align",
                 "{\"source\":\"de\", \"target\":\"en\", \"q\":[\"a\"], \"translation\":\"b\"}",
                 400, "do not have the same number of texts");
    char body[128] = "q=a&source=de&target=en&translation=";
    memset(body + strlen(body), 'a', 51);
    expect_error("/align", body, 400, "request (51) exceeds text limit (50)");
}

TEST(prefix)
{
    json_t *json = respond_json("POST", "/translate",
                                "source=de&target=en&q=das+Haus&alternatives=2&prefix=the+ho", 200);
    const json_t *others = json_object_get(json, "alternatives");
    ck_assert_int_eq(strncmp(member_text(json, "translatedText"), "the ho", 6), 0);
    for (size_t i = 0; i < json_array_size(others); i++)
        ck_assert_int_eq(strncmp(json_string_value(json_array_get(others, i)), "the ho", 6), 0);
    json_decref(json);
    expect_error("/translate", "source=de&target=en&q=das+Haus%0Adas+Haus&prefix=the", 400,
                 "a prefix is for one text of one line");
    expect_error("/translate",
                 "{\"source\":\"de\", \"target\":\"en\", \"q\":[\"a\"], \"prefix\":\"b\"}", 400,
                 "a prefix is for one text of one line");
    char text[128] = "prefix=a&source=de&target=en&q=";
    memset(text + strlen(text), 'a', 51);
    expect_error("/translate", text, 400, "request (51) exceeds text limit (50)");
    char body[128] = "q=a&source=de&target=en&prefix=";
    memset(body + strlen(body), 'a', 51);
    expect_error("/translate", body, 400, "request (51) exceeds text limit (50)");
}

TEST(what_if)
{
#define ASKED "{\"source\": \"de\", \"target\": \"en\", \"q\": \"das Haus\", \"what_if\": "
    json_t *json = respond_json("POST", "/translate", ASKED "{\"force\": [\"0:dog\"]}}", 200);
    ck_assert_int_eq(strncmp(member_text(json, "translatedText"), "dog", 3), 0);
    json_decref(json);
    json = respond_json("POST", "/translate",
                        ASKED "{\"forbid_source\": [\"0\", \"Haus\"], \"attend\": [],"
                              " \"forbid\": [\"0:the\"]}}",
                        200);
    ck_assert_int_ne(strncmp(member_text(json, "translatedText"), "the ", 4), 0);
    json_decref(json);
    expect_error("/translate", ASKED "{\"force\": [\"dog\"]}}", 400,
                 "force dog: not STEP:WORD, 2:noire");
    expect_error("/translate", ASKED "{\"forbid_source\": [\"99\"]}}", 400,
                 "forbid-source 99: the source has the subwords 0 to");
    expect_error("/translate", ASKED "{\"forbid_source\": [3]}}", 400, "is not a list of texts");
    expect_error("/translate", ASKED "{\"for\": [\"0:dog\"]}}", 400, "what_if: for is not");
    expect_error("/translate", ASKED "[]}", 400, "what_if is not an object");
    expect_error("/translate",
                 "{\"source\":\"de\", \"target\":\"en\", \"q\":\"a\\nb\", \"what_if\": {}}", 400,
                 "what_if is for one text of one line");
#undef ASKED
}

static void expect_once(const json_t *text, const char *part)
{
    const char *first = strstr(json_string_value(text), part);
    ck_assert_msg(first && !strstr(first + 1, part), "%s", json_string_value(text));
}

TEST(what_stays)
{
    json_t *json = respond_json("POST", "/translate",
                                "{\"source\": \"de\", \"target\": \"en\", \"alignment\": true,"
                                " \"alternatives\": 1, \"q\": \"das Haus ls@x.org\\n`a b` 😀\"}",
                                200);
    const json_t *text = json_object_get(json, "translatedText");
    const json_t *other = json_array_get(json_object_get(json, "alternatives"), 0);
    expect_once(text, "ls@x.org");
    expect_once(text, "\n`a b` 😀");
    expect_once(other, "ls@x.org");
    const json_t *words = json_object_get(json_object_get(json, "alignment"), "source");
    ck_assert_uint_eq(json_array_size(words), 6);
    ck_assert_str_eq(json_string_value(json_array_get(words, 2)), "ls@x.org");
    json_decref(json);
}

TEST(what_stays_with_prefix)
{
    json_t *json =
        respond_json("POST", "/translate",
                     "source=de&target=en&q=das+Haus+ls@x.org+90817&prefix=the+ls@x.org+", 200);
    const json_t *text = json_object_get(json, "translatedText");
    expect_once(text, "ls@x.org");
    expect_once(text, "90817");
    json_decref(json);
}

TEST(glossary)
{
    json_t *json =
        respond_json("POST", "/translate",
                     "{\"source\":\"de\", \"target\":\"en\", \"q\":[\"das Haus\", \"ein\"],"
                     " \"glossary\":{\"haus\":\"qux zyx\"}}",
                     200);
    const json_t *texts = json_object_get(json, "translatedText");
    assert_contains(json_string_value(json_array_get(texts, 0)), "ux zyx");
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
    expect_error("/translate",
                 "{\"source\":\"de\", \"target\":\"en\", \"q\":\"a\","
                 " \"glossary\":{\"a\":\"\", \"b\":\"c\"}}",
                 400, "glossary: the translation of \"a\" is empty");
    char body[1024] = "{\"source\":\"de\", \"target\":\"en\", \"q\":\"a\", \"glossary\":{\"b\":\"";
    memset(body + strlen(body), 'c', 499);
    memcpy(body + strlen(body), "\"}}", 4);
    expect_error("/translate", body, 400, "request (501) exceeds text limit (500)");
}

TEST(errors)
{
    char body[2048];
    expect_error("/translate", "source=de&target=en", 400, "missing q parameter");
    expect_error("/translate", "q=&source=de&target=en", 400, "missing q parameter");
    expect_error("/translate", "{\"q\":[], \"source\":\"de\"}", 400, "missing q parameter");
    expect_error("/translate", "{\"q\":[\"a\", 1], \"source\":\"de\"}", 400, "q[1] is not text");
    expect_error("/translate", "{\"q\":{}, \"source\":\"de\"}", 400, "q is not text");
    expect_error("/translate", "{\"q\":5, \"source\":\"de\"}", 400, "q is not text");
    expect_error("/translate", "{\"q\":\"a\", \"source\":5}", 400, "source is not text");
    expect_error("/translate", "q=a&target=en", 400, "missing source parameter");
    expect_error("/translate", "q=a&source=de", 400, "missing target parameter");
    expect_error("/translate", "q=a&source=de&target=fr", 400, "fr is not supported");
    expect_error("/translate", "q=a&source=fr&target=de", 400, "fr is not supported");
    // what is cut ends within a character
    memcpy(body, "q=a&source=de&target=", 22);
    memset(body + 21, 'a', 99);
    memcpy(body + 120, "é", 3);
    expect_error("/translate", body, 400, "is not supported");
    expect_error("/translate", "q=a&source=de&target=en&format=pdf", 400,
                 "pdf format is not supported");
    expect_error("/translate", "q=a&source=de&target=en&alternatives=x", 400,
                 "alternatives parameter is not a number");
    expect_error("/translate", "{\"q\":\"a\", \"source\":\"de\", \"target\":\"en\"", 400,
                 "is not JSON");
    memset(body, 'a', sizeof body);
    memcpy(body, "source=de&target=en&q=", 22);
    body[22 + 501] = '\0';
    expect_error("/translate", body, 400, "request (501) exceeds text limit (500)");
    memcpy(body, "alignment=1&source=de&target=en&q=", 34);
    body[34 + 51] = '\0';
    expect_error("/translate", body, 400, "request (51) exceeds text limit (50)");
    expect_error("/detect",
                 "{\"q\":[\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\","
                 "\"\",\"\",\"\",\"\",\"\",\"\",\"\"]}",
                 400, "request (21) exceeds text limit (20)");
    expect_error("/nothing", "", 404, "Not found");
}

TEST(methods)
{
    Response response = respond("GET", "/translate", "");
    ck_assert_uint_eq(response.status, 405);
    ck_assert_str_eq(response.allow, "POST, OPTIONS");
    response_free(&response);
    response = respond("POST", "/languages", "");
    ck_assert_uint_eq(response.status, 405);
    ck_assert_str_eq(response.allow, "GET, HEAD, OPTIONS");
    response_free(&response);
    response = respond("OPTIONS", "/translate", "");
    ck_assert_uint_eq(response.status, 204);
    response_free(&response);
}

static void expect_language(const char *body, const char *language)
{
    json_t *json = respond_json("POST", "/detect", body, 200);
    ck_assert_str_eq(member_text(json_array_get(json, 0), "language"), language);
    json_decref(json);
}

// Of what is a word of both, the model decides that has the rest; of a long text its beginning.
TEST(detection)
{
    expect_language("q=in+Haus", "de");
    expect_language("q=in+house", "en");
    enum { LENGTH = 3 * MAX_DETECTED };
    static char body[LENGTH + 40] = "q=";
    service->options.max_characters = sizeof body;
    while (strlen(body) < MAX_DETECTED) strcat(body, "the+house+is+small+and+");
    while (strlen(body) < LENGTH) strcat(body, "das+Haus+ist+nicht+klein+und+");
    expect_language(body, "en");
    memmove(body + 2, body + LENGTH / 2, LENGTH / 2 + 1);
    expect_language(body, "de");
}

TEST(facts)
{
    json_t *json = respond_json("GET", "/languages", "", 200);
    expect_equal(json, "[{\"code\": \"de\", \"name\": \"German\", \"targets\": [\"de\","
                       " \"en\"]}, {\"code\": \"en\", \"name\": \"English\", \"targets\":"
                       " [\"de\", \"en\"]}]");
    json = respond_json("POST", "/detect", "q=the cat and the dog are not in the house", 200);
    ck_assert_str_eq(member_text(json_array_get(json, 0), "language"), "en");
    json_decref(json);
    json = respond_json("GET", "/health", "", 200);
    ck_assert_str_eq(member_text(json, "status"), "ok");
    json_decref(json);
    json = respond_json("GET", "/frontend/settings", "", 200);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "charLimit")), 500);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "alignmentCharLimit")), 50);
    json_decref(json);
    json = respond_json("GET", "/spec", "", 200);
    for (size_t i = 0; i < ROUTES; i++)
        ck_assert_ptr_nonnull(json_object_get(json_object_get(json, "paths"), routes[i].path));
    json_decref(json);
    Response response = respond("GET", "/metrics", "");
    assert_contains(bytes_text(&response.body), "\nregard_queue_length 0\n");
    ck_assert_ptr_eq(strstr(response.type, "text/plain; version=0.0.4"), response.type);
    response_free(&response);
    response = respond("GET", "/favicon.ico", "");
    ck_assert_uint_eq(response.status, 204);
    response_free(&response);
    response = respond("GET", "/", "");
    ck_assert_ptr_eq(strstr(bytes_text(&response.body), "<!DOCTYPE html>"), response.body.data);
    assert_contains(response.policy, "script-src 'sha256-");
    response_free(&response);
}

TESTS_SHARE(write_models, .before = set_options)

TEST(rate)
{
    service_options.per_minute = 2;
    open_service();
    for (size_t i = 0; i < 2; i++) json_decref(respond_json("POST", "/detect", "q=a", 200));
    expect_error("/detect", "q=a", 429, "2 requests per 1 minute");
    json_decref(respond_json("GET", "/health", "", 200));
    close_service();
}

TEST(keys)
{
    service_options.api_keys = scratch_path("keys");
    scratch_write(service_options.api_keys, "secret\n", 7);
    open_service();
    expect_error("/detect", "q=a", 400, "to get an API key");
    expect_error("/detect", "q=a&api_key=", 400, "to get an API key");
    expect_error("/detect", "q=a&api_key=guess", 403, "Invalid API key");
    json_decref(respond_json("POST", "/detect", "{\"q\":\"a\", \"api_key\":\"secret\"}", 200));
    json_decref(respond_json("GET", "/languages", "", 200));
    scratch_write(service_options.api_keys, "other\n", 6);
    assert_ok(service_reload(service, NULL));
    expect_error("/detect", "q=a&api_key=secret", 403, "Invalid API key");
    close_service();
}

TEST(closing)
{
    open_service();
    service_close(service);
    expect_error("/detect", "q=a", 503, "the server is shutting down");
    close_service();
}
