// regard evaluate, as a user calls it: what stands beside BLEU and chrF2, and what is refused.

#include "base/version.h"
#include "support/run.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <jansson.h>
#include <string.h>

// regard evaluate of a file with further flags, and nothing on standard input.
#define EVALUATE(hypothesis, reference, ...)                                                       \
    RUN("", "evaluate", "--hypothesis", hypothesis, "--reference", reference, __VA_ARGS__)

// The flag for scores by the length of a file's lines.
static const char *by_length(const char *file)
{
    return scratch_format("--by-length=%s", file);
}

// Checks that a run went well and said nothing on standard error.
static const char *printed(const Run *run)
{
    ck_assert_msg(run->status == 0 && run->error.length == 0, "%s", run->error.data);
    return run->out.data;
}

// The object of a --json run, one line.
static json_t *printed_json(Run *run)
{
    json_error_t failure;
    const char *text = printed(run);
    ck_assert_ptr_eq(strchr(text, '\n'), text + run->out.length - 1);
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &failure);
    ck_assert_msg(json, "%s in: %s", failure.text, text);
    return json;
}

/* Three translations, of which the second is right but for its spaces, and another system's, of
 * which two are right; the sources have other lengths than the references. A file of two lines, and
 * one of none. The paths lie in the scratch, so the struct stays where it is. */
typedef struct Files {
    const char *hypothesis, *other, *reference, *source, *two, *empty;
} Files;

static void files_make(Files *files)
{
    files->hypothesis =
        scratch_text("hypothesis", "the dog sat on a mat\n it  rains here today\nno\n");
    files->other = scratch_text("other", "the cat sat on a mat\nit rains here today\nno\n");
    files->reference =
        scratch_text("reference", "the cat sat on a mat\nit rains here today\nyes\n");
    files->source = scratch_text("source", "a b c d e f g h i j k l\na b c d e f\na\n");
    files->two = scratch_text("two", "1\n2\n");
    files->empty = scratch_text("empty", "");
}

TEST(exact_matches)
{
    Files files;
    files_make(&files);
    Run run = RUN("", "evaluate", "--hypothesis", files.hypothesis, "--reference", files.reference);
    assert_contains(printed(&run), "\nexact 33.33 % (1 of 3 equal a reference)\n");
    ck_assert_ptr_null(strstr(run.out.data, "\n\n")); // nothing that was not asked for
    run = RUN("THE CAT SAT ON A MAT\nIt rains here today\nyes\n", "evaluate", "--hypothesis", "-",
              "--reference", files.reference, "--lowercase");
    assert_contains(printed(&run), "\nexact 100.00 % (3 of 3 equal a reference)\n");
    run = EVALUATE(files.hypothesis, files.reference, "--reference", files.hypothesis);
    assert_contains(printed(&run), "\nexact 100.00 % (3 of 3 equal a reference)\n");
}

TEST(confidence)
{
    Files files;
    files_make(&files);
    Run run = EVALUATE(files.hypothesis, files.reference, "--confidence");
    assert_contains(printed(&run), "\n\n95 % confidence (1000 bootstrap resamples of the sentences)"
                                   "\n            score     from       to\n  BLEU ");
    assert_contains(run.out.data, "\n  chrF2 ");
    Run again = EVALUATE(files.hypothesis, files.reference, "--confidence");
    ck_assert_str_eq(run.out.data, again.out.data);

    // one sentence leaves nothing to chance
    run_expect_failure(RUN("one two three four\n", "evaluate", "--hypothesis", "-", "--reference",
                           files.source, "--confidence"),
                       1, "has 1 lines but ");
    const char *one = scratch_text("one", "one two three four\n");
    run = RUN("one two three four\n", "evaluate", "--hypothesis", "-", "--reference", one,
              "--confidence");
    assert_contains(printed(&run), "\n  BLEU     100.00   100.00   100.00\n"
                                   "  chrF2    100.00   100.00   100.00\n");
}

TEST(against)
{
    Files files;
    files_make(&files);
    Run run = EVALUATE(files.other, files.reference, "--against", files.hypothesis);
    assert_contains(printed(&run), "\n\nagainst /");
    assert_contains(run.out.data, "hypothesis (paired bootstrap, 1000 resamples)\n");
    assert_contains(run.out.data, "\n            score  against  difference  better in       p\n");
    ck_assert_ptr_null(strstr(run.out.data, "confidence"));

    run = EVALUATE(files.other, files.other, "--against", files.other);
    assert_contains(printed(&run), "\n  BLEU     100.00   100.00       +0.00      0.0 %   1.000\n"
                                   "  chrF2    100.00   100.00       +0.00      0.0 %   1.000\n");

    // from standard input, and not at all
    run = RUN("a\nb\nc\n", "evaluate", "--hypothesis", files.other, "--reference", files.reference,
              "--against=-");
    assert_contains(printed(&run), "\nagainst - (paired");
    run_expect_failure(RUN("a\nb\nc\n", "evaluate", "--hypothesis", "-", "--reference",
                           files.reference, "--against", "-"),
                       2, "standard input (-) is given twice");
    run_expect_failure(EVALUATE(files.other, files.reference, "--against", "/nonexistent"), 1,
                       "/nonexistent");
}

