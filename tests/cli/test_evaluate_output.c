// regard evaluate --output: the translations in a file, and what it may not replace.

#include "cli/one_model.h"

#include <string.h>

static const char *pairs, *output;

static const char three[] =
    "the red cat sees the old dog .\tle chat rouge voit le chien vieille .\n"
    "\tvide\n"
    "the big tree\tle arbre grand\n"
    "the big tree\tle grand arbre\n";

static void set_up(void)
{
    pairs = scratch_text("three.tsv", three);
    output = scratch_path("output");
}

static void expect_content(const char *path, const char *expected)
{
    Bytes text = scratch_read(path);
    ck_assert_str_eq(text.data, expected);
}

TESTS_SHARE(train_once, .seconds = 60)

// The lines are those of translate, for the sentences that are scored; the scores are as without.
TEST(translations)
{
    set_up();
    Run plain = RUN("", "evaluate", "--model", trained.model, pairs);
    Run run = RUN("", "evaluate", "--model", trained.model, pairs, "--output", output);
    Run translated = RUN("the red cat sees the old dog .\nthe big tree\nthe big tree\n",
                         "translate", "--model", trained.model);
    run_expect_done(run);
    ck_assert_str_eq(run.out.data, plain.out.data);
    expect_content(output, translated.out.data);

    run = RUN("", "evaluate", "--model", trained.model, pairs, "--group-source", "-o", output,
              "--overwrite");
    translated = RUN("the red cat sees the old dog .\nthe big tree\n", "translate", "--model",
                     trained.model);
    run_expect_done(run);
    expect_content(output, translated.out.data);

    // what was written is a --hypothesis
    const char *references = scratch_text("references", translated.out.data);
    run = RUN("", "evaluate", "--hypothesis", output, "--reference", references);
    assert_contains(run.out.data, "\nexact 100.00 % (2 of 2 equal");
}

TEST(refused)
{
    set_up();
    scratch_write(output, "mine\n", 5);
    run_expect_failure(RUN("", "evaluate", "--model", trained.model, pairs, "-o", output), 2,
                       "output: exists; --overwrite replaces it, --output names another");
    run_expect_failure(
        RUN("", "evaluate", "--model", trained.model, pairs, "-o", pairs, "--overwrite"), 2,
        "three.tsv: is both read and written; name another file");
    run_expect_failure(
        RUN("", "evaluate", "--model", trained.model, pairs, "-o", trained.model, "--overwrite"), 2,
        "model.safetensors: is both read and written");
    run_expect_failure(RUN("", "evaluate", "--model", trained.model, pairs, "--against", output,
                           "-o", output, "--overwrite"),
                       2, "output: is both read and written");
    run_expect_failure(RUN("", "evaluate", "--model", trained.model, pairs, "-o", "-"), 2,
                       "standard output has the scores; name a file with --output");
    run_expect_failure(RUN("", "evaluate", "--model", trained.model, pairs, "--overwrite"), 2,
                       "--overwrite is for --output; give that too");
    run_expect_failure(
        RUN("", "evaluate", "--model", trained.model, pairs, "-o", "/nonexistent/output"), 1,
        "/nonexistent/output: cannot be created");
    expect_content(pairs, three);
    expect_content(output, "mine\n");
}

// What was there stays, and nothing is left beside it.
TEST(failures)
{
    set_up();
    scratch_write(output, "mine\n", 5);
    unsigned count = scratch_count();
    run_expect_failure(
        RUN("", "evaluate", "--model", trained.model, "/nonexistent", "-o", output, "--overwrite"),
        1, "/nonexistent");
    run_expect_failure(
        RUN("", "evaluate", "--model", "/nonexistent", pairs, "-o", output, "--overwrite"), 1,
        "/nonexistent");
    ck_assert_uint_eq(scratch_count(), count);
    expect_content(output, "mine\n");
}
