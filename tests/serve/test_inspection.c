// What /inspect answers.

#include "serve/api/answer.h"
#include "serve/service_case.h"

#include "io/json.h"

TESTS_SHARE(write_models, .before = open_default_service, .after = close_service)

#define INSPECTED "{\"source\": \"de\", \"target\": \"en\", \"q\": \"das Haus\""

static size_t size_of(const json_t *json, const char *name)
{
    return json_array_size(json_object_get(json, name));
}

// It is the translation of /translate, with its weights, its tree and an explanation.
TEST(one_search)
{
    json_t *plain = respond_json("POST", "/translate", INSPECTED "}", 200);
    json_t *json = respond_json("POST", "/inspect", INSPECTED ", \"step\": 0}", 200);
    json_t *form = respond_json("POST", "/inspect", "source=de&target=en&q=das Haus&step=0", 200);
    const json_t *rows = json_object_get(json, "attention");
    const json_t *explained = json_object_get(json, "explanation");
    size_t sources = size_of(json, "source"), targets = size_of(json, "target");
    ck_assert(json_equal(json, form));
    ck_assert(json_equal(json_object_get(json, "translatedText"),
                         json_object_get(plain, "translatedText")));
    ck_assert_uint_eq(json_array_size(rows), targets);
    ck_assert_uint_eq(json_array_size(json_array_get(rows, 0)), sources);
    ck_assert_uint_eq(size_of(json, "log_probabilities"), targets);
    ck_assert_uint_eq(size_of(json, "texts"), targets - 1);
    ck_assert_uint_gt(size_of(json, "tree"), 0);
    ck_assert_uint_eq(size_of(explained, "likeliest"), 10);
    ck_assert_uint_eq(size_of(explained, "annotations"), sources);
    json_decref(plain);
    json_decref(form);
    json_decref(json);
}

// Attention that is asked to be otherwise is so in the explanation, too.
TEST(what_if)
{
    json_t *json = respond_json("POST", "/inspect",
                                INSPECTED ", \"step\": 0, \"what_if\": {\"forbid_source\": [\"0\"],"
                                          " \"attend\": [\"0:1=0.5\"]}}",
                                200);
    const json_t *heads = json_object_get(json_object_get(json, "explanation"), "heads");
    const json_t *weights = json_object_get(json_array_get(heads, 0), "weights");
    ck_assert_double_eq(json_number_value(json_array_get(weights, 0)), 0);
    ck_assert_double_eq(json_number_value(json_array_get(weights, 1)), 0.5);
    json_decref(json);
}

TEST(nothing_is_searched_of_what_stays)
{
    json_t *json = respond_json("POST", "/inspect", "source=de&target=en&q=123", 200);
    ck_assert_uint_eq(size_of(json, "tree"), 0);
    ck_assert_uint_eq(size_of(json, "log_probabilities"), 0);
    json_decref(json);
}

// A line of several sentences is one search, as it is not where only its translation is wanted.
TEST(sentences)
{
    service->options.max_characters = 5000;
    json_t *json = respond_json("POST", "/inspect",
                                "source=de&target=en&q=Die+Katze+schl%C3%A4ft+heute+nicht+im+Haus.+"
                                "Ein+kleines+Haus+steht+dort,+und+wir+gehen+heute+nicht+ins+Haus.+"
                                "Das+ist+nicht+die+Katze,+die+heute+im+kleinen+Haus+schl%C3%A4ft.",
                                200);
    ck_assert_uint_gt(size_of(json, "tree"), 0);
    ck_assert_uint_eq(size_of(json, "texts"), size_of(json, "target") - 1);
    ck_assert_uint_eq(size_of(json, "attention"), size_of(json, "target"));
    json_decref(json);
}

// What is said of a subword ends with a character, though several may be one.
TEST(characters)
{
    json_t *json = respond_json("POST", "/inspect", "source=de&target=en&q=%E6%9F%8C", 200);
    Bytes text = {0};
    const json_t *texts = json_object_get(json, "texts");
    for (size_t i = 0; i < json_array_size(texts); i++)
        assert_ok(bytes_append_string(&text, json_string_value(json_array_get(texts, i)), NULL));
    ck_assert_str_eq(bytes_text(&text), "\u67cc");
    ck_assert_uint_gt(json_array_size(texts), 2); // its bytes
    bytes_free(&text);
    json_decref(json);
}

TEST(refusals)
{
    expect_error("/inspect", INSPECTED ", \"step\": 99}", 400, "no target subword 99");
    expect_error("/inspect", INSPECTED ", \"step\": \"x\"}", 400, "step parameter is not");
    expect_error("/inspect", INSPECTED ", \"what_if\": {\"attend\": [\"0\"]}}", 400, "attend 0");
    expect_error("/inspect", "source=de&target=en&q=a%0Ab", 400, "for one text of one line");
    expect_error("/inspect", "source=de&target=en&q=%20", 400, "for one text of one line");
    expect_error("/inspect", "source=de&target=de&q=a", 400, "the same language");
}
