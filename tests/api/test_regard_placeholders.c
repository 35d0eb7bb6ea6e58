/* What stays as it is, by the library: a model that knows placeholders. */
#include "support/small_translator.h"

#include "api/open_model.h"

#include <string.h>

static const char *const sentences[2] = {PLACEHOLDER_SENTENCE, PLACEHOLDER_SENTENCE};

static void begin_with_placeholders(void)
{
    SmallTranslator translator;
    path = scratch_path("model.safetensors");
    small_translator_new_with(&translator, sentences, 1, 1);
    small_translator_save(&translator, path, "{}");
    small_translator_free(&translator);
    open_model();
}

TESTS_EACH(NULL, end)

TEST(an_address_stays)
{
    static const char address[] = "https://x.org/a";
    RegardResult *result;
    begin_with_placeholders();
    options.alignment = 1;
    options.n_best = 2;
    const RegardText text = TEXT("das Haus https://x.org/a. Die Katze schläft 😀");
    assert_ok(regard_translate(model, &text, 1, &options, &result, &error));
    ck_assert_str_eq(regard_result_source(result, 0)->text.bytes, text.bytes);
    for (size_t rank = 0; rank < 2; rank++) {
        const RegardTranslation *translation = regard_result_translation(result, 0, rank);
        const char *first = strstr(translation->text.bytes, address);
        ck_assert_msg(first && !strstr(first + 1, address), "%s", translation->text.bytes);
        assert_contains(translation->text.bytes, "😀");
        const RegardAlignment *alignment = translation->alignment;
        ck_assert_uint_eq(alignment->source_count, 7);
        ck_assert_str_eq(alignment->sources[2].bytes, "https://x.org/a.");
    }
    regard_result_free(result);
}

TEST(nothing_else)
{
    RegardResult *result;
    begin_with_placeholders();
    options.alignment = 1;
    ck_assert_int_eq(regard_translate(model, &TEXT("@a  😀"), 1, &options, &result, &error), 0);
    const RegardTranslation *translation = regard_result_translation(result, 0, 0);
    ck_assert_str_eq(translation->text.bytes, "@a 😀");
    ck_assert(translation->log_probability == 0);
    ck_assert_uint_eq(translation->alignment->link_count, 2);
    regard_result_free(result);
}

TEST(a_model_that_knows_none)
{
    RegardResult *result;
    begin();
    ck_assert_int_eq(regard_translate(model, &TEXT("90817"), 1, &options, &result, &error), 0);
    ck_assert(regard_result_translation(result, 0, 0)->log_probability < 0);
    regard_result_free(result);
}
