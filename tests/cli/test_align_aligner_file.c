// regard align --save, --aligner, --prior, --probabilities, --suspicious, and formats without a
// model.

#include "cli/few_pairs.h"
#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <jansson.h>
#include <string.h>

// What was learned gives the same results from its file, and other pairs are aligned by it.
TEST(saved_aligner, .seconds = 30)
{
    const char *path = scratch_path("en-fr.aligner");
    Run first = run_expect_done(
        RUN(pairs, "align", "--probabilities", "--save", path, "--threads", "3", "-"));
    run_expect_output(
        RUN(pairs, "align", "--probabilities", "--aligner", path, "--threads", "1", "-"),
        first.out.data);
    run_expect_output(
        RUN("here is a house\tici est une maison\n\tx\n", "align", "--aligner", path, "-"),
        "0-0 1-1 2-2 3-3\n\n");
    Bytes whole = scratch_read(path);
    run_expect_failure(RUN(pairs, "align", "--save", path, "-"), 2, "--overwrite");
    run_expect_done(RUN(pairs, "align", "--save", path, "--overwrite", "--threads", "1", "-"));
    Bytes written = scratch_read(path);
    ck_assert_uint_eq(written.length, whole.length);
    ck_assert_mem_eq(written.data, whole.data, whole.length);
    scratch_write(path, whole.data, whole.length - 1);
    run_expect_failure(RUN(pairs, "align", "--aligner", path, "-"), 1, path);
}

// What is read is not written over, --overwrite or not.
TEST(inputs_stay, .seconds = 30)
{
    const char *corpus = scratch_text("corpus.tsv", pairs);
    const char *more = scratch_text("more.tsv", pairs);
    const char *links = scratch_text("links", "");
    Run runs[] = {
        RUN("", "align", "--save", corpus, "--overwrite", corpus),
        RUN("", "align", "--save", more, "--overwrite", "--train", more, corpus),
        RUN("", "align", "--save", links, "--overwrite", "--prior", links, corpus),
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        run_expect_failure(runs[i], 2, "is both read and written");
    Bytes kept = scratch_read(corpus);
    ck_assert_str_eq(bytes_text(&kept), pairs);
}

TEST(prior, .seconds = 30)
{
    static const char ambiguous[] = "a b\tx y\n";
    run_expect_output(RUN(ambiguous, "align", "--prior", scratch_text("crossed", "0-1 1-0\n"), "-"),
                      "0-1 1-0\n");
    run_expect_output(
        RUN(ambiguous, "align", "--prior", scratch_text("straight", "0-0 1-1\n"), "-"),
        "0-0 1-1\n");
    run_expect_failure(RUN(ambiguous, "align", "--prior", scratch_text("few", ""), "-"), 1, "few");
    run_expect_failure(RUN(ambiguous, "align", "--prior", scratch_text("many", "\n\n"), "-"), 1,
                       "many");
    run_expect_failure(RUN(ambiguous, "align", "--prior", scratch_text("outside", "2-0\n"), "-"), 1,
                       "outside");
}

TEST(formats, .seconds = 30)
{
    Run soft = run_expect_done(RUN(pairs, "align", "--format", "soft", "-"));
    json_t *json = json_loadb(soft.out.data, strcspn(soft.out.data, "\n"), 0, NULL);
    ck_assert_ptr_nonnull(json);
    ck_assert_str_eq(json_string_value(json_object_get(json, "links")), "0-0 1-1");
    json_t *row = json_array_get(json_object_get(json, "weights"), 1);
    ck_assert_double_gt(json_number_value(json_array_get(row, 1)), 0.5);
    ck_assert_uint_eq(json_array_size(row), 2);
    json_decref(json);
    static const char *const words[][2] = {
        {"heatmap", "maison"}, {"svg", "</svg>"}, {"html", "the statistical aligner"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        Run run = run_expect_done(RUN(pairs, "align", "--format", words[i][0], "-"));
        assert_contains(run.out.data, words[i][1]);
    }
}

TEST(suspicious, .seconds = 30)
{
    static const char mixed[] =
        "the house\tla maison\nthe book\tle livre\n\tle\na house\tune maison\n"
        "a book\tun livre\nmy house\tun livre\nmy house\tma maison\n";
    Run run = run_expect_done(RUN(mixed, "align", "--suspicious", "2", "-"));
    ck_assert_int_eq(strncmp(run.out.data, "6\t", 2), 0);
    assert_contains(run.out.data, "\tmy house\tun livre\n");
    ck_assert_ptr_eq(strchr(strchr(run.out.data, '\n') + 1, '\n'),
                     run.out.data + run.out.length - 1);
    Run three = RUN(mixed, "align", "--suspicious", "2", "--threads", "3", "-");
    ck_assert_str_eq(three.out.data, run.out.data);
    run = run_expect_done(RUN(mixed, "align", "--suspicious", "100", "--json", "-"));
    double last = -1e9;
    size_t count = 0;
    for (const char *at = run.out.data; *at; at += strcspn(at, "\n") + 1, count++) {
        json_t *json = json_loadb(at, strcspn(at, "\n"), 0, NULL);
        ck_assert_ptr_nonnull(json);
        ck_assert_double_ge(json_real_value(json_object_get(json, "score")), last);
        last = json_real_value(json_object_get(json, "score"));
        ck_assert(json_is_string(json_object_get(json, "target")));
        json_decref(json);
    }
    ck_assert_uint_eq(count, 6); // all but the one with an empty side
}

TEST(usage, .seconds = 30)
{
    static const char *const wrong[][4] = {
        {"--aligner", "x", "--train", "y"},       {"--aligner", "x", "--save", "y"},
        {"--aligner", "x", "--prior", "y"},       {"--suspicious", "3", "--gold", "y"},
        {"--suspicious", "3", "--format", "svg"}, {"--model", "x", "--save", "y"},
        {"--model", "x", "--aligner", "y"},       {"--model", "x", "--suspicious", "3"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run_expect_failure(
            RUN(pairs, "align", wrong[i][0], wrong[i][1], wrong[i][2], wrong[i][3], "-"), 2,
            wrong[i][2]);
    }
    run_expect_failure(RUN(pairs, "align", "--probabilities", "--gold", "x", "-"), 2, "--gold");
    run_expect_failure(RUN(pairs, "align", "--aligner", "/nonexistent", "-"), 1, "/nonexistent");
    run_expect_failure(RUN(pairs, "align", "--save", "/nonexistent/x", "-"), 1, "/nonexistent");
}
