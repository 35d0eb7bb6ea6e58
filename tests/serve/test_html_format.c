// format "html" of /translate.

#include "serve/service_case.h"
#include "support/sound_html.h"

static json_t *translate(const char *body, unsigned status)
{
    return respond_json("POST", "/translate", body, status);
}

TESTS_SHARE(write_models, .before = open_default_service, .after = close_service)

TEST(tags_are_kept)
{
    static const char html[] = "<p>das <b>Haus</b> <img title='1'></p>";
    json_t *json = translate("{\"source\": \"de\", \"target\": \"en\", \"format\": \"html\","
                             " \"alternatives\": 1, \"q\": [\"<p>das <b>Haus</b> <img "
                             "title='1'></p>\", \"<code>Haus</code>\", \"\"]}",
                             200);
    json_t *plain = translate("source=de&target=en&q=das Haus", 200);
    const char *first, *second, *third, *other, *said;
    ck_assert_int_eq(json_unpack(json, "{s:[s,s,s], s:[[s],[],[]]}", "translatedText", &first,
                                 &second, &third, "alternatives", &other),
                     0);
    ck_assert_int_eq(json_unpack(plain, "{s:s}", "translatedText", &said), 0);
    TextView text = text_view_of(first);
    ck_assert_msg(sound_html_is_nested(text), "%s", first);
    ck_assert_msg(sound_html_has_all((TextView){html, sizeof html - 1}, text), "%s", first);
    ck_assert_msg(sound_html_says(text, text_view_of(said)), "%s", first);
    ck_assert_str_eq(second, "<code>Haus</code>");
    ck_assert_str_eq(third, "");
    ck_assert_msg(sound_html_has_all(text, text_view_of(other)), "%s", other);
    json_decref(json);
    json_decref(plain);
}

TEST(elements_are_kept)
{
    json_t *json = translate("{\"source\": \"de\", \"target\": \"en\", \"format\": \"html\","
                             " \"alternatives\": 2, \"q\": \"das <code>Haus</code> und <kbd>^~|{}"
                             "</kbd> die <var>x</var>\"}",
                             200);
    static const char *const kept[] = {"<code>Haus</code>", "<kbd>^~|{}</kbd>", "<var>x</var>"};
    const char *text = json_string_value(json_object_get(json, "translatedText"));
    const json_t *others = json_object_get(json, "alternatives");
    for (size_t i = 0; i <= json_array_size(others); i++) {
        for (size_t k = 0; k < 3; k++) {
            const char *found = strstr(text, kept[k]);
            ck_assert_msg(found && !strstr(found + 1, kept[k]), "%s", text);
        }
        if (i < json_array_size(others)) text = json_string_value(json_array_get(others, i));
    }
    json_decref(json);
}

// Values of attributes as the same texts alone, and the language of the translation.
TEST(attributes_are_translated)
{
    json_t *plain = translate("source=de&target=en&q=das Haus", 200);
    json_t *json = translate("source=de&target=en&format=html&q=<html><p>die <b title='das "
                             "Haus'>Katze</b></p><img alt='das Haus'><i translate=no title=die>",
                             200);
    const char *said, *html;
    char image[256];
    ck_assert_int_eq(json_unpack(plain, "{s:s}", "translatedText", &said), 0);
    ck_assert_int_eq(json_unpack(json, "{s:s}", "translatedText", &html), 0);
    (void)snprintf(image, sizeof image, "<img alt='%s'><i translate=no title=die>", said);
    ck_assert_msg(!strncmp(html, "<html lang=\"en\"><p>", 19), "%s", html);
    assert_contains(html, image);
    ck_assert_msg(!strstr(html, "title='das Haus'"), "%s", html);
    json_decref(plain);
    json_decref(json);
}

TEST(attributes_stay)
{
    const char *html;
    json_t *json = translate("source=de&target=en&format=html&no_attributes=true&q=<html><p "
                             "title='das Haus'><br title='das Haus'>",
                             200);
    ck_assert_int_eq(json_unpack(json, "{s:s}", "translatedText", &html), 0);
    ck_assert_str_eq(html, "<html><p title='das Haus'><br title='das Haus'>");
    json_decref(json);
}

// All words of the first model are doubtful, and the second does not know.
TEST(uncertain_words_are_marked)
{
    const char *html;
    json_t *json =
        translate("source=de&target=en&format=html&uncertain=1&q=<p>das <b>Haus</b></p>", 200);
    ck_assert_int_eq(json_unpack(json, "{s:s}", "translatedText", &html), 0);
    assert_contains(html, "<span class=\"uncertain\">");
    json_decref(json);
    json = translate("source=en&target=de&format=html&uncertain=1&q=<p>das <b>Haus</b></p>", 200);
    ck_assert_int_eq(json_unpack(json, "{s:s}", "translatedText", &html), 0);
    ck_assert_ptr_null(strstr(html, "<span"));
    json_decref(json);
}

// What is English here is an attribute.
TEST(detected_language)
{
    const char *language;
    json_t *json =
        translate("source=auto&target=en&format=html&q=<p title='where is the cat? the cat "
                  "is not here'>die Katze ist nicht im Haus",
                  200);
    ck_assert_int_eq(json_unpack(json, "{s:{s:s}}", "detectedLanguage", "language", &language), 0);
    ck_assert_str_eq(language, "de");
    json_decref(json);
    json = translate("source=auto&target=en&format=html&q=<br>", 200);
    json_decref(json);
}

TEST(what_html_cannot_have)
{
    static const char *const others[] = {"alignment=true", "prefix=b"};
    for (size_t i = 0; i < 2; i++) {
        char body[128];
        const char *message;
        (void)snprintf(body, sizeof body, "source=de&target=en&q=a&format=html&%s", others[i]);
        json_t *json = translate(body, 400);
        ck_assert_int_eq(json_unpack(json, "{s:s}", "error", &message), 0);
        assert_contains(message, "is for the text format, not for html");
        json_decref(json);
    }
    expect_error("/translate", "source=de&target=en&q=a&no_attributes=1", 400,
                 "for the html format");
    expect_error("/translate", "source=de&target=en&q=a&uncertain=1", 400, "for the html format");
}
