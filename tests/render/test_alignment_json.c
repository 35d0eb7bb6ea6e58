#include "render/pictures.h"
#include "support/suite.h"

#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <string.h>

// Labels cut out of a text at its spaces.
static Labels labels(Spans *units, const char *text)
{
    assert_ok(units_split(units, UNITS_WORDS, text, strlen(text), NULL));
    return (Labels){text, units};
}

// The line for one source subword and its </s>, one target label, and two weights.
static Status write(const char *target, size_t length, float first, float second, Bytes *out,
                    Error *error)
{
    Spans source = {0}, one = {0}, none = {0};
    Links links = {.items = (Link[]){{0, 0}}, .count = 1};
    if (length) assert_ok(spans_append(&one, (Span){0, length}, NULL));
    const float *const matrix = (float[]){first, second};
    AlignedPair pair = {.words = {{"", &none}, {"", &none}, NULL},
                        .subwords = {labels(&source, "a </s>"), {target, &one}, &matrix},
                        .links = &links};
    Writer writer = writer_start(out, error);
    alignment_json_write(&writer, &pair);
    Status status = writer_end(&writer);
    spans_free(&source);
    spans_free(&one);
    return status;
}

TEST(a_line)
{
    const float weights[3 * 4] = {
        0.1F,    0.5F,    0.4F,  0.0F,  //
        1 / 3.F, 2 / 3.F, 4e-6F, 6e-6F, //
        0.0F,    0.0F,    0.0F,  1.00001F,
    };
    Spans units[4] = {{0}};
    Links links = {.items = (Link[]){{0, 0}, {1, 1}}, .count = 2};
    const float *const matrix = weights;
    AlignedPair pair = {
        .words = {labels(&units[2], "the cat"), labels(&units[3], "我 \"们\\"), NULL},
        .subwords = {labels(&units[0], "▁the ▁c at </s>"), labels(&units[1], "▁我 \"们\\ </s>"),
                     &matrix},
        .links = &links,
    };
    Bytes out = {0};
    Writer writer = writer_start(&out, NULL);
    alignment_json_write(&writer, &pair);
    assert_ok(writer_end(&writer));
    ck_assert_str_eq(
        out.data,
        "{\"source\": [\"▁the\", \"▁c\", \"at\", \"</s>\"], "
        "\"target\": [\"▁我\", \"\\\"们\\\\\", \"</s>\"], "
        "\"weights\": [[0.1, 0.5, 0.4, 0], [0.33333, 0.66667, 0, 0.00001], [0, 0, 0, 1]], "
        "\"source_words\": [\"the\", \"cat\"], \"target_words\": [\"我\", \"\\\"们\\\\\"], "
        "\"links\": \"0-0 1-1\"}\n");

    json_t *read = json_loadb(out.data, out.length, 0, NULL);
    ck_assert_ptr_nonnull(read);
    json_t *row = json_array_get(json_object_get(read, "weights"), 1);
    ck_assert_double_eq_tol(json_number_value(json_array_get(row, 1)), 0.66667, 1e-12);
    json_decref(read);

    Links only = {.items = (Link[]){{0, 1}}, .count = 1}, none = {0};
    pair.differ[0] = &only;
    pair.differ[1] = &none;
    bytes_clear(&out);
    writer = writer_start(&out, NULL);
    alignment_json_write(&writer, &pair);
    assert_ok(writer_end(&writer));
    assert_contains(out.data, ", \"links\": \"0-0 1-1\", \"only_attention\": \"0-1\", "
                              "\"only_aligner\": \"\"}\n");
    bytes_free(&out);
    for (int i = 0; i < 4; i++) spans_free(&units[i]);
}

TEST(odd_labels)
{
    Bytes out = {0};
    assert_ok(write("a\0\x1b\n", 4, 0.25F, 0.75F, &out, NULL));
    assert_contains(out.data, "\"target\": [\"a\\u0000\\u001B\\n\"]");
    ck_assert_ptr_eq(strchr(out.data, '\n'), out.data + out.length - 1); // one line
    bytes_clear(&out);
    assert_ok(write("", 0, 0, 0, &out, NULL)); // no target subword: no row
    assert_contains(out.data, "\"target\": [], \"weights\": [], ");
    bytes_free(&out);
}

TEST(refuses)
{
    Bytes out = {0};
    assert_ok(bytes_append_string(&out, "before\n", NULL));
    const float wrong[] = {NAN, INFINITY, -0.1F, 1.1F};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Error error = {0};
        ck_assert_int_eq(write("x", 1, 0.5F, wrong[i], &out, &error), STATUS_ARGUMENT);
        assert_contains(error.text, "check the model file");
        ck_assert_str_eq(out.data, "before\n");
    }
    Error error = {0};
    ck_assert_int_eq(write("\xFF", 1, 0.5F, 0.5F, &out, &error), STATUS_ARGUMENT);
    assert_contains(error.text, "not UTF-8");
    ck_assert_str_eq(out.data, "before\n");
    bytes_free(&out);
}

// A program whose locale writes 0,5 still gets JSON; where that locale is not installed this is the
// plain case.
TEST(decimal_comma)
{
    setlocale(LC_NUMERIC, "de_DE.UTF-8");
    Bytes out = {0};
    assert_ok(write("x", 1, 0.5F, 0.00125F, &out, NULL));
    assert_contains(out.data, "[[0.5, 0.00125]]");
    setlocale(LC_NUMERIC, "C");
    bytes_free(&out);
}
