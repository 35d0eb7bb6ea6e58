// include/regard.h: the options of what is translated and how, and the alignment of given pairs.

#include "regard.h"

#include "linalg/backend/backend.h"
#include "support/failing_malloc.h"
#include "support/trained_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/open_model.h" // last: its names are short

enum { TEXTS = 5 };
static const RegardText sources[TEXTS] = {
    {"the cat", 7}, {"", 0}, {"a much longer one of seven words", 32}, {"x", 1}, {"no\xff", 3}};

static RegardResult *result;

static RegardResult *translate(void)
{
    RegardResult *translated;
    RegardStatus status = regard_translate(model, sources, TEXTS, &options, &translated, &error);
    ck_assert_msg(status == REGARD_OK, "%s", error.text);
    return translated;
}

static void expect_close(RegardResult *a, RegardResult *b, double tolerance)
{
    for (size_t i = 0; i < TEXTS; i++)
        for (size_t rank = 0; regard_result_translation(a, i, rank); rank++) {
            const RegardTranslation *x = regard_result_translation(a, i, rank);
            const RegardTranslation *y = regard_result_translation(b, i, rank);
            ck_assert_ptr_nonnull(y);
            ck_assert_str_eq(x->text.bytes, y->text.bytes);
            ck_assert_double_le(fabs(x->score - y->score), tolerance);
            ck_assert_double_le(fabs(x->log_probability - y->log_probability), tolerance);
        }
}

static void expect_same(RegardResult *a, RegardResult *b)
{
    expect_close(a, b, 0);
}

TESTS_EACH(begin, end)

TEST(prefixes)
{
    const RegardText prefixes[TEXTS] = {
        TEXT(" qui\tz"), TEXT("x"), {NULL, 0}, TEXT("\xE6\x88\x91 "), TEXT("\xff")};
    static const char *const beginnings[TEXTS] = {"qui z", "", "", "\xE6\x88\x91", "\xEF\xBF\xBD"};
    options.n_best = 3;
    options.alignment = true;
    RegardResult *without = translate();
    options.prefixes = prefixes;
    RegardResult *with = translate();
    for (size_t i = 0; i < TEXTS; i++) {
        size_t count = regard_result_source(with, i)->translation_count;
        ck_assert_int_eq(count == 0, i == 1);
        for (size_t rank = 0; rank < count; rank++) {
            const char *text = regard_result_translation(with, i, rank)->text.bytes;
            ck_assert_msg(!strncmp(text, beginnings[i], strlen(beginnings[i])), "%s", text);
        }
    }
    ck_assert_str_eq(regard_result_translation(with, 2, 0)->text.bytes,
                     regard_result_translation(without, 2, 0)->text.bytes);
    ck_assert_uint_eq(regard_result_source(with, 4)->invalid, 2);
    regard_result_free(without);
    regard_result_free(with);
    const RegardText wrong[TEXTS] = {{NULL, 7}};
    options.prefixes = wrong;
    ck_assert_int_eq(regard_translate(model, sources, TEXTS, &options, &result, &error),
                     REGARD_ARGUMENT);
    assert_contains(error.text, "options.prefixes[0] is NULL");
    // they have no effect elsewhere
    assert_ok(regard_score(model, sources, sources, TEXTS, &options, &result, &error));
    regard_result_free(result);
}

TEST(samples)
{
    options.samples = 20;
    options.temperature = 1.5;
    RegardResult *first = translate();
    options.batch = 1;
    options.threads = 2;
    RegardResult *again = translate();
    expect_close(first, again, backend_openblas.rows_exact() ? 0 : 1e-4);
    ck_assert_uint_gt(regard_result_source(first, 0)->translation_count, 10);
    ck_assert_uint_eq(regard_result_source(first, 1)->translation_count, 0);
    regard_result_free(again);
    options.seed = 1;
    again = translate();
    size_t same = 0;
    for (size_t rank = 0; rank < 10; rank++)
        same += !strcmp(regard_result_translation(first, 2, rank)->text.bytes,
                        regard_result_translation(again, 2, rank)->text.bytes);
    ck_assert_uint_lt(same, 5);
    regard_result_free(again);
    regard_result_free(first);
}

