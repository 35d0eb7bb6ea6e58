// regard align with --gold, --reverse and --threshold.

#include "support/suite.h"
#include "support/trained_model.h"

#include <jansson.h>
#include <string.h>

static TrainedModel trained; // made once, before the tests fork
static const char *reverse;  // a model of the opposite direction

static const char pairs[] = "the red cat sees the old dog\tle chat rouge voit le chien vieille\n"
                            "the new car\tle auto neuf\n";
static const char gold[] = "0-0 1-2 2-1 3-3 4-4 5-6 6-5\n0-0 1-2 2-1\n";

#define ALIGN(input, ...) RUN(input, "align", "--model", trained.model, __VA_ARGS__)

static size_t count_links(const char *links)
{
    size_t count = 0;
    for (const char *at = links; (at = strchr(at, '-')); at++) count++;
    return count;
}

/* The corpus with its columns exchanged, and what is learned from it. */
static void train_once(void)
{
    trained = trained_model_make();
    Bytes corpus = scratch_read(trained.corpus), turned = {0};
    for (const char *line = corpus.data; *line; line = strchr(line, '\n') + 1) {
        const char *tab = strchr(line, '\t'), *end = strchr(line, '\n');
        assert_ok(bytes_append_format(&turned, NULL, "%.*s\t%.*s\n", (int)(end - tab - 1), tab + 1,
                                      (int)(tab - line), line));
    }
    const char *path = scratch_path("turned.tsv");
    scratch_write(path, turned.data, turned.length);
    reverse = scratch_path("reverse.safetensors");
    run_expect_done(
        RUN("", "train", "--train", path, "--model", reverse, TRAINED_FLAGS, "--max-epochs", "25"));
    bytes_free(&turned);
}

TESTS_SHARE(train_once, .seconds = 60)

// What the program links itself is without error, and half of it has half the recall.
TEST(own_links)
{
    Run links = run_expect_done(ALIGN(pairs, "--threshold", "0.1", "-"));
    Run own = run_expect_done(
        ALIGN(pairs, "--threshold", "0.1", "--gold", scratch_text("own", links.out.data), "-"));
    int count = (int)count_links(links.out.data);
    const char *expected = scratch_format(
        "AER 0.00 %%  precision 100.00 %%  recall 100.00 %%  (2 pairs: %d links; gold: %d sure, "
        "%d possible; words, words)\n",
        count, count, count);
    ck_assert_int_gt(count, 0);
    ck_assert_str_eq(own.out.data, expected);
    Run none = run_expect_done(
        ALIGN(pairs, "--gold", scratch_text("none", "\n\n"), "--json", "--threshold", "0.1", "-"));
    json_t *json = json_loads(none.out.data, 0, NULL);
    ck_assert_double_eq(json_real_value(json_object_get(json, "alignment_error_rate")), 1);
    ck_assert_double_eq(json_real_value(json_object_get(json, "precision")), 0);
    ck_assert_double_eq(json_real_value(json_object_get(json, "recall")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "pairs")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "links")), count);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "sure")), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "possible")), 0);
    ck_assert_str_eq(json_string_value(json_object_get(json, "target_units")), "words");
    json_decref(json);
}

// Units of the gold: words, or where a mostly Han side is not segmented, characters; and as they
// are told.
TEST(units)
{
    static const struct {
        const char *pairs, *gold, *choice, *units;
    } cases[] = {
        {"a b\t我们很好\n", "0-3\n", "auto", "; words, characters)"},
        {"a b\t我们 很 好\n", "1-2\n", "auto", "; words, words)"},
        {"a b\t我们很好\n", "0-0\n", "words", "; words, words)"},
        {"我们 很 好\ta\n", "2-0\n", "words", "; words, words)"},
        {"a b\tl' homme\n", "0-8\n", "words,characters", "; words, characters)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Run run = ALIGN(cases[i].pairs, "--gold", scratch_text("gold", cases[i].gold), "--units",
                        cases[i].choice, "-");
        if (i == 4) { // l'homme has seven characters: 0 … 6
            run_expect_failure(run, 1, "link 0-8 is outside the pair of 2 source and 7");
        } else {
            run_expect_done(run);
            ck_assert_msg(strstr(run.out.data, cases[i].units), "%zu: %s", i, run.out.data);
        }
        scratch_remove();
    }
}