TEST(against_of_other_length)
{
    Files files;
    files_make(&files);
    run_expect_failure(EVALUATE(files.other, files.reference, "--against", files.two), 1,
                       "two has 2; each hypothesis needs its counterpart on the same line");
    run_expect_failure(EVALUATE(files.two, files.two, "--against", files.other), 1,
                       "two has 2 lines but ");
    run_expect_failure(EVALUATE(files.other, files.reference, "--against", files.empty), 1,
                       "empty has 0; each hypothesis");
}

TEST(by_length)
{
    Files files;
    files_make(&files);
    Run run = EVALUATE(files.reference, files.reference, "--by-length");
    // sentences of fewer than four words have no BLEU of their own
    assert_contains(printed(&run), "\n\nby length of the first reference in words\n"
                                   "  length  sentences     BLEU    chrF2\n"
                                   "  1-5             2   100.00   100.00\n"
                                   "  6-10            1   100.00   100.00\n");
    run = EVALUATE(files.reference, files.reference, by_length(files.source));
    assert_contains(printed(&run), "\n\nby length of the source in words\n"
                                   "  length  sentences     BLEU    chrF2\n"
                                   "  1-5             1     0.00   100.00\n"
                                   "  6-10            1   100.00   100.00\n"
                                   "  11-15           1   100.00   100.00\n");

    // Chinese in characters; an empty source, and one of 51
    const char *chinese =
        scratch_text("chinese", "\n今天下雨。\n"
                                "一二三四五六七八九十一二三四五六七八九十一二三四五"
                                "一二三四五六七八九十一二三四五六七八九十一二三四五六\n");
    run = EVALUATE(files.reference, files.reference, by_length(chinese));
    assert_contains(printed(&run), "\n\nby length of the source in characters\n"
                                   "  length  sentences     BLEU    chrF2\n"
                                   "  0               1   100.00   100.00\n"
                                   "  1-5             1   100.00   100.00\n"
                                   "  51+             1     0.00   100.00\n");
}

TEST(sources_where_they_cannot_be)
{
    Files files;
    files_make(&files);
    run_expect_failure(RUN("", "evaluate", "--model", "m", "pairs.tsv", by_length(files.source)), 2,
                       "--by-length=FILE is for --hypothesis; PAIRS have the sources");
    run_expect_failure(EVALUATE(files.other, files.reference, by_length(files.two)), 1,
                       "two has 2; each hypothesis needs its source on the same line");
    run_expect_failure(
        RUN("", "evaluate", "--hypothesis", files.other, "--reference", "-", by_length("-")), 2,
        "standard input (-) is given twice");
}

TEST(files_that_do_not_match)
{
    Files files;
    files_make(&files);
    run_expect_failure(EVALUATE(files.other, files.two, "--json", "--confidence", "--by-length"), 1,
                       "two has 2; each hypothesis needs its reference on the same line");
    run_expect_failure(EVALUATE(files.empty, files.empty, "--against", files.empty, "--confidence",
                                by_length(files.empty), "--json"),
                       1, "empty is empty; it must have one translation per line");
}

TEST(json)
{
    Files files;
    files_make(&files);
    Run run = EVALUATE(files.hypothesis, files.reference, "--json");
    json_t *json = printed_json(&run);
    ck_assert_uint_eq(json_object_size(json), 4);
    const json_t *bleu = json_object_get(json, "bleu"), *exact = json_object_get(json, "exact");
    ck_assert_int_eq(json_integer_value(json_object_get(json, "sentences")), 3);
    ck_assert_str_eq(json_string_value(json_object_get(bleu, "signature")),
                     "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:regard-" REGARD_VERSION);
    // 9 of 11 words; of the longer n-grams 6 of 8, 4 of 6, 2 of 4
    double p[4];
    ck_assert_int_eq(
        json_unpack(json_object_get(bleu, "precisions"), "[FFFF]", &p[0], &p[1], &p[2], &p[3]), 0);
    ck_assert_double_eq_tol(p[0], 900.0 / 11, 1e-6);
    ck_assert_double_eq_tol(p[1], 75, 1e-6);
    ck_assert_double_eq_tol(p[2], 400.0 / 6, 1e-6);
    ck_assert_double_eq_tol(p[3], 50, 1e-6);
    ck_assert_int_eq(json_integer_value(json_object_get(bleu, "hypothesis_tokens")), 11);
    ck_assert_double_eq(json_real_value(json_object_get(bleu, "brevity_penalty")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(exact, "count")), 1);
    ck_assert_double_eq_tol(json_real_value(json_object_get(exact, "share")), 1.0 / 3, 1e-8);
    ck_assert_ptr_nonnull(json_object_get(json_object_get(json, "chrf2"), "score"));
    ck_assert_ptr_null(json_object_get(bleu, "confidence"));
    ck_assert_ptr_null(json_object_get(bleu, "against"));
    json_decref(json);
}

