// The values of options: written, copied, compared.
#include "cli/own_options.h"

#include "support/suite.h"

#include <string.h>

static void expect_written(const char *name, const Values *values, const char *expected)
{
    const Option *option = options;
    while (strcmp(option->name, name) != 0) option++;
    Bytes text = {0};
    Writer out = writer_start(&text, NULL);
    option_write(&out, option, values);
    assert_ok(writer_end(&out));
    ck_assert_str_eq(bytes_text(&text), expected);
    bytes_free(&text);
}

// Every kind of value is written as it is typed, copied and compared; no digit is lost.
TEST(values)
{
    char model[] = "m.x", train[] = "b";
    const Values a = {.hidden = 7,
                      .layers = 8,
                      .dropout = 0.1 + 0.2,
                      .model = "m.x",
                      .train = {{"a", "b"}, 2},
                      .colour = COLOUR_BLUE,
                      .metal = 1,
                      .resume = true};
    Values b = {0};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const Option *option = &options[i];
        if (option->kind == OPTION_KIND_HEADING) continue;
        ck_assert(option_is_set(option, &a));
        ck_assert_msg(!option_equal(option, &a, &b), "%s is equal", option->name);
        option_copy(option, &b, &a);
        ck_assert_msg(option_equal(option, &a, &b), "%s differs", option->name);
    }
    b.model = model, b.train.items[1] = train; // equal letters at another place
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        ck_assert(options[i].kind == OPTION_KIND_HEADING || option_equal(&options[i], &a, &b));
    expect_written("hidden", &a, "7");
    expect_written("dropout", &a, "0.30000000000000004");
    expect_written("dropout", &defaults, "0.2");
    b.dropout = 10;
    expect_written("dropout", &b, "10");
    b.dropout = 1e7;
    expect_written("dropout", &b, "10000000");
    b.dropout = 1e-6;
    expect_written("dropout", &b, "1e-06");
    expect_written("model", &a, "m.x");
    expect_written("train", &a, "a b");
    expect_written("colour", &a, "blue");
    expect_written("resume", &a, "");
}

TEST(contradiction)
{
    static const Verb verb = {.name = "own", VERB_OPTIONS(options, defaults)};
    Values given = defaults, stored = defaults;
    Error error = {0};
    given.layers = 3;
    ck_assert_int_eq(option_contradiction(&verb, &options[2], &given, &stored, "in a.", &error),
                     STATUS_ARGUMENT);
    ck_assert_str_eq(error.text, "--layers is 3, and was as many as needed in a.");
    given.resume = true;
    const Option *resume = &options[sizeof options / sizeof *options - 1];
    (void)option_contradiction(&verb, resume, &given, &stored, "then", &error);
    ck_assert_str_eq(error.text, "--resume is given, and was not given then");
}
