// The parameters of requests: JSON, forms, queries, and what is none.

#include "serve/api/request.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

static const char JSON[] = "application/json; charset=utf-8";
static const char FORM[] = "application/x-www-form-urlencoded";

static Request request(const char *target, const char *type, const char *body)
{
    return (Request){.method = "POST",
                     .target = target,
                     .content_type = type,
                     .client = "::1",
                     .body = text_view_of(body)};
}

static json_t *parameters(const char *target, const char *type, const char *body)
{
    Request given = request(target, type, body);
    json_t *json = NULL;
    Error error = {0};
    Status status = request_parameters(&json, &given, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    return json;
}

static void expect_text(const json_t *json, const char *name, const char *text)
{
    const json_t *value = json_object_get(json, name);
    ck_assert_msg(value != NULL, "%s", name);
    ck_assert_str_eq(json_string_value(value), text);
}

TEST(path)
{
    Request given = request("/detect?q=/translate", NULL, "");
    ck_assert(request_is_for(&given, "/detect"));
    ck_assert(!request_is_for(&given, "/detec"));
    ck_assert(!request_is_for(&given, "/detect?q"));
}

TEST(json)
{
    json_t *json = parameters("/translate?target=fr&q=no", JSON, "{\"q\": [\"a\", \"b\"]}");
    ck_assert_uint_eq(json_array_size(json_object_get(json, "q")), 2); // the body's comes first
    expect_text(json, "target", "fr");
    json_decref(json);
    json = parameters("/translate", "application/vnd.api+JSON", "{\"q\": \"a\"}");
    expect_text(json, "q", "a");
    json_decref(json);
    // what is no JSON is a form
    static const char *const others[] = {"application/yaml", "application/x-json", "json", ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        json = parameters("/translate", others[i], "q=a");
        expect_text(json, "q", "a");
        json_decref(json);
    }
}

TEST(form)
{
    json_t *json = parameters("/translate?source=en&q=no", FORM,
                              "q=caf%C3%A9+%26+100%+%2&&target=fr&q=other&x=y&format=a=b&api_key");
    expect_text(json, "q", "café & 100% %2");
    expect_text(json, "source", "en");
    expect_text(json, "target", "fr");
    expect_text(json, "format", "a=b");
    expect_text(json, "api_key", "");
    ck_assert_uint_eq(json_object_size(json), 5);
    json_decref(json);
    json = parameters("/translate", NULL, "");
    ck_assert_uint_eq(json_object_size(json), 0);
    json_decref(json);
}

static void expect_refused(const char *target, const char *type, const char *body,
                           const char *message)
{
    Request given = request(target, type, body);
    json_t *json = NULL;
    Error error = {0};
    ck_assert_int_eq(request_parameters(&json, &given, &error), STATUS_FORMAT);
    assert_contains(error.text, message);
}

TEST(refusals)
{
    expect_refused("/", JSON, "", "the body is not JSON");
    expect_refused("/", JSON, "{\"q\": \"a\"", "the body is not JSON");
    expect_refused("/", JSON, "{\"q\": \"a\", \"q\": \"b\"}", "the body is not JSON");
    expect_refused("/", JSON, "{\"q\": \"\xff\"}", "the body is not JSON");
    expect_refused("/", JSON, "[]", "the body is not a JSON object");
    expect_refused("/", FORM, "q=%ff", "q is not UTF-8");
    expect_refused("/?q=%C3", FORM, "", "q is not UTF-8");
    expect_refused("/?api_key=secret%00x", FORM, "", "api_key has the character NUL");
    expect_refused("/", FORM, "q=a%00", "q has the character NUL");
    expect_refused("/", JSON, "{\"q\": \"a\\u0000\"}", "a text has the character NUL, at byte");
    expect_refused("/", JSON, "{\"a\\u0000b\": 1}", "a text has the character NUL, at byte");
}

static const char PARTS[] = "Multipart/Form-Data; charset=utf-8; boundary=\"-- a\"";

TEST(parts)
{
    json_t *json =
        parameters("/translate?source=en&q=no", PARTS,
                   "---- a\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\ncaf\xc3\xa9 &\r\n"
                   "-- a\r\n---- a \t\r\ncontent-type: text/plain\r\n"
                   "content-disposition:form-data;name=target; x=y\r\n\r\nfr\r\n"
                   "---- a\r\nContent-Disposition: form-data; filename=\"q\"; name=\"file\"\r\n\r\n"
                   "\r\n---- a\r\nX: y\r\n\r\n\r\n---- a--\r\n");
    expect_text(json, "q", "café &\r\n-- a");
    expect_text(json, "target", "fr");
    expect_text(json, "source", "en");
    ck_assert_uint_eq(json_object_size(json), 3);
    json_decref(json);
    json = parameters("/translate", "multipart/form-data;boundary=x", "--x--");
    ck_assert_uint_eq(json_object_size(json), 0);
    json_decref(json);
    static const char *const unfinished[] = {"",
                                             "x",
                                             "---- ",
                                             "---- a",
                                             "---- a\r\nname=\"q\"\r\n\r\n",
                                             "---- b--",
                                             "---- a\r\n\r\na\r\n---- a\r\n"};
    for (size_t i = 0; i < sizeof unfinished / sizeof *unfinished; i++)
        expect_refused("/", PARTS, unfinished[i], "the form has no end");
    expect_refused("/", PARTS, "---- a\r\nname=q\r\n---- a--", "a part has no headers");
    expect_refused("/", PARTS, "---- a\r\nA: b; name=q\r\n\r\n\xff\r\n---- a--", "q is not UTF-8");
    expect_refused("/", "multipart/form-data", "--x--", "the form has no end");
}

TEST(short_memory)
{
    const Request given[] = {
        request("/translate?source=en", FORM, "q=a&target=fr"),
        request("/translate?source=en", PARTS, "---- a\r\nA: b; name=q\r\n\r\na\r\n---- a--")};
    for (size_t i = 0; i < 2; i++)
        while (failing_malloc_next()) {
            json_t *json = NULL;
            Error error = {0};
            if (!failing_malloc_expect(request_parameters(&json, &given[i], &error)))
                json_decref(json);
        }
}
