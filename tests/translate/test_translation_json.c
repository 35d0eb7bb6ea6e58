#include "translate/translation_json.h"

#include "support/suite.h"

#include <check.h>

// "a b" and "x y": subwords a, ▁b of each, each target subword looking at the source's of its place.
static float alpha[] = {0.75f, 0.25f, 0, 0, 1, 0, 0, 0, 1};
static int32_t ids[] = {4, 5};
static uint32_t ends[] = {1, 3};

static Translation translation_of(char *source, Rendering *renderings, size_t count)
{
    return (Translation){.source = {.data = source, .length = source ? 3 : 0},
                         .source_subwords = {.ids = ids, .ends = ends, .count = 2},
                         .renderings = renderings,
                         .count = count};
}

static void expect(const Translation *translation, const UnitKind *units, const char *expected)
{
    Bytes out = {0};
    Writer writer = writer_start(&out, NULL);
    const LinkReading reading = reading_of_aligner(NULL);
    translation_json_write(&writer, translation, 7,
                           &(TranslationParts){.units = units, .reading = &reading});
    assert_ok(writer_end(&writer));
    ck_assert_str_eq(out.data, expected);
    bytes_free(&out);
}

TEST(by_hand)
{
    char source[] = "a b", target[] = "x y", other[] = "q\"";
    Rendering renderings[] = {{.text = {.data = target, .length = 3},
                               .subwords = {.ids = ids, .ends = ends, .count = 2},
                               .log_p = -1.5,
                               .score = -0.5,
                               .alpha = alpha,
                               .matrices = 1},
                              {.text = {.data = other, .length = 2}, .log_p = -3, .score = -1}};
    const UnitKind words[] = {UNITS_WORDS, UNITS_WORDS};
    Translation translation = translation_of(source, renderings, 2);
    expect(&translation, NULL,
           "{\"line\":7,\"source\":\"a b\",\"translations\":["
           "{\"text\":\"x y\",\"score\":-0.5,\"log_probability\":-1.5},"
           "{\"text\":\"q\\\"\",\"score\":-1.0,\"log_probability\":-3.0}]}");
    translation.count = 1;
    expect(
        &translation, words,
        "{\"line\":7,\"source\":\"a b\",\"translations\":["
        "{\"text\":\"x y\",\"score\":-0.5,\"log_probability\":-1.5,\"alignment\":\"0-0 1-1\"}]}");
}

TEST(an_empty_source)
{
    Translation translation = translation_of(NULL, NULL, 0);
    const UnitKind words[] = {UNITS_WORDS, UNITS_WORDS};
    expect(&translation, words, "{\"line\":7,\"source\":\"\",\"translations\":[]}");
}
