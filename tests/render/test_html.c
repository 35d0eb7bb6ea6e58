#include "render/html.h"

#include "base/memory.h"
#include "support/failing_malloc.h"
#include "support/label_pair.h"
#include "support/suite.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static const HtmlPage simple = {.model = "m.safetensors",
                                .attention = "additive",
                                .units = {UNITS_WORDS, UNITS_WORDS},
                                .heads = 1};

static Status begin(const HtmlPage *page, Bytes *out)
{
    Writer writer = writer_start(out, NULL);
    html_begin(&writer, page);
    return writer_end(&writer);
}

static Status end(Bytes *out)
{
    Writer writer = writer_start(out, NULL);
    html_end(&writer);
    return writer_end(&writer);
}

/* Adds a pair whose subwords are its words; the matrices are (target, source). */
static Status add(const HtmlPage *page, const float *const *weights, const char *source,
                  const char *target, size_t number, Bytes *out)
{
    LabelPair labels;
    label_pair_set(&labels, source, target);
    AlignmentView view = {labels.source, labels.target, weights};
    AlignedPair pair = {.words = view, .subwords = view};
    Writer writer = writer_start(out, NULL);
    html_add(&writer, page, &pair, number);
    Status status = writer_end(&writer);
    label_pair_free(&labels);
    return status;
}

static void add_one(const float *weights, const char *source, const char *target, size_t number,
                    Bytes *out)
{
    const float *const matrices[] = {weights};
    assert_ok(add(&simple, matrices, source, target, number, out));
}

/* The JSON of a page: what stands between its script's tags, as a browser finds it. Freed by
 * json_decref. */
static json_t *data_of(const Bytes *page)
{
    static const char open[] = "<script id=\"data\" type=\"application/json\">";
    const char *begin = strstr(page->data, open);
    ck_assert_ptr_nonnull(begin);
    begin += sizeof open - 1;
    const char *end = strstr(begin, "</script>");
    ck_assert_ptr_nonnull(end);
    json_error_t error;
    json_t *json = json_loadb(begin, (size_t)(end - begin), 0, &error);
    ck_assert_msg(json != NULL, "%s", error.text);
    return json;
}

static const char *item(const json_t *list, size_t at)
{
    const char *text = json_string_value(json_array_get(list, at));
    ck_assert_ptr_nonnull(text);
    return text;
}

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    ck_assert_ptr_nonnull(at);
    return (int)(at - digits);
}

// What an encoded matrix holds, in thousandths, by the rule in the header: `count` numbers.
static void decode(const char *text, int *numbers, size_t count)
{
    size_t at = 0;
    memset(numbers, 0, count * sizeof *numbers);
    for (; *text; text++) {
        int digit = digit_of(*text);
        if (digit >= 16) {
            at += (size_t)digit - 15;
        } else {
            ck_assert_uint_lt(at, count);
            numbers[at++] = digit * 64 + digit_of(*++text);
        }
    }
    ck_assert_uint_eq(at, count);
}

TEST(page)
{
    const float weights[2 * 2] = {0.75F, 0.25F, 0, 1};
    Bytes out = {0};
    assert_ok(begin(&simple, &out));
    add_one(weights, "le chat", "the cat", 0, &out);
    add_one(weights, "a b", "c d", 1, &out);
    assert_ok(end(&out));
    ck_assert(!strncmp(out.data, "<!DOCTYPE html>\n", 16));
    ck_assert_str_eq(out.data + out.length - 8, "</html>\n");
    // the parts are in it, and nothing has to be fetched: the only address is a namespace's name
    assert_contains(out.data, "color-scheme: light dark;");
    assert_contains(out.data, "'use strict';");
    ck_assert_ptr_null(strstr(out.data, "{{"));
    for (const char *at = out.data; (at = strstr(at, "http://")); at++)
        ck_assert(!strncmp(at, "http://www.w3.org/2000/svg'", 27));
    ck_assert_ptr_null(strstr(out.data, "https://"));
    json_t *data = data_of(&out), *pairs = json_object_get(data, "pairs");
    ck_assert_str_eq(json_string_value(json_object_get(data, "model")), "m.safetensors");
    ck_assert_str_eq(json_string_value(json_object_get(data, "attention")), "additive");
    ck_assert_int_eq(json_integer_value(json_object_get(data, "heads")), 1);
    assert_contains(out.data,
                    "--paper: light-dark(#ffffff, #12161d);"); // from which colours.js begins
    ck_assert_uint_eq(json_array_size(pairs), 2);
    json_t *words = json_object_get(json_array_get(pairs, 0), "words");
    ck_assert_str_eq(item(json_object_get(words, "source"), 1), " chat");
    ck_assert_str_eq(item(json_object_get(words, "target"), 0), "the");
    // 750 = 11 · 64 + 46, 250 = 3 · 64 + 58, one zero, 1000 = 15 · 64 + 40
    ck_assert_str_eq(item(json_object_get(words, "weights"), 0), "LuD6QPo");
    json_decref(data);
    bytes_free(&out);
}

