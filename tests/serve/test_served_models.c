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

// Models with a shortlist are taken where one is asked for, and of any language that has a tag.
TEST(taken)
{
    static const char *const given[] = {"models/en-fr.safetensors", "models/fr-en.safetensors"};
    SmallTranslator translator;
    ServedModels *models;
    Error error = {0};
    ModelChoice choice = {.paths = given, .count = 2, .threads = 1, .shortlist = true};
    assert_ok(served_models_open(&models, &choice, NULL));
    ck_assert_uint_eq(models->language_count, 2);
    served_models_release(models);
    const char *file = scratch_path("klingon");
    choice = (ModelChoice){.paths = &file, .count = 1, .threads = 1};
    small_translator_new(&translator, 1, 1);
    small_translator_save(&translator, file,
                          "{\"source_language\": \"tlh-Latn\", \"target_language\": \"en\"}");
    small_translator_free(&translator);
    assert_ok(served_models_open(&models, &choice, &error));
    ck_assert_str_eq(models->languages[0].text, "tlh");
    Detection detection = {0};
    const TextView text = {"nuqneH", 6};
    assert_ok(detection_set(&detection, models, &text, 1, &error));
    ck_assert_uint_gt(detection.count, 0);
    language_evidence_free(&detection.evidence);
    served_models_release(models);
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
