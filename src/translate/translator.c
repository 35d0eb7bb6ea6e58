#include "translate/translator.h"

#include "base/threads.h"

#include <string.h>

static Status read_vocabulary(Vocabulary **vocabulary, const char *text, size_t size,
                              const char *path, const char *side, Error *error)
{
    json_error_t at;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &at);
    if (!json) return error_set(error, STATUS_FORMAT, "%s: %s vocabulary: %s", path, side, at.text);
    Error inner;
    Status status = vocabulary_from_json(vocabulary, json, &inner);
    json_decref(json);
    if (status) return error_set(error, status, "%s: %s vocabulary: %s", path, side, inner.text);
    if (vocabulary_size(*vocabulary) == size) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "%s: %s vocabulary has %zu tokens, its config says %zu",
                     path, side, vocabulary_size(*vocabulary), size);
}

Status translator_read_vocabularies(Vocabulary *vocabularies[2], const ModelConfig *config,
                                    const ModelTexts *texts, const char *path, Error *error)
{
    Vocabulary *source = NULL, *target = NULL;
    Status status = read_vocabulary(&source, texts->source_vocabulary, config->source_vocabulary,
                                    path, config->joint ? "its" : "its source", error);
    if (!status && !config->joint)
        status = read_vocabulary(&target, texts->target_vocabulary, config->target_vocabulary, path,
                                 "its target", error);
    if (status) {
        vocabulary_free(source);
        vocabulary_free(target);
        return status;
    }
    vocabularies[0] = source;
    vocabularies[1] = config->joint ? source : target;
    return STATUS_OK;
}

/* The defaults for units and BLEU; a model that does not name them counts words. */
static Status read_training(Translator *translator, const char *text, const char *path,
                            Error *error)
{
    json_error_t at;
    translator->training = json_loads(text, 0, &at);
    if (!json_is_object(translator->training))
        return error_set(error, STATUS_FORMAT, "%s: the description of its training is not JSON",
                         path);
    const char *source = json_string_value(json_object_get(translator->training, "source_units"));
    const char *target = json_string_value(json_object_get(translator->training, "target_units"));
    const char *bleu = json_string_value(json_object_get(translator->training, "bleu_tokenizer"));
    bool known = (!source || units_kind_from(source, &translator->source_units)) &&
                 (!target || units_kind_from(target, &translator->target_units)) &&
                 (!bleu || bleu_tokenizer_from(bleu, &translator->bleu_tokenizer));
    if (known) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "%s: its units or BLEU tokens are of an unknown kind",
                     path);
}

// Two threads read the model and its vocabularies at the same time, since a translation waits for
// both.
typedef struct Opening {
    Translator *translator;
    const char *path;
    Status model_status, texts_status;
    Error model_error, texts_error;
} Opening;

static void read_model(void *context)
{
    Opening *opening = context;
    opening->model_status =
        model_read(&opening->translator->model, opening->path, &opening->model_error);
}

// Uses only the file of the model: the other thread is reading the rest.
static void read_texts(void *context)
{
    Opening *opening = context;
    Translator *translator = opening->translator;
    Error *error = &opening->texts_error;
    ModelConfig config;
    ModelTexts texts;
    Status status =
        model_read_metadata(translator->model.file, opening->path, &config, &texts, error);
    Vocabulary *vocabularies[2] = {NULL, NULL};
    if (!status)
        status = translator_read_vocabularies(vocabularies, &config, &texts, opening->path, error);
    translator->source_vocabulary = vocabularies[0];
    translator->target_vocabulary = vocabularies[1];
    if (!status) status = read_training(translator, texts.training, opening->path, error);
    opening->texts_status = status;
}

/* An error in the model is reported rather than one in its texts, which in a damaged file follows
 * from it. */
static Status read_all(Translator *translator, const char *path, Error *error)
{
    Opening opening = {.translator = translator, .path = path};
    threads_both(read_texts, read_model, &opening);
    Status status = opening.model_status ? opening.model_status : opening.texts_status;
    if (status && error) *error = opening.model_status ? opening.model_error : opening.texts_error;
    return status;
}

Status translator_open(Translator *translator, const char *path, Error *error)
{
    *translator = (Translator){.source_units = UNITS_WORDS, .target_units = UNITS_WORDS};
    Status status = model_open_unread(&translator->model, path, error);
    if (!status) status = parameters_new(&translator->parameters, error);
    if (!status) status = read_all(translator, path, error);
    if (status) translator_close(translator);
    return status;
}

void translator_close(Translator *translator)
{
    if (translator->target_vocabulary != translator->source_vocabulary)
        vocabulary_free(translator->target_vocabulary);
    vocabulary_free(translator->source_vocabulary);
    json_decref(translator->training);
    parameters_free(translator->parameters);
    model_close(&translator->model);
    *translator = (Translator){0};
}
