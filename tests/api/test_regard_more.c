// include/regard.h beyond translating: subwords, languages, HTML, pictures, the aligner, scores.

#include "regard.h"

#include "support/failing_malloc.h"

#include <string.h>

#include "api/open_model.h" // last: its names are short

static RegardText text;

#define CHECK_REFUSED(call, expected, message)                                                     \
    do {                                                                                           \
        error = (RegardError){0};                                                                  \
        ck_assert_int_eq(call, expected);                                                          \
        assert_contains(error.text, message);                                                      \
    } while (0)

#define CHECK_TEXT(call, expected)                                                                 \
    do {                                                                                           \
        assert_ok(call);                                                                           \
        ck_assert_str_eq(text.bytes, expected);                                                    \
        ck_assert_uint_eq(text.length, strlen(expected));                                          \
        regard_text_free(&text);                                                                   \
    } while (0)

static const RegardText sources[] = {{"the cat", 7}, {"the dog", 7}, {"a cat", 5}};
static const RegardText targets[] = {{"le chat", 7}, {"le chien", 8}, {"un chat", 7}};

// Every allocation of these may fail.
static RegardStatus learn_and_align(void)
{
    const RegardText *const sides[2] = {sources, targets};
    RegardAligner *aligner;
    RegardResult *result;
    RegardScores scores;
    options.alignment = true;
    RegardStatus status = regard_aligner_learn(&aligner, sources, targets, 3, &options, &error);
    if (status) return status;
    status = regard_aligner_align(aligner, sides, 3, &options, &result, &error);
    if (!status)
        status =
            regard_alignment_svg(regard_result_translation(result, 0, 0)->alignment, &text, &error);
    if (!status) regard_text_free(&text);
    regard_result_free(result);
    regard_aligner_free(aligner);
    return status ? status : regard_evaluate(&scores, sources, sources, 3, NULL, &error);
}

TEST(out_of_memory)
{
    regard_options_default(&options, sizeof options);
    while (failing_malloc_next()) failing_malloc_expect((Status)learn_and_align());
}

TEST(aligner)
{
    const RegardText *const sides[2] = {sources, targets};
    RegardAligner *aligner;
    RegardResult *result;
    assert_ok(regard_aligner_learn(&aligner, sources, targets, 3, NULL, &error));
    assert_ok(regard_aligner_align(aligner, sides, 3, NULL, &result, &error));
    const RegardAlignment *alignment = regard_result_translation(result, 0, 0)->alignment;
    ck_assert_uint_eq(alignment->link_count, 2);
    ck_assert_uint_eq(alignment->links[1].source, 1);
    ck_assert_uint_eq(alignment->links[1].target, 1);
    ck_assert_ptr_null(alignment->weights);
    CHECK_REFUSED(regard_alignment_svg(alignment, &text, &error), REGARD_ARGUMENT,
                  "options.alignment");
    regard_result_free(result);
    regard_aligner_free(aligner);
    regard_aligner_free(NULL);
    CHECK_REFUSED(regard_aligner_learn(NULL, sources, targets, 3, NULL, &error), REGARD_ARGUMENT,
                  "NULL");
    CHECK_REFUSED(regard_aligner_align(NULL, sides, 3, NULL, &result, &error), REGARD_ARGUMENT,
                  "NULL");
    CHECK_REFUSED(regard_aligner_open(&aligner, scratch_path("none"), &error), REGARD_IO, "none");
    CHECK_REFUSED(regard_aligner_save(NULL, "x", &error), REGARD_ARGUMENT, "NULL");
    const char *junk = scratch_path("junk");
    scratch_text("junk", "No aligner at all.");
    CHECK_REFUSED(regard_aligner_open(&aligner, junk, &error), REGARD_FORMAT, "model or aligner");
}

TEST(cancelled)
{
    int flag = 1;
    RegardAligner *aligner;
    ck_assert(regard_flag_is_set(&flag));
    regard_options_default(&options, sizeof options);
    options.cancelled = regard_flag_is_set;
    options.context = &flag;
    CHECK_REFUSED(regard_aligner_learn(&aligner, sources, targets, 3, &options, &error),
                  REGARD_CANCELLED, "cancelled");
    flag = 0;
    assert_ok(regard_aligner_learn(&aligner, sources, targets, 3, &options, &error));
    regard_aligner_free(aligner);
}