// A caller compiled with the header before samples: what lies behind its options is not read.
TEST(a_smaller_struct)
{
    RegardResult *expected = translate();
    memset((char *)&options + offsetof(RegardOptions, shortlist), 0x5a,
           sizeof options - offsetof(RegardOptions, shortlist));
    options.size = offsetof(RegardOptions, shortlist);
    RegardResult *old = translate();
    expect_same(expected, old);
    regard_result_free(expected);
    regard_result_free(old);
}

TEST(shortlist, .seconds = 60)
{
    options.shortlist = 1;
    ck_assert_int_eq(regard_translate(model, sources, TEXTS, &options, &result, &error),
                     REGARD_ARGUMENT);
    assert_contains(error.text, "the model has no shortlist");
    ck_assert_ptr_null(result);
    regard_close(model);
    TrainedModel trained = trained_model_make();
    assert_ok(regard_open(&model, trained.model, &error));
    const RegardText texts[] = {TEXT("the red cat sees the old dog ."), TEXT("the new boat .")};
    const RegardText prefixes[] = {TEXT("qqq"), TEXT("")}; // which no shortlist has
    options.prefixes = prefixes;
    assert_ok(regard_translate(model, texts, 2, &options, &result, &error));
    ck_assert(!strncmp(regard_result_translation(result, 0, 0)->text.bytes, "qqq", 3));
    regard_result_free(result);
}

// The links of regard_score with alignments; weights only if they are wanted.
TEST(align)
{
    RegardResult *scored, *aligned;
    const RegardText targets[TEXTS] = {
        TEXT("a cat"), TEXT("b"), TEXT("some words"), {NULL, 0}, TEXT("no")};
    for (int weights = 0; weights < 2; weights++) {
        options.alignment = true;
        assert_ok(regard_score(model, sources, targets, TEXTS, &options, &scored, &error));
        options.alignment = weights;
        assert_ok(regard_align(model, sources, targets, TEXTS, &options, &aligned, &error));
        ck_assert_uint_eq(regard_result_count(aligned), TEXTS);
        expect_same(scored, aligned);
        for (size_t i = 0; i < TEXTS; i++) {
            const RegardAlignment *a = regard_result_translation(scored, i, 0)->alignment;
            const RegardAlignment *b = regard_result_translation(aligned, i, 0)->alignment;
            ck_assert_uint_eq(a->link_count, b->link_count);
            ck_assert_mem_eq(a->links, b->links, a->link_count * sizeof *a->links);
            ck_assert_uint_eq(b->source_count * 10 + b->target_count,
                              a->source_count * 10 + a->target_count);
            if (!weights) ck_assert_ptr_null(b->weights);
            for (size_t k = 0; k < a->source_count * a->target_count && weights; k++)
                ck_assert(a->weights[k] == b->weights[k]);
        }
        regard_result_free(scored);
        regard_result_free(aligned);
    }
    result = (RegardResult *)(void *)&error;
    ck_assert_int_eq(regard_align(model, sources, NULL, TEXTS, NULL, &result, &error),
                     REGARD_ARGUMENT);
    ck_assert_ptr_null(result);
    ck_assert_int_eq(regard_align(NULL, sources, targets, TEXTS, NULL, &result, NULL),
                     REGARD_ARGUMENT);
}

TEST(out_of_memory)
{
    const RegardText prefixes[2] = {TEXT("q"), TEXT("x ")};
    options.prefixes = prefixes;
    for (int call = 0; call < 2; call++)
        for (size_t n = 1;; n++) {
            failing_malloc_at(n);
            RegardStatus status =
                call ? regard_align(model, sources, sources, 2, &options, &result, &error)
                     : regard_translate(model, sources, 2, &options, &result, &error);
            if (!failing_malloc_stop()) {
                ck_assert_msg(status == REGARD_OK && n > 5, "%d, %zu: %s", call, n, error.text);
                regard_result_free(result);
                break;
            }
            ck_assert_msg(status == REGARD_MEMORY, "%d, %zu: %s", call, n, error.text);
            ck_assert_ptr_null(result);
        }
}

