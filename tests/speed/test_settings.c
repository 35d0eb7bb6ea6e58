#include "bench/speed/settings.h"
#include "support/suite.h"

static Settings read_settings(size_t count, const char *const *words)
{
    Arguments arguments;
    Settings settings;
    assert_ok(options_parse(&arguments, &settings_verb, count, words, &settings, NULL));
    settings_complete(&settings, &arguments);
    return settings;
}

TEST(sizes)
{
    Settings usual = read_settings(0, NULL);
    Settings large = read_settings(1, (const char *[]){"--large"});
    Settings given = read_settings(7, (const char *[]){"--large", "--hidden", "64", "--embedding",
                                                       "32", "--vocab-size", "400"});
    ck_assert_uint_eq(usual.hidden, 256);
    ck_assert_uint_eq(usual.vocabulary, 8000);
    ck_assert_uint_eq(large.embedding, 512);
    ck_assert_uint_eq(large.hidden, 1024);
    ck_assert_uint_eq(large.vocabulary, 32000);
    ck_assert_uint_eq(given.embedding, 32);
    ck_assert_uint_eq(given.hidden, 64);
    ck_assert_uint_eq(given.vocabulary, 400);
}
