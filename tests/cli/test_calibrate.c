// How sure a model is: learned by train, fitted anew by calibrate, shown by translate.
#include "cli/one_model.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

TESTS_SHARE(train_once, .seconds = 30)

#define LINES                                                                                      \
    "the red cat sees the old dog .\nx dog y red ! house the a big\nold old old cat zzz the\n"

#define PAGE "<title>the red cat</title><p>the <b>red cat</b> sees"

// The translation of a line; the caller releases it.
static json_t *translated(const char *model)
{
    Run run =
        run_expect_done(RUN("the red cat sees the old dog .\n", "translate", model, "--json"));
    json_t *json = json_loads(run.out.data, 0, NULL);
    json_t *first = json_incref(json_array_get(json_object_get(json, "translations"), 0));
    json_decref(json);
    return first;
}

static bool has_confidence(const char *model)
{
    json_t *translation = translated(model);
    bool has = json_object_get(translation, "confidence");
    json_decref(translation);
    return has;
}

TEST(train_learns_it)
{
    json_t *translation = translated(trained.model);
    double confidence = json_number_value(json_object_get(translation, "confidence"));
    ck_assert_double_gt(confidence, 0);
    ck_assert_double_lt(confidence, 1);
    const json_t *words = json_object_get(translation, "words");
    ck_assert_uint_gt(json_array_size(words), 3);
    Bytes joined = {0};
    for (size_t i = 0; i < json_array_size(words); i++) {
        const char *word = json_string_value(json_object_get(json_array_get(words, i), "text"));
        if (i > 0) assert_ok(bytes_append(&joined, " ", 1, NULL));
        assert_ok(bytes_append(&joined, word, strlen(word), NULL));
    }
    ck_assert_str_eq(joined.data, json_string_value(json_object_get(translation, "text")));
    bytes_free(&joined);
    json_decref(translation);
}

TEST(fitted_and_measured)
{
    const char *model = scratch_path("fitted.safetensors");
    run_expect_done(RUN("", "average", trained.model, trained.model, "-o", model));
    ck_assert(!has_confidence(model));
    Run run =
        run_program((const char *const[]){"calibrate", model, trained.corpus, "--check", NULL}, "",
                    0, RUN_CAPTURED);
    ck_assert_int_ne(run.status, 0);
    assert_contains(run.error.data, "has no confidence to measure; regard calibrate fits one");
    run = run_expect_done(RUN("", "calibrate", model, trained.corpus));
    assert_contains(run.out.data, "texts: ");
    assert_contains(run.out.data, "words: ");
    assert_contains(run.out.data, "AUC");
    ck_assert(has_confidence(model));
    Run bins = run_expect_done(RUN("", "calibrate", model, trained.corpus, "--check", "--json"));
    json_t *json = json_loads(bins.out.data, 0, NULL);
    const json_t *words = json_object_get(json, "words"), *list = json_object_get(words, "bins");
    json_int_t count = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        count += json_integer_value(json_object_get(json_array_get(list, i), "count"));
    ck_assert_int_eq(count, json_integer_value(json_object_get(words, "count")));
    json_decref(json);
    // the same again, and by more threads
    Run again = run_expect_done(RUN("", "calibrate", model, trained.corpus, "--threads", "3"));
    ck_assert_str_eq(again.out.data, run.out.data);
}

// Makes pairs whose targets are what a model says with that α of the first sources of a corpus.
static const char *said_with(const char *model, const char *alpha)
{
    const char *path = scratch_path("said.tsv"), *sources = scratch_path("sources");
    Bytes corpus = scratch_read(trained.corpus), text = {0}, pairs = {0};
    char *line = corpus.data;
    for (size_t i = 0; i < 300; i++, line = strchr(line, '\n') + 1) {
        // words that the model does not know are spelt in many ways
        const int length = (int)strcspn(line, "\t");
        assert_ok(bytes_append_format(&text, NULL, "%.*s zq%zu %.*s\n", length / 2, line, i * i,
                                      length / 3, line));
    }
    scratch_write(sources, text.data, text.length);
    Run run = run_expect_done(
        RUN("", "translate", model, "--length-normalization", alpha, "--split", "none", sources));
    const char *from = text.data, *to = run.out.data;
    for (size_t i = 0; i < 300; i++, from = strchr(from, '\n') + 1, to = strchr(to, '\n') + 1)
        assert_ok(bytes_append_format(&pairs, NULL, "%.*s\t%.*s\n", (int)strcspn(from, "\n"), from,
                                      (int)strcspn(to, "\n"), to));
    scratch_write(path, pairs.data, pairs.length);
    bytes_free(&text);
    bytes_free(&pairs);
    return path;
}

