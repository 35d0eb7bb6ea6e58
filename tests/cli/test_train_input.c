// regard train, given what it cannot use: each time one line that says what, where and what to do.

#include "support/suite.h"
#include "support/trained_model.h"

#include <string.h>

// Training on this must fail so, and leave neither a model nor a temporary file.
static void expect_refused(const char *train, const char *message)
{
    unsigned files = scratch_count();
    run_expect_failure(RUN("", "train", TRAINED_FLAGS, "--max-epochs", "1", "--train", train,
                           "--model", scratch_path("model")),
                       1, message);
    ck_assert_uint_eq(scratch_count(), files);
}

TEST(corpora)
{
    static const struct {
        const char *name, *text, *message;
    } files[] = {
        {"empty", "", "empty: is empty and holds no pairs"},
        {"line-ends", "\n\n\n", "is empty in all 3 lines"},
        {"one-sided", "\tb\n\tc\n", "one-sided: holds no pairs: the source or the target is empty"},
        {"no-tab", "a\tb\nc\td\nonly this\ne f\n", "no-tab:3: has no TAB"},
        {"spaces", "a b c\nd e f\n", "spaces:1: has no TAB; each line must be SOURCE<TAB>TARGET"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = scratch_text(files[i].name, files[i].text);
        expect_refused(path, files[i].message);
    }
    const char *binary = scratch_path("binary");
    scratch_write(binary,
                  "\x7f"
                  "ELF\2\1\1\0\0\0\xff\xfe\t\n",
                  15);
    expect_refused(binary, "binary:1: ");
    expect_refused("/nonexistent.tsv", "/nonexistent.tsv: cannot be opened: No such file");
    expect_refused(scratch_folder(), "is a directory; name a file in it");
}

TEST(two_files)
{
    const char *long_one = scratch_text("long", "1\n2\n3\n");
    const char *short_one = scratch_text("short", "1\n2\n");
    expect_refused(scratch_format("%s,%s", long_one, short_one), "long has 3 lines but ");
    expect_refused(scratch_format("%s,/nonexistent", long_one), "/nonexistent: cannot be opened");
    run_expect_failure(RUN("", "train", "--train", scratch_format("%s,", long_one)), 2, "is empty");
}

TEST(small_corpora)
{
    const char *one = scratch_text("one", "a b\tc d\n\tx\ny\t\n");
    const char *model = scratch_path("model");
    run_expect_failure(RUN("", "train", "--train", one, "--model", model), 2,
                       "too small to hold pairs out for validation");
    run_expect_failure(
        RUN("", "train", "--train", one, "--valid", one, "--model", model, "--max-length", "1"), 2,
        "longer than 1 subword; raise --max-length");
    Run enough = run_expect_done(RUN("", "train", "--train", one, "--valid", one, "--model", model,
                                     TRAINED_FLAGS, "--max-epochs", "1"));
    assert_contains(enough.error.data, "1 pair for training, 1 for validation");
    assert_contains(enough.error.data, "2 with an empty side");
    assert_contains(enough.error.data, "the corpus yields fewer tokens than --vocab-size");
    ck_assert_str_eq(enough.out.data, "");
}

// Bytes that are not UTF-8 are counted, and the first line named; the corpus is used all the same.
TEST(invalid_utf_8)
{
    const char *corpus = scratch_text("corpus", "a b\tc d\nb \xff\td\nc d\te\xfe\n");
    const char *model = scratch_path("model");
    Run run = run_expect_done(RUN("", "train", "--train", corpus, "--valid", corpus, "--model",
                                  model, TRAINED_FLAGS, "--max-epochs", "1"));
    ck_assert_msg(strstr(run.error.data, "2 lines are not UTF-8, the first is ") &&
                      strstr(run.error.data, "corpus, line 2"),
                  "%s", run.error.data);
}

TEST(from_standard_input)
{
    const char *corpus = scratch_path("corpus"), *model = scratch_path("model");
    trained_corpus_write(corpus, 100);
    Bytes text = scratch_read(corpus);
    Run run = run_expect_done(RUN(text.data, "train", "--train", "-", "--model", model,
                                  TRAINED_FLAGS, "--max-epochs", "1"));
    assert_contains(run.error.data, "98 pairs for training, 2 for validation (set aside");
    run_expect_failure(RUN("", "train", "--train", "-", "--model", model, "--overwrite"), 1,
                       "standard input: is empty");
    run_expect_failure(
        RUN("", "train", "--train", "-", "--valid", "-", "--model", model, "--overwrite"), 2,
        "standard input (-) is given twice");
}

TEST(flags)
{
    run_expect_failure(RUN("", "train"), 2, "--train PAIRS is missing");
    run_expect_failure(RUN("", "train", "--train", "x", "--hiden", "3"), 2,
                       "unknown option --hiden; did you mean --hidden?");
    run_expect_failure(RUN("", "train", "--train", "x", "--embedding", "0"), 2,
                       "--embedding is \"0\"; it must be a whole number from 1 to ");
    run_expect_failure(RUN("", "train", "--train", "x", "--threads", "1000000000"), 2,
                       "--threads is \"1000000000\"; it must be");
    run_expect_failure(RUN("", "train", "--train", "x", "--vocab-size", "299"), 2,
                       "--vocab-size is \"299\"; it must be a whole number from 300");
    run_expect_failure(RUN("", "train", "--train", "x", "--learning-rate", "0"), 2,
                       "--learning-rate is \"0\"");
    run_expect_failure(RUN("", "train", "--train", "x", "--joint-vocab", "--separate-vocab"), 2,
                       "conflict; give only one");
    run_expect_failure(RUN("", "train", "--train", "x", "y.tsv"), 2, "unexpected \"y.tsv\"");
}

// What cannot be written is found before minutes are spent.
TEST(unwritable)
{
    const char *corpus = scratch_path("corpus"), *model = scratch_path("model");
    trained_corpus_write(corpus, 20);
    run_expect_failure(RUN("", "train", "--train", corpus, "--model", "/nonexistent/model"), 1,
                       "/nonexistent/model: cannot be created: No such file");
    run_expect_failure(RUN("", "train", "--train", corpus, "--model", scratch_folder()), 1,
                       "is not a regular file; name a file to write");
    run_expect_failure(RUN("", "train", "--train", corpus, "--model", "/dev/null"), 1,
                       "/dev/null: is not a regular file");
    run_expect_failure(
        RUN("", "train", "--train", corpus, "--model", model, "--log", "/nonexistent/log"), 1,
        "/nonexistent/log: cannot be written");
    ck_assert_uint_eq(scratch_count(), 1);
}
