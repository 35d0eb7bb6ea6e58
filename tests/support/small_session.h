/* What the tests of a session share: a small model, opened from a file. */
#pragma once

#include "support/scratch.h"
#include "support/small_translator.h"
#include "support/suite.h"
#include "translate/session.h"

#include <string.h>

static SmallTranslator small;
static Translator translator;
static Session *session;
static const char *more_sentences[2] = {"", ""}; // in its vocabularies, set before set_up

// The larger the bias, the sooner a sentence ends.
static void set_up(double eos_bias)
{
    small_translator_new_with(&small, more_sentences, 2, 1);
    small.model.params.output.bias[TOKEN_EOS] = (real)eos_bias;
}

static void open_session(size_t threads)
{
    const char *path = scratch_path("model");
    small_translator_save(&small, path, "{}");
    assert_ok(translator_open(&translator, path, NULL));
    assert_ok(session_new(&session, &translator, threads, PRECISION_FLOAT32, NULL));
}

static void tear_down(void)
{
    session_free(session);
    session = NULL;
    translator_close(&translator);
    small_translator_free(&small);
}

TESTS_EACH(NULL, tear_down)

static inline void translate_all(const TextView *texts, size_t count, TranslateOptions options,
                                 Translation *translations)
{
    Error error = {0};
    Status status = session_translate(session, texts, count, &options, translations, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

// How many placeholders the model reads in the source.
static inline size_t placeholders_read(const Translation *translation)
{
    size_t count = 0;
    for (size_t i = 0; i < translation->source_subwords.count; i++) {
        int32_t id = translation->source_subwords.ids[i];
        for (const char *at = vocabulary_spelling(translator.source_vocabulary, id);
             (at = strstr(at, "\xee\x80")); at++)
            count++;
    }
    return count;
}

static inline void free_all(Translation *translations, size_t count)
{
    for (size_t i = 0; i < count; i++) translation_free(&translations[i]);
}
