// regard translate --glossary.

#include "cli/one_model.h"

#include <stdbool.h>
#include <string.h>

static const char input[] = "the red cat sees the old dog .\n\nthe new boat .\nThe Cat .\n";

// Whether each line has what it should, and only that.
static void expect_terms(const char *out, const char *term)
{
    static const bool has[] = {true, false, false, true};
    Bytes line = {0};
    for (size_t i = 0; i < 4; i++) {
        const char *end = strchr(out, '\n');
        ck_assert_ptr_nonnull(end);
        bytes_clear(&line);
        assert_ok(bytes_append(&line, out, (size_t)(end - out), NULL));
        ck_assert_msg((strstr(line.data, term) != NULL) == has[i], "%zu: %s", i, line.data);
        out = end + 1;
    }
    ck_assert_str_eq(out, "");
    bytes_free(&line);
}

TESTS_SHARE(train_once, .seconds = 60)

TEST(lines_have_the_terms)
{
    static const char *const beams[] = {"1", "5"};
    const char *file = scratch_text("glossary", "\xef\xbb\xbf"
                                                "cat\tqux zyx\r\n\ncar\tother");
    for (size_t i = 0; i < 2; i++) {
        Run run = run_expect_done(RUN(input, "translate", "--model", trained.model, "--glossary",
                                      file, "--beam", beams[i]));
        ck_assert_str_eq(run.error.data ? run.error.data : "", "");
        // at the beginning of a sentence with a capital or without
        expect_terms(run.out.data, "ux zyx");
        Run split = run_expect_done(RUN(input, "translate", "--model", trained.model, "--glossary",
                                        file, "--beam", beams[i], "--split", "none", "--batch", "1",
                                        "--shortlist", "--alignment"));
        assert_contains(split.out.data, "ux zyx");
    }
}

TEST(refusals)
{
    static const char *const wrong[][2] = {
        {"a\tb\nc\n", "glossary:2: not a term, a tab and its translation"},
        {"a\tb\tc\n", "glossary:1: not a term"},
        {"\ta\n", "glossary:1: the term is empty"},
        {"\n\na\t\n", "glossary:3: the translation of \"a\" is empty"},
        {"q\tb\nq\tc\n", "glossary:2: \"q\" is translated by \"c\" here and by \"b\" before"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run_expect_failure(RUN(input, "translate", "--model", trained.model, "--glossary",
                               scratch_text("glossary", wrong[i][0])),
                           1, wrong[i][1]);
    }
    run_expect_failure(RUN(input, "translate", "--model", trained.model, "--glossary", "-"), 2,
                       "--glossary cannot be standard input");
    run_expect_failure(RUN(input, "translate", "--model", trained.model, "--glossary", "none.tsv"),
                       1, "none.tsv");
    run_expect_failure(RUN(input, "translate", "--model", trained.model, "--glossary",
                           scratch_text("glossary", "a\tb\n"), "--sample", "2"),
                       2, "--glossary and --sample conflict");
}