TEST(scores)
{
    RegardScores scores;
    const RegardText hypotheses[] = {TEXT("a b c d"), TEXT("B C D E")};
    const RegardText references[] = {TEXT("a b c d"), TEXT("x"), TEXT("y"), TEXT("b c d e")};
    RegardScoring scoring = {.references = 2};
    assert_ok(regard_evaluate(&scores, hypotheses, references, 2, &scoring, &error));
    ck_assert_double_eq_tol(scores.exact, 0.5, 1e-9);
    scoring.lowercase = true;
    assert_ok(regard_evaluate(&scores, hypotheses, references, 2, &scoring, &error));
    ck_assert_double_eq_tol(scores.bleu, 100, 1e-9);
    ck_assert_double_eq_tol(scores.chrf, 100, 1e-9);
    scoring.tokenizer = 3;
    CHECK_REFUSED(regard_evaluate(&scores, hypotheses, references, 2, &scoring, &error),
                  REGARD_ARGUMENT, "tokenizer");
    CHECK_REFUSED(regard_evaluate(NULL, hypotheses, references, 2, NULL, &error), REGARD_ARGUMENT,
                  "NULL");
}

TESTS_EACH(begin, end)

TEST(tokenize)
{
    CHECK_TEXT(regard_tokenize(model, REGARD_SOURCE, &TEXT(" ab  c"), &text, &error), "▁ a b ▁ c");
    CHECK_TEXT(regard_tokenize(model, REGARD_TARGET, &TEXT(""), &text, &error), "");
    ck_assert_ptr_null(text.bytes);
    CHECK_REFUSED(regard_tokenize(model, (RegardSide)2, &TEXT("a"), &text, &error), REGARD_ARGUMENT,
                  "side");
    CHECK_REFUSED(regard_tokenize(NULL, REGARD_SOURCE, &TEXT("a"), &text, &error), REGARD_ARGUMENT,
                  "regard_open");
    CHECK_REFUSED(regard_tokenize(model, REGARD_SOURCE, NULL, &text, &error), REGARD_ARGUMENT,
                  "text is NULL");
    CHECK_REFUSED(regard_tokenize(model, REGARD_SOURCE, &TEXT("a"), NULL, &error), REGARD_ARGUMENT,
                  "pointer for the result");
}

TEST(languages)
{
    const char *code = "";
    ck_assert_ptr_null(regard_model_language(model, REGARD_SOURCE));
    ck_assert_ptr_null(regard_model_language(NULL, REGARD_SOURCE));
    assert_ok(regard_detect_language(&code, &TEXT("Où est la gare ?"), 1, &error));
    ck_assert_str_eq(code, "fr");
    assert_ok(regard_detect_language(&code, NULL, 0, &error));
    ck_assert_ptr_null(code);
    CHECK_REFUSED(regard_detect_language(NULL, NULL, 0, &error), REGARD_ARGUMENT, "NULL");
}

TEST(html)
{
    assert_ok(regard_translate_html(model, &TEXT("<img alt='a'>"), NULL, &text, &error));
    ck_assert_msg(!strncmp(text.bytes, "<img alt='", 10) && strcmp(text.bytes, "<img alt='a'>"),
                  "%s", text.bytes);
    regard_text_free(&text);
    CHECK_TEXT(regard_translate_html(model, &TEXT("<hr>1<br>"), NULL, &text, &error), "<hr>1<br>");
    assert_ok(regard_translate_html(model, &TEXT("<p>a <b>b</b></p><p>c"), NULL, &text, &error));
    ck_assert(!strncmp(text.bytes, "<p>", 3));
    regard_text_free(&text);
    options.beam = 0;
    CHECK_REFUSED(regard_translate_html(model, &TEXT("a"), &options, &text, &error),
                  REGARD_ARGUMENT, "options.beam");
    CHECK_REFUSED(regard_translate_html(NULL, &TEXT("a"), NULL, &text, &error), REGARD_ARGUMENT,
                  "model is NULL");
}