TEST(text_cannot_end_the_script)
{
    const float weights[2] = {0.5F, 0.5F};
    HtmlPage page = simple;
    page.model = "</script><b>\"'&";
    Bytes out = {0};
    assert_ok(begin(&page, &out));
    size_t begin = out.length;
    add_one(weights, "</script> <!--<script>", "\"&'\\u003c\x01", 0, &out);
    ck_assert_ptr_null(strchr(out.data + begin, '<'));
    assert_ok(end(&out));
    ck_assert_ptr_null(strstr(out.data, "<b>"));
    json_t *data = data_of(&out), *pair = json_array_get(json_object_get(data, "pairs"), 0);
    json_t *words = json_object_get(pair, "words");
    ck_assert_str_eq(json_string_value(json_object_get(data, "model")), page.model);
    ck_assert_str_eq(item(json_object_get(words, "source"), 0), "</script>");
    ck_assert_str_eq(item(json_object_get(words, "source"), 1), " <!--<script>");
    ck_assert_str_eq(item(json_object_get(words, "target"), 0), "\"&'\\u003c\x01");
    json_decref(data);
    bytes_free(&out);
}

TEST(chinese)
{
    const float weights[3] = {0.2F, 0.3F, 0.5F};
    Bytes out = {0};
    assert_ok(begin(&simple, &out));
    add_one(weights, "我爱 猫", "cat", 0, &out);
    assert_ok(end(&out));
    assert_contains(out.data, "[\"我\",\"爱\",\" 猫\"]"); // as it is, not escaped
    bytes_free(&out);
}

// No pair, pairs without words on a side, and one word to one word.
TEST(small)
{
    const float one[1] = {1};
    Bytes out = {0};
    assert_ok(begin(&simple, &out));
    assert_ok(end(&out));
    json_t *data = data_of(&out);
    ck_assert_uint_eq(json_array_size(json_object_get(data, "pairs")), 0);
    json_decref(data);
    bytes_clear(&out);
    assert_ok(begin(&simple, &out));
    add_one(NULL, "", "", 0, &out);
    add_one(NULL, "", "a", 1, &out);
    add_one(NULL, "a", "", 2, &out);
    add_one(one, "a", "b", 3, &out);
    assert_ok(end(&out));
    data = data_of(&out);
    json_t *pairs = json_object_get(data, "pairs");
    ck_assert_uint_eq(json_array_size(pairs), 4);
    for (size_t i = 0; i < 4; i++) {
        json_t *words = json_object_get(json_array_get(pairs, i), "words");
        ck_assert_str_eq(item(json_object_get(words, "weights"), 0), i < 3 ? "" : "Po");
    }
    json_decref(data);
    bytes_free(&out);
}

