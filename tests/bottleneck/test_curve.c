// Figures by length: which class a source falls into, BLEU as everywhere else, and files that do not fit.

#include "bench/bottleneck/curve.h"

#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

// Sources of 3, 10, 11 and 12 words, and the right translations of all.
static const char test_part[] = "a b c\tun deux trois quatre cinq\n"
                                "a b c d e f g h i j\tsix sept huit neuf dix\n"
                                "a b c d e f g h i j k\tle chat dort sur le lit .\n"
                                "a b c d e f g h i j k l\tle chien court dans le jardin .\n";
static const char right[] =
    "un deux trois quatre cinq\nsix sept huit neuf dix\nle chat dort sur le lit .\n"
    "le chien court dans le jardin .\n";
static const char half[] =
    "un deux trois quatre cinq\nsix sept huit neuf dix\nje ne sais pas du tout\n"
    "comment tu vas aujourd'hui alors\n";

typedef struct Files {
    Scratch scratch;
    const char *test, *right, *half;
} Files;

static const char *write_text(Scratch *scratch, const char *name, const char *text)
{
    const char *path = scratch_path(scratch, name);
    scratch_write(path, text, strlen(text));
    return path;
}

static void files_make(Files *files)
{
    files->scratch = scratch_make();
    files->test = write_text(&files->scratch, "test.tsv", test_part);
    files->right = write_text(&files->scratch, "right", right);
    files->half = write_text(&files->scratch, "half", half);
}

START_TEST(test_classes_and_scores)
{
    Files files;
    Curve curve = {0};
    files_make(&files);
    ck_assert_int_eq(curve_read_test(&curve, files.test, NULL), STATUS_OK);
    ck_assert_int_eq(curve_add(&curve, "right", files.right, NULL), STATUS_OK);
    ck_assert_int_eq(curve_add(&curve, "half", files.half, NULL), STATUS_OK);
    ck_assert_int_eq(curve.unit, UNITS_WORDS);
    ck_assert_int_eq(curve.tokenizer, BLEU_13A);
    ck_assert_uint_eq(curve.counts[0], 2);
    ck_assert_uint_eq(curve.counts[1], 2);
    ck_assert_uint_eq(curve.counts[2], 0);
    ck_assert_double_eq(curve.mean_lengths[0], 6.5);
    ck_assert_double_eq(curve.mean_lengths[1], 11.5);
    ck_assert_double_eq(curve_longest(&curve), 70);
    ck_assert_uint_eq(curve.count, 2);
    ck_assert_double_eq_tol(curve.series[0].bleu, 100, 1e-9);
    ck_assert_double_eq_tol(curve.series[0].points[1].bleu, 100, 1e-9);
    ck_assert_double_eq_tol(curve.series[1].points[0].bleu, 100, 1e-9);
    ck_assert_double_eq_tol(curve.series[1].points[0].interval.lower, 100, 1e-9);
    ck_assert_double_lt(curve.series[1].points[1].bleu, 10);
    ck_assert_double_lt(curve.series[1].bleu, 60);
    curve_free(&curve);
    scratch_remove(&files.scratch);
}
END_TEST

START_TEST(test_chinese)
{
    Scratch scratch = scratch_make();
    Curve curve = {0};
    const char *test =
        write_text(&scratch, "test.tsv", "我想找一条蓝色的围巾。\t他更喜欢哪双手套？\n");
    const char *lines = write_text(&scratch, "lines", "他更喜欢哪双手套？\n");
    ck_assert_int_eq(curve_read_test(&curve, test, NULL), STATUS_OK);
    ck_assert_int_eq(curve_add(&curve, "none", lines, NULL), STATUS_OK);
    ck_assert_int_eq(curve.unit, UNITS_CHARACTERS);
    ck_assert_int_eq(curve.tokenizer, BLEU_ZH);
    ck_assert_double_eq(curve.mean_lengths[1], 11);
    ck_assert_double_eq_tol(curve.series[0].bleu, 100, 1e-9);
    curve_free(&curve);
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_files_that_do_not_fit)
{
    Files files;
    Curve curve = {0};
    Error error;
    files_make(&files);
    const char *less = write_text(&files.scratch, "less", "un\n");
    const char *more = write_text(&files.scratch, "more", "1\n2\n3\n4\n5\n");
    ck_assert_int_eq(curve_read_test(&curve, files.test, NULL), STATUS_OK);
    ck_assert_int_eq(curve_add(&curve, "x", less, &error), STATUS_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.text, "has 1 lines but the test has 4 pairs"));
    ck_assert_int_eq(curve_add(&curve, "x", more, &error), STATUS_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.text, "has 5 lines"));
    ck_assert_int_eq(curve_add(&curve, "x", "/nowhere", &error), STATUS_IO);
    ck_assert_uint_eq(curve.count, 0);
    for (int i = 0; i < MAX_CURVE_SERIES; i++)
        ck_assert_int_eq(curve_add(&curve, "x", files.right, &error), STATUS_OK);
    ck_assert_int_eq(curve_add(&curve, "x", files.right, &error), STATUS_ARGUMENT);
    curve_free(&curve);
    ck_assert_int_eq(curve_read_test(&curve, "/nowhere", &error), STATUS_IO);
    curve_free(&curve);
    scratch_remove(&files.scratch);
}
END_TEST

START_TEST(test_out_of_memory)
{
    Files files;
    files_make(&files);
    for (size_t n = 1;; n++) {
        Curve curve = {0};
        failing_malloc_at(n);
        Status status = curve_read_test(&curve, files.test, NULL);
        if (!status) status = curve_add(&curve, "x", files.right, NULL);
        bool failed = failing_malloc_stop();
        ck_assert_int_eq(status, failed ? STATUS_MEMORY : STATUS_OK);
        curve_free(&curve);
        if (!failed) break;
    }
    scratch_remove(&files.scratch);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("curve");
    suite_add(suite, "classes and scores", test_classes_and_scores);
    suite_add(suite, "Chinese", test_chinese);
    suite_add(suite, "files that do not fit", test_files_that_do_not_fit);
    suite_add_slow(suite, "out of memory", test_out_of_memory, 20);
    return suite_run(suite);
}
