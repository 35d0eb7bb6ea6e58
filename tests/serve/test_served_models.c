// Which models a server takes.

#include "serve/service_case.h"

static void expect_refusal(const char *training, bool shortlist, const char *message)
{
    SmallTranslator translator;
    const char *files[2] = {paths[0], scratch_path("other")};
    const ModelChoice choice = {.paths = files, .count = 2, .threads = 1, .shortlist = shortlist};
    ServedModels *models = NULL;
    Error error = {0};
    small_translator_new(&translator, 1, 1);
    small_translator_save(&translator, files[1], training);
    small_translator_free(&translator);
    ck_assert_int_eq(served_models_open(&models, &choice, &error), STATUS_FORMAT);
    assert_contains(error.text, message);
    ck_assert_ptr_null(models);
}

TESTS_SHARE(write_models)

TEST(refusals)
{
    expect_refusal("{\"target_language\": \"en\"}", false, "does not say its source language");
    expect_refusal("{\"source_language\": \"en\"}", false, "does not say its target language");
    expect_refusal("{\"source_language\": \"de-AT\", \"target_language\": \"en\"}", false,
                   "another --model translates from German to English");
    expect_refusal("{\"source_language\": \"de\", \"target_language\": \"fr\"}", true,
                   "has no shortlist");
}

// The same language in another script does, unless there is a model of its own.
TEST(scripts)
{
    static const char *const tags[] = {"zh-Hans", "zh-Hant"};
    const char *files[2];
    const LanguageCode sources[] = {language_code_of(tags[0]), language_code_of(tags[1])};
    const LanguageCode target = language_code_of("en");
    ServedModels *models;
    SmallTranslator translator;
    small_translator_new(&translator, 1, 1);
    for (size_t i = 0; i < 2; i++) {
        char training[100];
        (void)snprintf(training, sizeof training,
                       "{\"source_language\": \"%s\", \"target_language\": \"en\"}", tags[i]);
        files[i] = scratch_path(tags[i]);
        small_translator_save(&translator, files[i], training);
    }
    small_translator_free(&translator);
    ModelChoice choice = {.paths = files, .count = 2, .threads = 1};
    assert_ok(served_models_open(&models, &choice, NULL));
    for (size_t i = 0; i < 2; i++)
        ck_assert_ptr_eq(served_models_find(models, &sources[i], &target), &models->items[i]);
    served_models_release(models);
    choice.count = 1;
    assert_ok(served_models_open(&models, &choice, NULL));
    ck_assert_ptr_eq(served_models_find(models, &sources[1], &target), models->items);
    served_models_release(models);
}
