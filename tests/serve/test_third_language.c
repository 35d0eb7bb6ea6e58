// Translations by way of a third language, where no model has both.

#include "serve/service_case.h"

static void set_up(void)
{
    set_options();
    service_options.models.count = 3;
    service_options.max_characters = 5000;
    open_service();
}

TESTS_SHARE(write_three_models, .before = set_up, .after = close_service)

static json_t *translated(const char *source, const char *target, json_t *values)
{
    json_object_set_new(values, "source", json_string(source));
    json_object_set_new(values, "target", json_string(target));
    char *body = json_dumps(values, 0);
    json_t *json = respond_json("POST", "/translate", body, 200);
    json_decref(values);
    free(body);
    return json;
}

static json_t *member(const json_t *json, const char *name)
{
    json_t *value = json_object_get(json, name);
    ck_assert_msg(value != NULL, "%s", name);
    return value;
}

static void expect_equal(const json_t *json, const json_t *other, const char *name)
{
    ck_assert_msg(json_equal(member(json, name), member(other, name)), "%s", name);
}

// The same as if the client had asked twice.
static void check(json_t *values)
{
    json_t *second = json_deep_copy(values), *first = json_deep_copy(values);
    json_object_del(first, "prefix");
    json_object_del(first, "alternatives");
    json_object_del(first, "uncertain");
    json_t *once = translated("de", "zh", values), *english = translated("de", "en", first);
    json_object_set(second, "q", member(english, "translatedText"));
    json_t *chinese = translated("en", "zh", second);
    expect_equal(once, chinese, "translatedText");
    if (json_object_get(chinese, "alternatives")) expect_equal(once, chinese, "alternatives");
    json_decref(once);
    json_decref(english);
    json_decref(chinese);
}

TEST(translate)
{
    check(json_pack("{s:s}", "q", "das Haus\n\nDie Katze schläft. Wo ist das Haus?"));
    check(json_pack("{s:[s,s,s]}", "q", "das Haus", "", "Die Katze"));
    check(json_pack("{s:s, s:s}", "q", "<p>das <b>kleine</b> Haus</p> Wo?", "format", "html"));
    check(json_pack("{s:s, s:s, s:b}", "q", "<p>das <b>kleine</b> Haus</p> Wo?", "format", "html",
                    "uncertain", 1));
    check(json_pack("{s:s, s:i, s:s}", "q", "das Haus", "alternatives", 2, "prefix", "the"));
    check(json_pack("{s:s}", "q", "   "));
}

// A job of the long lane stays there, however long the text between is.
TEST(long_text)
{
    char text[3001];
    memset(text, 'a', 3000);
    for (size_t i = 4; i < 3000; i += 5) text[i] = ' ';
    text[3000] = 0;
    check(json_pack("{s:s}", "q", text));
}

// Units are the source's and the target's, and each link goes through the text between.
TEST(alignment)
{
    for (int listed = 0; listed < 2; listed++) {
        json_t *values = json_pack(listed ? "{s:[s], s:b}" : "{s:s, s:b}", "q",
                                   "das kleine Haus\nDie Katze schläft.", "alignment", 1);
        json_t *second = json_deep_copy(values);
        json_t *english = translated("de", "en", json_deep_copy(values));
        json_t *once = translated("de", "zh", values);
        json_object_set(second, "q", member(english, "translatedText"));
        json_t *chinese = translated("en", "zh", second);
        json_t *alignments[3] = {member(english, "alignment"), member(chinese, "alignment"),
                                 member(once, "alignment")};
        for (size_t i = 0; i < 3 && listed; i++) alignments[i] = json_array_get(alignments[i], 0);
        ck_assert(json_equal(member(alignments[2], "source"), member(alignments[0], "source")));
        ck_assert(json_equal(member(alignments[2], "target"), member(alignments[1], "target")));
        const json_t *links = member(alignments[2], "links");
        ck_assert_uint_gt(json_array_size(links), 0);
        for (size_t i = 0; i < json_array_size(links); i++) {
            const json_t *from = json_array_get(links, i), *all[2];
            size_t ways = 0;
            for (size_t k = 0; k < 2; k++) all[k] = member(alignments[k], "links");
            for (size_t a = 0; a < json_array_size(all[0]); a++)
                for (size_t b = 0; b < json_array_size(all[1]); b++) {
                    const json_t *x = json_array_get(all[0], a), *y = json_array_get(all[1], b);
                    ways += json_equal(json_array_get(x, 0), json_array_get(from, 0)) &&
                            json_equal(json_array_get(x, 1), json_array_get(y, 0)) &&
                            json_equal(json_array_get(y, 1), json_array_get(from, 1));
                }
            ck_assert_uint_gt(ways, 0);
        }
        json_decref(english);
        json_decref(once);
        json_decref(chinese);
    }
}

TEST(languages)
{
    json_t *json = respond_json("GET", "/languages", "", 200);
    char *text = json_dumps(json, JSON_COMPACT);
    assert_contains(text,
                    "\"code\":\"de\",\"name\":\"German\",\"targets\":[\"de\",\"en\",\"zh-Hans\"]");
    assert_contains(text, "\"code\":\"zh-Hans\",\"name\":\"Chinese\",\"targets\":[\"zh-Hans\"]");
    free(text);
    json_decref(json);
    json = translated("auto", "zh", json_pack("{s:s}", "q", "Die Katze und das Haus sind hier."));
    json_decref(json);
}

TEST(refusals)
{
    expect_error("/translate", "source=zh&target=de&q=a", 400, "German (de) is not available");
    expect_error("/align", "source=de&target=zh&q=a&translation=b", 400, "is not available");
    expect_error(
        "/translate",
        "{\"source\":\"de\", \"target\":\"zh\", \"q\":\"a\", \"glossary\": {\"a\": \"b\"}}", 400,
        "a glossary is for languages with a model of their own");
}
