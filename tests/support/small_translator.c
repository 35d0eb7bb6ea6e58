#include "support/small_translator.h"

#include "support/learned_vocabulary.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { VOCABULARY_SIZE = 330, SENTENCES = 6 };

static const char *const german[SENTENCES] = {
    "das Haus ist klein",        "ein kleines Haus steht dort",    "die Katze schläft im Haus",
    "die Katzen schlafen nicht", "wir gehen heute nicht ins Haus", "das ist nicht die Katze",
};
static const char *const english[SENTENCES] = {
    "the house is small",    "a small house is standing there", "the cat sleeps in the house",
    "the cats do not sleep", "we do not go to the house today", "that is not the cat",
};

static Vocabulary *learn(const char *const sentences[SENTENCES], const char *more)
{
    const char *texts[SENTENCES + 1];
    memcpy(texts, sentences, SENTENCES * sizeof *texts);
    texts[SENTENCES] = more;
    return learned_vocabulary(texts, SENTENCES + 1, VOCABULARY_SIZE);
}

void small_translator_new_with(SmallTranslator *translator, const char *const more[2], double scale,
                               uint64_t seed)
{
    translator->source_vocabulary = learn(german, more[0]);
    translator->target_vocabulary = learn(english, more[1]);
    small_model_new(&translator->model, vocabulary_size(translator->source_vocabulary),
                    vocabulary_size(translator->target_vocabulary), scale, seed);
}

void small_translator_new(SmallTranslator *translator, double scale, uint64_t seed)
{
    small_translator_new_with(translator, (const char *const[]){"", ""}, scale, seed);
}

static char *vocabulary_text(const Vocabulary *vocabulary)
{
    json_t *json = vocabulary_to_json(vocabulary);
    char *text = json_dumps(json, JSON_COMPACT);
    ck_assert_ptr_nonnull(text);
    json_decref(json);
    return text;
}

void small_translator_save(const SmallTranslator *translator, const char *path,
                           const char *training)
{
    char *source = vocabulary_text(translator->source_vocabulary);
    char *target = vocabulary_text(translator->target_vocabulary);
    const ModelTexts texts = {source, target, training};
    Error error = {0};
    Status status = model_save(path, &translator->model.params, &texts, NULL, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    free(source);
    free(target);
}

void small_translator_free(SmallTranslator *translator)
{
    vocabulary_free(translator->source_vocabulary);
    vocabulary_free(translator->target_vocabulary);
    small_model_free(&translator->model);
    *translator = (SmallTranslator){0};
}