TEST(glossary)
{
    const RegardText texts[] = {TEXT("das Haus ist klein"), TEXT("das"), TEXT("Haus. Das Haus.")};
    const RegardTerm terms[] = {{TEXT("haus"), TEXT("qux zyx")}, {TEXT("haus"), TEXT("qux zyx")}};
    const RegardTerm wrong[][2] = {{{TEXT("a"), TEXT("b")}, {TEXT(""), TEXT("b")}},
                                   {{TEXT("a"), TEXT("b")}, {TEXT("a"), {NULL, 3}}},
                                   {{TEXT("a"), TEXT("b")}, {TEXT("a"), TEXT("c")}}};
    static const char *const parts[] = {
        "options.glossary[1]: the term is empty",
        "options.glossary[1].translation is NULL, but its length is",
        "options.glossary[1]: \"a\" is translated by \"c\" here"};
    options.glossary = terms;
    options.glossary_count = 2;
    assert_ok(regard_translate(model, texts, 3, &options, &result, &error));
    for (size_t i = 0; i < 3; i++) {
        const char *text = regard_result_translation(result, i, 0)->text.bytes;
        ck_assert_msg((strstr(text, "ux zyx") != NULL) == (i != 1), "%s", text);
    }
    regard_result_free(result);
    for (size_t i = 0; i < 3; i++) {
        options.glossary = wrong[i];
        ck_assert_int_eq(regard_translate(model, texts, 3, &options, &result, &error),
                         REGARD_ARGUMENT);
        assert_contains(error.text, parts[i]);
    }
    options.glossary = NULL;
    ck_assert_int_eq(regard_translate(model, texts, 3, &options, &result, &error), REGARD_ARGUMENT);
    assert_contains(error.text, "options.glossary is NULL");
    options.glossary = terms;
    options.samples = 2;
    ck_assert_int_eq(regard_translate(model, texts, 3, &options, &result, &error), REGARD_ARGUMENT);
    assert_contains(error.text, "samples are drawn without a glossary");
}

TEST(split)
{
    const RegardText texts[3] = {TEXT("the cat. a dog"), TEXT("the cat."), TEXT("a dog")};
    RegardResult *whole;
    options.alignment = true;
    assert_ok(regard_translate(model, texts, 3, &options, &result, &error));
    const RegardTranslation *parts[3];
    for (size_t i = 0; i < 3; i++) parts[i] = regard_result_translation(result, i, 0);
    char joined[256];
    snprintf(joined, sizeof joined, "%s %s", parts[1]->text.bytes, parts[2]->text.bytes);
    ck_assert_str_eq(parts[0]->text.bytes, joined);
    ck_assert_double_eq_tol(parts[0]->score, (parts[1]->score + parts[2]->score) / 2,
                            backend_openblas.rows_exact() ? 1e-9 : 1e-4);
    ck_assert_uint_eq(parts[0]->alignment->source_count, 4);
    ck_assert_uint_eq(parts[0]->alignment->target_count,
                      parts[1]->alignment->target_count + parts[2]->alignment->target_count);
    ck_assert_uint_eq(parts[0]->alignment->link_count,
                      parts[1]->alignment->link_count + parts[2]->alignment->link_count);
    options.split = 0;
    assert_ok(regard_translate(model, texts, 1, &options, &whole, &error));
    ck_assert_str_ne(regard_result_translation(whole, 0, 0)->text.bytes, joined);
    regard_result_free(whole);
    regard_result_free(result);
    options.split = 2;
    ck_assert_int_eq(regard_translate(model, texts, 1, &options, &result, &error), REGARD_ARGUMENT);
    assert_contains(error.text, "options.split is 2; it must be 0 to 1");
}
