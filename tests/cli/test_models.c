// Models found by name, in every verb that takes one, and regard models, which lists them.

#define _GNU_SOURCE
#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"
#include "support/tiny_model.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *model;

// One folder, of $REGARD_MODELS, with a model and a file that is none; the user's folder is not
// there.
static void set_up(void)
{
    model = scratch_path("en-xx.safetensors");
    tiny_model_write(model, 1);
    scratch_text("junk.safetensors", "no model");
    scratch_text("notes.txt", "text");
    setenv("REGARD_MODELS", scratch_format("/nowhere:%s", scratch_folder()), 1);
    setenv("XDG_DATA_HOME", "/nowhere/data", 1);
}

TESTS_EACH(set_up, NULL)

TEST(list)
{
    Run run = run_expect_done(RUN("", "models"));
    ck_assert_int_eq(strncmp(run.out.data, "en-xx  ? → ?", strlen("en-xx  ? → ?")), 0);
    assert_contains(run.out.data, model);
    assert_contains(run.out.data, "\njunk   cannot be used: ");
    ck_assert_ptr_null(strstr(run.out.data, "notes"));
}

TEST(json)
{
    Run run = run_expect_done(RUN("", "models", "--json"));
    json_t *first = json_loads(run.out.data, JSON_DISABLE_EOF_CHECK, NULL);
    json_t *second = json_loads(strchr(run.out.data, '\n'), JSON_DISABLE_EOF_CHECK, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(first, "name")), "en-xx");
    ck_assert_str_eq(json_string_value(json_object_get(first, "file")), model);
    ck_assert_int_gt(json_integer_value(json_object_get(first, "bytes")), 1000);
    ck_assert_ptr_null(json_object_get(first, "error"));
    ck_assert_ptr_nonnull(json_object_get(second, "error"));
    json_decref(first);
    json_decref(second);
}

// What the program prints for a line of input.
#define PRINTED(...) run_expect_done(RUN("abc\n", __VA_ARGS__)).out.data

// The name gives what the file gives, with --model and without, and as an operand.
TEST(every_verb)
{
    const char *pairs = scratch_text("pairs.tsv", "abc\tdef\n"), *output = scratch_path("small");
    const char *const outputs[][2] = {
        {PRINTED("translate", model), PRINTED("translate", "en-xx")},
        {PRINTED("translate", model), PRINTED("translate", "--model", "en-xx")},
        {PRINTED("tokenize", model), PRINTED("tokenize", "en-xx")},
        {PRINTED("score", model, pairs), PRINTED("score", "en-xx", pairs)},
        {PRINTED("align", model, pairs), PRINTED("align", "en-xx", pairs)},
        {PRINTED("evaluate", model, pairs), PRINTED("evaluate", "en-xx", pairs)},
        {PRINTED("info", model), PRINTED("info", "en-xx")},
    };
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        ck_assert_str_ne(outputs[i][0], "");
        ck_assert_str_eq(outputs[i][0], outputs[i][1]);
    }
    const char *quantised = PRINTED("quantize", "en-xx", "-o", output);
    ck_assert_int_eq(strncmp(quantised, output, strlen(output)), 0);
}

TEST(unknown_name)
{
    run_expect_failure(RUN("", "translate", "--model", "en-x"), 1,
                       scratch_format("en-x: there is no such file, and no model of that name (did "
                                      "you mean en-xx?): there are en-xx, junk in %s",
                                      scratch_folder()));
    // a pair of languages is meant for a model
    run_expect_failure(RUN("", "translate", "en-fr"), 1,
                       "en-fr: there is no such file, and no model of that name");
    // a file without a folder, likewise
    run_expect_failure(RUN("", "translate", "en-x.safetensors"), 1,
                       "en-x.safetensors: there is no such file, and no model of that name (did "
                       "you mean en-xx?)");
    // anything else for a text
    run_expect_failure(RUN("", "translate", "letter"), 2,
                       "no operand ends in .safetensors or names a model");
    run_expect_failure(RUN("", "info", "./en-xx"), 1, "./en-xx: cannot be opened");
}

// A file or folder of that name hides no model; its path has a slash.
TEST(name_and_file)
{
    char program[4096];
    const char *given = getenv("REGARD_PROGRAM");
    ck_assert_ptr_nonnull(realpath(given ? given : "build/release/regard", program));
    setenv("REGARD_PROGRAM", program, 1);
    const char *expected = PRINTED("info", model);
    scratch_subfolder("en-xx");
    ck_assert_int_eq(chdir(scratch_folder()), 0);
    ck_assert_str_eq(PRINTED("info", "en-xx"), expected);
    run_expect_done(RUN("abc\n", "translate", "en-xx"));
    run_expect_done(RUN("abc\n", "translate", "--model", "en-xx"));
    run_expect_failure(RUN("", "info", "./en-xx"), 1, "./en-xx: is a directory");
    scratch_subfolder("en-fr");
    run_expect_failure(RUN("", "translate", "--model", "en-fr"), 1, "en-fr: is a directory");
}

// Where a model is written a name is refused.
TEST(names_are_not_written)
{
    static const char message[] =
        "en-fr: is a model's name, not a file's; write en-fr.safetensors or ./en-fr";
    run_expect_failure(RUN("", "train", "--train", "a.tsv", "--model", "en-fr"), 2, message);
    run_expect_failure(RUN("", "quantize", model, "-o", "en-fr"), 2, message);
    run_expect_failure(RUN("", "average", model, model, "-o", "en-fr"), 2, message);
}

TEST(no_models)
{
    setenv("REGARD_MODELS", "", 1);
    Run run = run_expect_done(RUN("", "models"));
    ck_assert_uint_eq(run.out.length, 0);
    assert_contains(run.error.data, "there are no models in /nowhere/data/regard/models, ");
}
