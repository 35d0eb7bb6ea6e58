#include "api/translator.h"

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

static Status read_vocabularies(Translator *translator, const char *path, Error *error)
{
    const Model *model = &translator->model;
    Status status = read_vocabulary(&translator->source_vocabulary, model->texts.source_vocabulary,
                                    model->config.source_vocabulary, path,
                                    model->config.joint ? "its" : "its source", error);
    if (status) return status;
    if (model->config.joint) {
        translator->target_vocabulary = translator->source_vocabulary;
        return STATUS_OK;
    }
    return read_vocabulary(&translator->target_vocabulary, model->texts.target_vocabulary,
                           model->config.target_vocabulary, path, "its target", error);
}

/* What the description says about units and BLEU; a model without it counts words. */
static Status read_training(Translator *translator, const char *path, Error *error)
{
    json_error_t at;
    translator->training = json_loads(translator->model.texts.training, 0, &at);
    if (!json_is_object(translator->training))
        return error_set(error, STATUS_FORMAT, "%s: its training is not described in JSON", path);
    const char *source = json_string_value(json_object_get(translator->training, "source_units"));
    const char *target = json_string_value(json_object_get(translator->training, "target_units"));
    const char *bleu = json_string_value(json_object_get(translator->training, "bleu_tokenizer"));
    bool known = (!source || units_kind_from(source, &translator->source_units)) &&
                 (!target || units_kind_from(target, &translator->target_units)) &&
                 (!bleu || bleu_tokenizer_from(bleu, &translator->bleu_tokenizer));
    if (known) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "%s: its units or BLEU tokens are of no known kind",
                     path);
}

Status translator_open(Translator *translator, const char *path, Error *error)
{
    *translator = (Translator){.source_units = UNITS_WORDS, .target_units = UNITS_WORDS};
    Status status = model_open(&translator->model, path, error);
    if (status) return status;
    status = parameters_new(&translator->parameters, error);
    if (!status) status = read_vocabularies(translator, path, error);
    if (!status) status = read_training(translator, path, error);
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
