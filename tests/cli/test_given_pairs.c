// regard align and regard score: the verbs that read pairs and let a model say them.

#define _GNU_SOURCE

#include "cli/one_model.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char pairs[] =
    "the red cat\tle chat rouge\n\tle\nthe\t\n\t\nthe big dog .\tle chien grand .\tmore\n";
enum { PAIRS = 5 };

TESTS_SHARE(train_once, .seconds = 60)

TEST(pharaoh)
{
    Run run = run_expect_done(RUN(pairs, "align", "--model", trained.model, "-"));
    const char *line = run.out.data;
    for (size_t i = 0; i < PAIRS; i++) {
        size_t source, target;
        int taken = 0;
        const char *end = strchr(line, '\n');
        if (i > 0 && i < 4) ck_assert_ptr_eq(line, end); // no words, no links
        while (line < end) {
            ck_assert_int_eq(sscanf(line, "%zu-%zu%n", &source, &target, &taken), 2);
            ck_assert(source < 4 && target < 4);
            line += taken + (line[taken] == ' ');
        }
        line = end + 1;
    }
    ck_assert_str_eq(line, "");
    ck_assert_str_eq(run.error.data, "");
}

TEST(soft)
{
    Run run =
        run_expect_done(RUN(pairs, "align", "--model", trained.model, "--format", "soft", "-"));
    const char *line = run.out.data;
    for (size_t i = 0; i < PAIRS; i++, line = strchr(line, '\n') + 1) {
        json_t *row = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
        json_t *weights = json_object_get(row, "weights"), *weight;
        size_t sources = json_array_size(json_object_get(row, "source")), at;
        ck_assert_uint_ge(sources, 1); // </s> at least
        ck_assert_uint_eq(json_array_size(weights),
                          json_array_size(json_object_get(row, "target")));
        for (size_t t = 0; t < json_array_size(weights); t++) {
            double sum = 0;
            ck_assert_uint_eq(json_array_size(json_array_get(weights, t)), sources);
            json_array_foreach(json_array_get(weights, t), at, weight) sum +=
                json_number_value(weight);
            ck_assert_double_eq_tol(sum, 1, 1e-3);
        }
        json_decref(row);
    }
    ck_assert_str_eq(line, "");
}

/* Rows of a picture are of equal width in columns, whatever the script: with two columns for each
 * cell and for a Han character, so are their bars. */
TEST(heatmap)
{
    Run run = run_expect_done(
        RUN("the red cat\tle chat rouge\n\xe6\x88\x91 \xe7\x8c\xab\t\xe6\x88\x91\xe7\x9c\x8b le\n",
            "align", "--model", trained.model, "--format", "heatmap", "-"));
    assert_contains(run.out.data, "  le \xe2\x94\x82");
    assert_contains(run.out.data, "chat \xe2\x94\x82");
    assert_contains(run.out.data, "\n\xe6\x88\x91\xe7\x9c\x8b \xe2\x94\x82");
    assert_contains(run.out.data, "\n  le \xe2\x94\x82");
    ck_assert_ptr_null(strchr(run.out.data, '\033')); // colours are for a terminal
}

TEST(units)
{
    Run run = run_expect_done(
        RUN("ab\tc d\n", "align", "--model", trained.model, "--units", "characters,words", "-"));
    assert_contains(run.out.data, "-1");
    ck_assert_ptr_null(strstr(run.out.data, "-2"));
}

TEST(scores)
{
    Run run = run_expect_done(RUN(pairs, "score", "--model", trained.model, "-"));
    char *line = run.out.data;
    for (size_t i = 0; i < PAIRS; i++) {
        char *end;
        double score = strtod(line, &end);
        ck_assert(end > line && *end == '\n' && isfinite(score) && score < 0);
        line = end + 1;
    }
    ck_assert_str_eq(line, "");
    ck_assert_str_eq(run.error.data, "");
}

// The score of a translation is what translate found, and greater than that of nonsense.
TEST(scores_what_it_translates)
{
    Bytes given = {0};
    Run json = run_expect_done(
        RUN("the red cat sees the old dog .\n", "translate", "--model", trained.model, "--json"));
    json_t *row = json_loads(json.out.data, 0, NULL);
    json_t *best = json_array_get(json_object_get(row, "translations"), 0);
    assert_ok(bytes_append_format(&given, NULL,
                                  "the red cat sees the old dog .\t%s\n"
                                  "the red cat sees the old dog .\tzzz\n",
                                  json_string_value(json_object_get(best, "text"))));
    Run score = run_expect_done(RUN(given.data, "score", "--model", trained.model, "-"));
    char *second;
    double found = json_real_value(json_object_get(best, "log_probability"));
    double first = strtod(score.out.data, &second);
    ck_assert_double_eq_tol(first, found, 1e-4);
    ck_assert_double_lt(strtod(second, NULL), first);
    json_decref(row);
    bytes_free(&given);
}

// Both verbs refuse alike; what stands before a bad line is answered.
TEST(refuses)
{
    static const char *const verbs[] = {"align", "score"};
    const char *empty = scratch_text("empty", "");
    const char *spec =
        scratch_format("%s,%s", scratch_text("two", "a\nb\n"), scratch_text("three", "a\nb\nc\n"));
    for (size_t i = 0; i < 2; i++) {
        run_expect_failure(RUN("", verbs[i], "--model", trained.model), 2, "PAIRS is missing");
        Run no_model = RUN("", verbs[i], "-");
        if (strcmp(verbs[i], "align") == 0) // learns from the pairs themselves
            run_expect_failure(no_model, 1, "standard input");
        else
            run_expect_failure(no_model, 2, "--model FILE is missing");
        run_expect_failure(RUN("", verbs[i], "--model", trained.model, "/nonexistent"), 1,
                           "/nonexistent: cannot be opened");
        run_expect_failure(RUN("", verbs[i], "--model", trained.model, empty), 1,
                           "empty: is empty");
        run_expect_failure(RUN("", verbs[i], "--model", trained.model, scratch_folder()), 1,
                           "is a directory; name a file in it");
        run_expect_failure(RUN_INTO(RUN_FULL_DISK, pairs, verbs[i], "--model", trained.model, "-"),
                           1, "No space left on device");

        Run tab = RUN("a\tb\nno tab\n", verbs[i], "--model", trained.model, "-");
        run_expect_said(tab, 1, "standard input:2: has no TAB");
        ck_assert_ptr_eq(strchr(tab.out.data, '\n'), tab.out.data + tab.out.length - 1);
        run_expect_said(RUN("", verbs[i], "--model", trained.model, spec), 1,
                        "two has 2 lines but ");
    }
    run_expect_failure(RUN("", "align", "--model", trained.model, "--format", "png", "-"), 2,
                       "--format is \"png\"; it must be pharaoh, soft");
}
