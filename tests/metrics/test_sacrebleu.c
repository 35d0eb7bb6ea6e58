/* The figures of the real sacreBLEU 2.6.0 for the texts of tests/fixtures/sacrebleu.json, which
 * were written for this project. The path is relative to the project's root, where tests run. */
#include "io/json.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "support/suite.h"

#include <jansson.h>
#include <math.h>

enum { MAX_REFERENCES = 4 };

static json_t *load(void)
{
    json_error_t error;
    json_t *file = json_load_file("tests/fixtures/sacrebleu.json", 0, &error);
    ck_assert_msg(file, "%s: %s (run from the project's root)", error.source, error.text);
    return file;
}

static const json_t *member(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    ck_assert_msg(value, "the fixture has no \"%s\"", key);
    return value;
}

static double number(const json_t *one, const char *key)
{
    return json_number_value(member(one, key));
}

/* The i-th hypothesis and its references, one from each of the case's reference texts. */
static const char *sentence(const json_t *one, size_t i, const char **references, size_t *count)
{
    const json_t *texts = member(one, "references");
    *count = json_array_size(texts);
    ck_assert_uint_ge(*count, 1);
    ck_assert_uint_le(*count, MAX_REFERENCES);
    for (size_t r = 0; r < *count; r++) {
        references[r] = json_string_value(json_array_get(json_array_get(texts, r), i));
        ck_assert_ptr_nonnull(references[r]);
    }
    return json_string_value(json_array_get(member(one, "hypotheses"), i));
}

static void check_figure(const json_t *one, const char *what, double ours, double theirs)
{
    ck_assert_msg(fabs(ours - theirs) < 1e-5, "%s (%s, lowercase %d): %s is %.6f, sacreBLEU's %.6f",
                  json_string_value(member(one, "name")),
                  json_string_value(member(one, "tokenize")),
                  json_is_true(member(one, "lowercase")), what, ours, theirs);
}

static void check_bleu(const json_t *one)
{
    BleuTokenizer tokenizer;
    BleuCounts counts = {0};
    const JsonField field = {.kind = FIELD_CHOICE, .names = bleu_tokenizer_names};
    ck_assert(json_field_read(&field, &tokenizer, member(one, "tokenize")));
    for (size_t i = 0; i < json_array_size(member(one, "hypotheses")); i++) {
        const char *references[MAX_REFERENCES];
        size_t count;
        const char *hypothesis = sentence(one, i, references, &count);
        assert_ok(bleu_add(&counts, &(Segment){hypothesis, references, count}, tokenizer,
                           json_is_true(member(one, "lowercase")), NULL));
    }
    check_figure(one, "BLEU", bleu_score(&counts), number(one, "bleu"));
    check_figure(one, "brevity penalty", bleu_brevity_penalty(&counts),
                 number(one, "brevity_penalty"));
    check_figure(one, "hypothesis length", (double)counts.hypothesis_length,
                 number(one, "hypothesis_length"));
    check_figure(one, "reference length", (double)counts.reference_length,
                 number(one, "reference_length"));
    double precisions[4];
    bleu_precisions(precisions, &counts);
    for (size_t n = 0; n < 4; n++)
        check_figure(one, "precision", 100 * precisions[n],
                     json_number_value(json_array_get(member(one, "precisions"), n)));
}

static void check_chrf(const json_t *one)
{
    ChrfCounts counts = {0};
    for (size_t i = 0; i < json_array_size(member(one, "hypotheses")); i++) {
        const char *references[MAX_REFERENCES];
        size_t count;
        const char *hypothesis = sentence(one, i, references, &count);
        assert_ok(chrf_add(&counts, &(Segment){hypothesis, references, count},
                           json_is_true(member(one, "lowercase")), NULL));
    }
    check_figure(one, "chrF2", chrf_score(&counts), number(one, "chrf2"));
}

static void check_all(void (*check)(const json_t *one))
{
    json_t *file = load();
    const json_t *cases = member(file, "cases");
    ck_assert_uint_eq(json_array_size(cases), 104);
    for (size_t i = 0; i < json_array_size(cases); i++) check(json_array_get(cases, i));
    json_decref(file);
}

TEST(bleu_is_that_of_sacrebleu)
{
    check_all(check_bleu);
}

TEST(chrf_is_that_of_sacrebleu)
{
    check_all(check_chrf);
}
