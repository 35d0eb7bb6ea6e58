// Models found by name, in every verb that takes one, and regard models, which lists them.

#define _GNU_SOURCE
#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"
#include "support/tiny_model.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char model[192];

// One folder, of $REGARD_MODELS, with a model and a file that is none; the user's folder is not
// there.
static void set_up(void)
{
    strcpy(model, scratch_path("en-xx.safetensors"));
    tiny_model_write(model, 1);
    scratch_write(scratch_path("junk.safetensors"), "no model", 8);
    scratch_write(scratch_path("notes.txt"), "text", 4);
    char folders[256];
    snprintf(folders, sizeof folders, "/nowhere:%s", scratch_folder());
    setenv("REGARD_MODELS", folders, 1);
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

static Bytes said(const char *const *words)
{
    Run run = run_expect_done(run_program(words, "abc\n", 4, RUN_CAPTURED));
    bytes_free(&run.error);
    return run.out;
}

#define SAID(...) said((const char *const[]){__VA_ARGS__, NULL})

// The name gives what the file gives, with --model and without, and as an operand.
TEST(every_verb)
{
    const char *pairs = scratch_path("pairs.tsv");
    char output[192];
    strcpy(output, scratch_path("small"));
    scratch_write(pairs, "abc\tdef\n", 8);
    Bytes outputs[][2] = {
        {SAID("translate", model), SAID("translate", "en-xx")},
        {SAID("translate", model), SAID("translate", "--model", "en-xx")},
        {SAID("tokenize", model), SAID("tokenize", "en-xx")},
        {SAID("score", model, pairs), SAID("score", "en-xx", pairs)},
        {SAID("align", model, pairs), SAID("align", "en-xx", pairs)},
        {SAID("evaluate", model, pairs), SAID("evaluate", "en-xx", pairs)},
        {SAID("info", model), SAID("info", "en-xx")},
    };
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        ck_assert_uint_gt(outputs[i][0].length, 0);
        ck_assert_str_eq(outputs[i][0].data, outputs[i][1].data);
        bytes_free(&outputs[i][0]);
        bytes_free(&outputs[i][1]);
    }
    Bytes quantised = SAID("quantize", "en-xx", "-o", output);
    ck_assert_int_eq(strncmp(quantised.data, output, strlen(output)), 0);
    bytes_free(&quantised);
}

TEST(unknown_name)
{
    run_expect_failure(RUN("", "translate", "--model", "en-x"), 1,
                       "en-x: there is no such file, and no model of that name (did you mean "
                       "en-xx?): there are en-xx, junk in /nowhere, ");
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
    Bytes expected = said((const char *const[]){"info", model, NULL});
    scratch_subfolder("en-xx");
    ck_assert_int_eq(chdir(scratch_folder()), 0);
    Bytes named = SAID("info", "en-xx");
    ck_assert_str_eq(named.data, expected.data);
    run_expect_done(RUN("abc\n", "translate", "en-xx"));
    run_expect_done(RUN("abc\n", "translate", "--model", "en-xx"));
    run_expect_failure(RUN("", "info", "./en-xx"), 1, "./en-xx: is a directory");
    scratch_subfolder("en-fr");
    run_expect_failure(RUN("", "translate", "--model", "en-fr"), 1, "en-fr: is a directory");
    bytes_free(&expected);
    bytes_free(&named);
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