TEST(threshold)
{
    Run one = ALIGN(pairs, "--threshold", "1", "-");
    Run plain = ALIGN(pairs, "--threshold", "0.1", "-"),
        all = ALIGN(pairs, "--threshold", "0.01", "-");
    run_expect_done(one);
    run_expect_done(plain);
    ck_assert_uint_le(count_links(one.out.data), 10); // for ten target words
    run_expect_done(all);
    ck_assert_uint_gt(all.out.length, plain.out.length); // more links of the same width
    ck_assert_uint_ge(plain.out.length, one.out.length);
}

// Both directions: the intersection is in the other two, and they in the union.
TEST(reverse)
{
    static const char *const ways[] = {"intersection", "grow-diag-final-and", "union"};
    const char *gold_file = scratch_text("gold", gold);
    json_int_t links[3];
    for (int i = 0; i < 3; i++) {
        Run run =
            run_expect_done(ALIGN(pairs, "--threshold", "0.1", "--reverse", reverse, "--symmetrize",
                                  ways[i], "--gold", gold_file, "--json", "-"));
        json_t *json = json_loads(run.out.data, 0, NULL);
        links[i] = json_integer_value(json_object_get(json, "links"));
        json_decref(json);
    }
    ck_assert_int_le(links[0], links[1]);
    ck_assert_int_le(links[1], links[2]);
    ck_assert_int_gt(links[2], 0);
    Run written = run_expect_done(
        ALIGN(pairs, "--threshold", "0.1", "--reverse", reverse, "--symmetrize", "union", "-"));
    ck_assert_int_eq((json_int_t)count_links(written.out.data), links[2]);
}

TEST(refuses_gold)
{
    static const struct {
        const char *gold, *message;
    } cases[] = {
        {"0-0 x\n\n", "gold:1:5: 'x' is not a link"},
        {"0-0\n-1-0\n", "gold:2:1: '-1-0' is not a link"},
        {"0-0\n0-4294967296\n", "gold:2:1: '0-4294967296' is not a link"},
        {"0-0\n3-0\n", "gold:2: link 3-0 is outside the pair of 3 source and 3 target units"},
        {"0-0\n", "gold has 1 lines, but standard input has 2 pairs"},
        {"0-0\n0-0\n0-0\n", "gold has 3 lines, but standard input has 2 pairs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_expect_failure(ALIGN(pairs, "--gold", scratch_text("gold", cases[i].gold), "-"), 1,
                           cases[i].message);
        scratch_remove();
    }
    run_expect_failure(ALIGN(pairs, "--gold", "/nonexistent/gold", "-"), 1,
                       "/nonexistent/gold: cannot be opened");
}

TEST(refuses_models)
{
    run_expect_failure(ALIGN(pairs, "--reverse", trained.model, "-"), 1,
                       "needs a model for the opposite direction");
    run_expect_failure(ALIGN(pairs, "--reverse", "/nonexistent/model", "-"), 1,
                       "/nonexistent/model");
    run_expect_failure(ALIGN(pairs, "--reverse", trained.corpus, "-"), 1, "corpus.tsv");
}

TEST(usage)
{
    run_expect_failure(ALIGN("", "--threshold", "1.5", "-"), 2, "--threshold");
    run_expect_failure(ALIGN("", "--symmetrize", "grow", "-"), 2, "--symmetrize is \"grow\"");
    run_expect_failure(ALIGN("", "--symmetrize", "union", "-"), 2, "--reverse FILE");
    run_expect_failure(ALIGN("", "--json", "-"), 2, "--json is for --gold");
    run_expect_failure(ALIGN("", "--gold", "-", "-"), 2, "standard input (-) is given twice");
    run_expect_failure(ALIGN("", "--gold", "x", "--format", "heatmap", "-"), 2,
                       "--gold prints links only; leave out --format");
    run_expect_failure(ALIGN("", "--reverse", "x", "--explain", "0", "-"), 2,
                       "--reverse prints links only; leave out --format and --explain");
}