// 100 × 100 random weights, many of them nothing, come back to the nearest thousandth.
TEST(numbers)
{
    enum { SIDE = 100, COUNT = SIDE * SIDE };
    Bytes words = {0}, out = {0};
    float *weights = memory_new(COUNT, sizeof *weights);
    int *numbers = memory_new(COUNT, sizeof *numbers);
    ck_assert(weights && numbers);
    uint32_t random = 1;
    for (size_t i = 0; i < COUNT; i++) {
        random = random * 1664525 + 1013904223;
        bool nothing = i > 50 && (random >> 30 || i / 700 % 2); // long runs of zeros, too
        weights[i] = nothing ? 0.0004F : (float)(random >> 8 & 0xFFFF) / 0xFFFF;
    }
    weights[0] = NAN;
    weights[1] = 1.0001F;
    weights[2] = -0.1F;
    for (size_t i = 0; i < SIDE; i++) assert_ok(bytes_append_string(&words, "a ", NULL));
    assert_ok(begin(&simple, &out));
    add_one(weights, words.data, words.data, 0, &out);
    assert_ok(end(&out));
    json_t *data = data_of(&out);
    json_t *pair = json_array_get(json_object_get(data, "pairs"), 0);
    decode(item(json_object_get(json_object_get(pair, "subwords"), "weights"), 0), numbers, COUNT);
    ck_assert(numbers[0] == 0 && numbers[1] == 1000 && numbers[2] == 0);
    for (size_t i = 3; i < COUNT; i++)
        ck_assert_int_eq(numbers[i], (int)lroundf(weights[i] * 1000));
    json_decref(data);
    bytes_free(&out);
    bytes_free(&words);
    memory_free(weights);
    memory_free(numbers);
}

TEST(heads)
{
    static const float mean[1] = {0.5F}, first[1] = {0}, second[1] = {1};
    const float *const matrices[] = {mean, first, second};
    HtmlPage page = simple;
    page.heads = 2;
    ck_assert_uint_eq(html_matrices(1), 1);
    ck_assert_uint_eq(html_matrices(2), 3);
    Bytes out = {0};
    assert_ok(begin(&page, &out));
    assert_ok(add(&page, matrices, "a", "b", 0, &out));
    assert_ok(end(&out));
    assert_contains(out.data, "\"heads\":2");
    assert_contains(out.data, "\"weights\":[\"H0\",\"Q\",\"Po\"]");
    bytes_free(&out);
}

TEST(failures)
{
    const float one[1] = {1};
    const float *const matrices[] = {one};
    Bytes out = {0};
    assert_ok(bytes_append_string(&out, "before", NULL));
    ck_assert_int_eq(add(&simple, matrices, "\xFF", "b", 0, &out), STATUS_ARGUMENT);
    ck_assert_str_eq(out.data, "before");
    bytes_free(&out);
    // of our own allocations; Jansson has its own malloc
    while (failing_malloc_next()) {
        Bytes page = {0};
        Status status = begin(&simple, &page);
        if (status && page.data) ck_assert_uint_eq(page.length, 0);
        if (!status) status = end(&page);
        failing_malloc_expect(status);
        bytes_free(&page);
    }
}

// What is drawn if not attention, and where attention and an aligner differ.
TEST(differences)
{
    HtmlPage page = simple;
    LabelPair labels;
    Bytes out = {0};
    const float weights[] = {1, 0, 0, 1}, *const matrices[] = {weights};
    Links attention = {.items = (Link[]){{0, 1}, {1, 0}}, .count = 2}, aligner = {0};
    page.shows = "the aligner alone";
    label_pair_set(&labels, "a b", "c d");
    AlignmentView view = {labels.source, labels.target, matrices};
    AlignedPair pair = {
        .words = view, .subwords = view, .links = &attention, .differ = {&attention, &aligner}};
    assert_ok(begin(&page, &out));
    Writer writer = writer_start(&out, NULL);
    html_add(&writer, &page, &pair, 0);
    assert_ok(writer_end(&writer));
    assert_ok(end(&out));
    json_t *data = data_of(&out), *first = json_array_get(json_object_get(data, "pairs"), 0);
    json_t *differ = json_object_get(first, "differ");
    ck_assert_str_eq(json_string_value(json_object_get(data, "shows")), "the aligner alone");
    ck_assert_str_eq(json_string_value(json_object_get(first, "links")), "0-1 1-0");
    ck_assert_str_eq(json_string_value(json_array_get(differ, 0)), "0-1 1-0");
    ck_assert_str_eq(json_string_value(json_array_get(differ, 1)), "");
    json_decref(data);
    label_pair_free(&labels);
    bytes_free(&out);
}