TEST(json_of_everything)
{
    Files files;
    files_make(&files);
    Run run = EVALUATE(files.other, files.reference, "--json", "--confidence", "--against",
                       files.hypothesis, "--by-length");
    json_t *json = printed_json(&run);
    static const char *const metrics[] = {"bleu", "chrf2"};
    for (size_t i = 0; i < 2; i++) {
        double score, lower, upper, other, difference, better, p;
        ck_assert_int_eq(json_unpack(json_object_get(json, metrics[i]), "{sFs[FF]s{sFsFsFsF}}",
                                     "score", &score, "confidence", &lower, &upper, "against",
                                     "score", &other, "difference", &difference, "better", &better,
                                     "p", &p),
                         0);
        ck_assert_double_le(lower, score);
        ck_assert_double_ge(upper, score);
        ck_assert_double_eq_tol(difference, score - other, 1e-6);
        ck_assert_double_gt(difference, 0);
        ck_assert_double_gt(better, 0.5); // the first sentence is in 19 of 27 resamples
        ck_assert_double_lt(better, 0.8);
        ck_assert_double_gt(p, 0);
        ck_assert_double_le(p, 1);
    }
    const char *of, *unit;
    json_t *buckets;
    ck_assert_int_eq(json_unpack(json, "{s{ssssso}}", "by_length", "of", &of, "unit", &unit,
                                 "buckets", &buckets),
                     0);
    ck_assert_str_eq(of, "first reference");
    ck_assert_str_eq(unit, "words");
    ck_assert_uint_eq(json_array_size(buckets), 2);
    int least, most, sentences;
    ck_assert_int_eq(json_unpack(json_array_get(buckets, 0), "{sisisi}", "least", &least, "most",
                                 &most, "sentences", &sentences),
                     0);
    ck_assert_int_eq(least, 1);
    ck_assert_int_eq(most, 5);
    ck_assert_int_eq(sentences, 2);
    json_decref(json);
}

TEST(model, .seconds = 30)
{
    const char *pairs = scratch_path("pairs.tsv");
    const char *model = scratch_path("model");
    const char *two = scratch_text("two", "mot1\nmot2\n");
    const char *four = scratch_text("four", "mot1\nmot2\nmot3\nempty\n");
    const char *few =
        scratch_text("few.tsv", "word1 b c d e f\tmot1\nword2 b\tmot2\nword2 b\tmot3\n\tempty\n");
    Bytes text = {0};
    for (unsigned i = 0; i < 30; i++)
        bytes_append_format(&text, NULL, "word%u b c\tmot%u d e\n", i, i);
    scratch_write(pairs, text.data, text.length);
    Run run = run_expect_done(RUN("", "train", "--train", pairs, "--model", model, "--hidden", "8",
                                  "--embedding", "8", "--max-epochs", "1", "--vocab-size", "300",
                                  "--threads", "1"));

    run = RUN("", "evaluate", "--model", model, few, "--group-source", "--against", two,
              "--confidence", "--by-length", "--threads", "1");
    assert_contains(run.error.data, "few.tsv: 1 of 4 pairs have an empty side and are skipped\n");
    assert_contains(run.out.data, "of 2 equal a reference)\n");
    assert_contains(run.out.data, "\nby length of the source in words\n");
    assert_contains(run.out.data, "\n  6-10            1 ");
    assert_contains(run.out.data, "two (paired bootstrap");

    run_expect_failure(RUN("", "evaluate", "--model", model, few, "--against", four), 1,
                       "four has 4 lines but 3 sentences are scored");
    run_expect_failure(RUN("", "evaluate", "--model", model, few, "--against", "/nonexistent"), 1,
                       "/nonexistent");
    run_expect_failure(RUN("", "evaluate", "--model", model, "-", "--against", "-"), 2,
                       "standard input (-) is given twice");
    bytes_free(&text);
}

TEST(help)
{
    static const char *const options[] = {"--confidence ", "--against FILE ", "--by-length[=FILE] ",
                                          "--json "};
    Run run = RUN("", "evaluate", "--help");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        assert_contains(printed(&run), options[i]);
}

// Results that cannot be written are an error in either form.
TEST(full_disk)
{
    Files files;
    files_make(&files);
    run_expect_failure(RUN_INTO(RUN_FULL_DISK, "", "evaluate", "--hypothesis", files.other,
                                "--reference", files.reference, "--json"),
                       1, "standard output: No space left on device");
    run_expect_failure(RUN_INTO(RUN_FULL_DISK, "", "evaluate", "--hypothesis", files.other,
                                "--reference", files.reference, "--by-length", "--confidence"),
                       1, "standard output: No space left on device");
}