// How a model normalises by length: as its own translations are best, and 1 is not noted.
TEST(length_normalization, .seconds = 60)
{
    const char *model = scratch_path("tuned.safetensors"), *mean = scratch_path("mean.safetensors");
    run_expect_done(RUN("", "average", trained.model, trained.model, "-o", model));
    const char *pairs = said_with(model, "0.6"), *sources = scratch_path("sources");
    Run run = run_expect_done(RUN("", "calibrate", model, pairs));
    assert_contains(run.out.data, "length normalization: 0.6, BLEU ");
    run = run_expect_done(RUN("", "info", model));
    assert_contains(run.out.data, "length_normalization: 0.6\n");
    Run tuned = run_expect_done(RUN("", "translate", model, "--json", sources));
    run = run_expect_done(
        RUN("", "translate", model, "--json", "--length-normalization", "0.6", sources));
    ck_assert_str_eq(tuned.out.data, run.out.data);
    run = run_expect_done(
        RUN("", "translate", model, "--json", "--length-normalization", "1", sources));
    ck_assert_str_ne(tuned.out.data, run.out.data);
    // a model without it, such as a mean, does as with 1
    run_expect_done(RUN("", "average", model, model, "-o", mean));
    Run plain = run_expect_done(RUN("", "translate", mean, sources));
    run = run_expect_done(RUN("", "translate", mean, "--length-normalization", "1", sources));
    ck_assert_str_eq(plain.out.data, run.out.data);
    // measuring leaves it
    run = run_expect_done(RUN("", "calibrate", model, pairs, "--check"));
    ck_assert_ptr_null(strstr(run.out.data, "length"));
    run = run_expect_done(RUN("", "calibrate", model, said_with(model, "1"), "--json"));
    json_t *json = json_loads(run.out.data, 0, NULL);
    ck_assert(json_number_value(json_object_get(json, "length_normalization")) == 1);
    json_decref(json);
    run = run_expect_done(RUN("", "info", model));
    ck_assert_ptr_null(strstr(run.out.data, "length_normalization"));
    run = run_expect_done(RUN("", "translate", model, sources));
    ck_assert_str_eq(plain.out.data, run.out.data);
}

TEST(shown_and_left)
{
    Run run = run_expect_done(RUN(LINES, "translate", trained.model, "--min-confidence", "1"));
    ck_assert_str_eq(run.out.data, LINES);
    assert_contains(run.error.data, "sentences left untranslated");
    // fitted to targets of other words, every word is doubtful
    const char *pairs = scratch_path("other.tsv"), *model = scratch_path("doubts.safetensors");
    FILE *file = fopen(pairs, "w");
    for (int i = 0; i < 20; i++) fputs("the red cat sees the old dog .\tqqq\n", file);
    fclose(file);
    run_expect_done(RUN("", "average", trained.model, trained.model, "-o", model));
    run_expect_done(RUN("", "calibrate", model, pairs));
    Run marked = run_expect_done(RUN(LINES, "translate", model, "--uncertain"));
    Run plain = run_expect_done(RUN(LINES, "translate", model));
    assert_contains(marked.out.data, "⟦");
    char *out = marked.out.data; // without the marks it is the same
    for (char *at; (at = strstr(out, "⟦")) || (at = strstr(out, "⟧"));)
        memmove(at, at + strlen("⟦"), strlen(at + strlen("⟦")) + 1);
    ck_assert_str_eq(out, plain.out.data);
    // in HTML by an element, within those of the text, but not in <title>
    static const char begin[] = "<span class=\"uncertain\">", end[] = "</span>";
    Run page = run_expect_done(RUN(PAGE, "translate", model, "--html", "--uncertain"));
    Run same = run_expect_done(RUN(PAGE, "translate", model, "--html"));
    out = page.out.data;
    assert_contains(out, begin);
    ck_assert(strstr(out, begin) > strstr(out, "</title>"));
    for (char *at; (at = strstr(out, begin));)
        memmove(at, at + strlen(begin), strlen(at + strlen(begin)) + 1);
    for (char *at; (at = strstr(out, end));)
        memmove(at, at + strlen(end), strlen(at + strlen(end)) + 1);
    ck_assert_str_eq(out, same.out.data);
}

TEST(not_with_alignments)
{
    const char *const words[] = {"translate", trained.model, "--uncertain", "--json", NULL};
    run_expect_said(run_program(words, LINES, strlen(LINES), RUN_CAPTURED), 2, "are of plain text");
}
