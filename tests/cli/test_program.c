// The program as a whole: what every verb shares, and `regard evaluate`.

#include "base/version.h"
#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

// Runs, which must go well and say nothing on standard error; returns what it printed.
#define PRINTED(printed, input, ...)                                                               \
    Run printed = RUN(input, __VA_ARGS__);                                                         \
    ck_assert_msg(printed.status == 0 && printed.error.length == 0, "%s", printed.error.data)

TEST(help)
{
    PRINTED(none, "", NULL);
    PRINTED(overview, "", "--help");
    PRINTED(help, "", "help");
    PRINTED(help_help, "", "help", "--help");
    ck_assert_str_eq(none.out.data, overview.out.data);
    ck_assert_str_eq(help.out.data, overview.out.data);
    ck_assert_str_eq(help_help.out.data, overview.out.data);
    assert_contains(overview.out.data, "\n  evaluate ");

    PRINTED(of_verb, "", "evaluate", "--help");
    PRINTED(help_verb, "", "help", "evaluate");
    PRINTED(among_others, "", "evaluate", "--nonsense", "-h", "--");
    ck_assert_str_eq(of_verb.out.data, help_verb.out.data);
    ck_assert_str_eq(of_verb.out.data, among_others.out.data);
    assert_contains(of_verb.out.data, "--tokenize 13a|zh|none");
    assert_contains(of_verb.out.data, "[the model's");
}

TEST(version)
{
    PRINTED(version, "", "--version");
    ck_assert_str_eq(version.out.data, "regard " REGARD_VERSION "\n");
}

TEST(wrong_usage)
{
    Run verb = RUN("", "evalute"), nothing = RUN("", "quux"), empty = RUN("", "");
    run_expect_failure(verb, 2, "there is no verb \"evalute\"; did you mean evaluate?");
    run_expect_failure(nothing, 2, "there is no verb \"quux\"; see regard --help");
    run_expect_failure(empty, 2, "there is no verb \"\"");
    Run version = RUN("", "--versoin"), early = RUN("", "--beam", "5", "translate");
    run_expect_failure(version, 2, "unknown option --versoin; did you mean --version?");
    run_expect_failure(early, 2, "unknown option --beam; the verb comes first");
    run_expect_failure(RUN("", "help", "evalute"), 2, "did you mean evaluate?");

    run_expect_failure(RUN("", "evaluate", "--hypotesis", "x"), 2,
                       "regard evaluate: unknown option --hypotesis; did you mean "
                       "--hypothesis?");
    run_expect_failure(RUN("", "evaluate", "--hypothesis", "x"), 2,
                       "--hypothesis FILE and --reference FILE");
    run_expect_failure(RUN("", "evaluate", "--hypothesis", "x", "--reference", "y", "z"), 2,
                       "give either --model FILE and PAIRS");
    run_expect_failure(RUN("", "evaluate", "--tokenize", "intl"), 2,
                       "--tokenize is \"intl\"; it must be 13a, zh or none");
}

TEST(evaluates)
{
    const char *hypothesis = scratch_text("hypothesis", "the cat sat on the mat.\nA dog\r\n");
    const char *first = scratch_text("first", "The cat sat on a mat.\nA dog\n");
    const char *second = scratch_text("second", "the cat sat on the mat.\n\n");

    PRINTED(same, "the cat sat on the mat.\n\n", "evaluate", "--hypothesis", "-", "--reference",
            second);
    ck_assert_str_eq(
        same.out.data,
        "BLEU 100.00 nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:regard-" REGARD_VERSION
        " (precisions 100.0/100.0/100.0/100.0, brevity penalty 1.000, "
        "hypotheses 7 tokens, references 7)\n"
        "chrF2 100.00 nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:regard-" REGARD_VERSION
        "\n"
        "exact 100.00 % (2 of 2 equal a reference)\n");

    PRINTED(one, "", "evaluate", "--hypothesis", hypothesis, "--reference", first);
    assert_contains(one.out.data, "nrefs:1|case:mixed");
    ck_assert_ptr_null(strstr(one.out.data, "BLEU 100.00"));

    // the second sentence has one reference, as an empty line is none
    PRINTED(two, "", "evaluate", "--hypothesis", hypothesis, "--reference", first, "--reference",
            second, "--lowercase", "--tokenize=zh");
    assert_contains(two.out.data, "BLEU 100.00 nrefs:var|case:lc|eff:no|tok:zh");
    assert_contains(two.out.data, "chrF2 100.00 nrefs:var|case:lc");

    PRINTED(twice, "", "evaluate", "--hypothesis", first, "--reference", first, "--reference",
            hypothesis);
    assert_contains(twice.out.data, "BLEU 100.00 nrefs:2|case:mixed");
}

// Bytes behind a NUL count as much as those before it.
TEST(evaluates_lines_with_nuls)
{
    const char *same = scratch_path("same"), *other = scratch_path("other");
    scratch_write(same, "a\0b c d e f\n", 12);
    scratch_write(other, "a\0x x x x x\n", 12);
    PRINTED(equal, "", "evaluate", "--hypothesis", same, "--reference", same);
    assert_contains(equal.out.data, "BLEU 100.00");
    PRINTED(unequal, "", "evaluate", "--hypothesis", other, "--reference", same);
    assert_contains(unequal.out.data, "BLEU 0.00");
}

TEST(refuses_files_that_do_not_match)
{
    const char *three = scratch_text("three", "1\n2\n3\n");
    const char *five = scratch_text("five", "1\n2\n3\n4\n5");
    const char *empty = scratch_text("empty", "");

    run_expect_failure(RUN("", "evaluate", "--hypothesis", five, "--reference", three), 1,
                       "five has 5 lines but ");
    run_expect_failure(
        RUN("", "evaluate", "--hypothesis", three, "--reference", three, "--reference", five), 1,
        "five has 5; each hypothesis");
    run_expect_failure(RUN("", "evaluate", "--hypothesis", empty, "--reference", empty), 1,
                       "empty is empty");
    run_expect_failure(RUN("", "evaluate", "--hypothesis", three, "--reference", "/nonexistent"), 1,
                       "/nonexistent");
    run_expect_failure(RUN("", "evaluate", "--hypothesis", scratch_folder(), "--reference", three),
                       1, scratch_folder());
    run_expect_failure(RUN("", "evaluate", "--hypothesis", "-", "--reference", "-"), 2,
                       "standard input (-) is given twice");
}

// A reader that has seen enough is no failure; results that cannot be written are.
TEST(standard_output_fails)
{
    Run gone = run_expect_done(RUN_INTO(RUN_CLOSED_BY_READER, "", "--help"));
    ck_assert_str_eq(gone.error.data, "");

    run_expect_failure(RUN_INTO(RUN_CLOSED_BY_READER, "", "evaluate", "--hypothesis",
                                "/nonexistent", "--reference", "/nonexistent"),
                       1, "/nonexistent");

    run_expect_failure(RUN_INTO(RUN_FULL_DISK, "", "--help"), 1,
                       "standard output: No space left on device");
    run_expect_failure(RUN_INTO(RUN_CLOSED, "", "--help"), 1,
                       "standard output: Bad file descriptor");
}
