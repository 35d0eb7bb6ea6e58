#include "serve/service/served_models.h"

#include "base/array.h"
#include "base/memory.h"

static Status read_languages(ServedModel *model, const char *path, Error *error)
{
    for (size_t side = 0; side < 2; side++) {
        const char *tag = model->translator.languages[side];
        if (!tag)
            return error_set(error, STATUS_FORMAT,
                             "%s: does not say its %s language; train it with --%s-language", path,
                             side ? "target" : "source", side ? "target" : "source");
        model->languages[side] = language_code_of(tag);
    }
    return STATUS_OK;
}

static Status open_session(ServedModel *model, const char *path, const ModelChoice *choice,
                           Error *error)
{
    const Model *opened = &model->translator.model;
    ComputeType type;
    if (choice->shortlist && opened->shortlist.always_count == 0)
        return error_set(error, STATUS_FORMAT, "%s: has no shortlist; leave --shortlist out", path);
    TRY(translator_read_aligner(&model->translator, path, error));
    model->reading =
        reading_of_aligner(model->translator.has_aligner ? &model->translator.aligner : NULL);
    model->reading.links_only = true;
    TRY(precision_resolve(&type, choice->precision, PACKED_DECODING,
                          seq2seq_is_wide(&opened->params.config), error));
    TRY(session_new(&model->session, &model->translator, choice->threads, type, error));
    session_cancel_by(model->session, choice->cancel);
    return STATUS_OK;
}

static void close_model(ServedModel *model)
{
    session_free(model->session);
    translator_close(&model->translator);
}

static Status open_model(ServedModels *models, const char *path, const ModelChoice *choice,
                         Error *error)
{
    ServedModel *model = &models->items[models->count];
    TRY(translator_open(&model->translator, path, error));
    Status status = read_languages(model, path, error);
    if (!status && served_models_find(models, &model->languages[0], &model->languages[1]))
        status = error_set(error, STATUS_FORMAT,
                           "%s: another --model translates from %s to %s already; leave one out",
                           path, language_code_name(&model->languages[0]),
                           language_code_name(&model->languages[1]));
    if (!status) status = open_session(model, path, choice, error);
    if (status)
        close_model(model);
    else
        models->count++;
    return status;
}

static Status list_languages(ServedModels *models, Error *error)
{
    TRY(array_new(&models->languages, 2 * models->count, "languages", error));
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < models->count; i++)
            if (!served_models_have(models, &models->items[i].languages[side]))
                models->languages[models->language_count++] = models->items[i].languages[side];
    return STATUS_OK;
}

Status served_models_open(ServedModels **out, const ModelChoice *choice, Error *error)
{
    ServedModels *models;
    TRY(array_new(&models, 1, "models", error));
    atomic_init(&models->references, 1);
    Status status = array_new(&models->items, choice->count, "models", error);
    for (size_t i = 0; i < choice->count && !status; i++)
        status = open_model(models, choice->paths[i], choice, error);
    if (!status) status = list_languages(models, error);
    if (status)
        served_models_release(models);
    else
        *out = models;
    return status;
}

ServedModels *served_models_keep(ServedModels *models)
{
    atomic_fetch_add(&models->references, 1);
    return models;
}

void served_models_release(ServedModels *models)
{
    if (!models || atomic_fetch_sub(&models->references, 1) > 1) return;
    for (size_t i = 0; i < models->count; i++) close_model(&models->items[i]);
    memory_free(models->items);
    memory_free(models->languages);
    memory_free(models);
}

ServedModel *served_models_find(ServedModels *models, const LanguageCode *source,
                                const LanguageCode *target)
{
    for (size_t i = 0; i < models->count; i++)
        if (language_code_equal(&models->items[i].languages[0], source) &&
            language_code_equal(&models->items[i].languages[1], target))
            return &models->items[i];
    for (size_t i = 0; i < models->count; i++)
        if (language_code_same_language(&models->items[i].languages[0], source) &&
            language_code_equal(&models->items[i].languages[1], target))
            return &models->items[i];
    return NULL;
}

bool served_models_have(const ServedModels *models, const LanguageCode *language)
{
    for (size_t i = 0; i < models->language_count; i++)
        if (language_code_equal(&models->languages[i], language)) return true;
    return false;
}

// Puts a language in its place: before those with less evidence.
static void insert(Detection *detection, const LanguageCode *code, double confidence)
{
    if (detection->count == MAX_LANGUAGES) return;
    size_t at = detection->count++;
    for (; at > 0 && detection->found[at - 1].confidence < confidence; at--)
        detection->found[at] = detection->found[at - 1];
    detection->found[at] = (DetectedLanguage){*code, confidence};
}

Status served_models_detect(Detection *detection, const ServedModels *models, const TextView *texts,
                            size_t count, Error *error)
{
    double total = 0;
    detection->count = 0;
    language_evidence_clear(&detection->evidence);
    for (size_t i = 0; i < count; i++)
        TRY(language_evidence_add(&detection->evidence, texts[i].data, texts[i].length, error));
    for (size_t i = 0; i < MAX_LANGUAGES; i++) total += detection->evidence.scores[i];
    for (size_t i = 0; i < models->language_count; i++) {
        const LanguageCode *code = &models->languages[i];
        double score = language_evidence_for(&detection->evidence, language_of(code->text));
        if (score > 0) insert(detection, code, 100 * score / total);
    }
    if (detection->count == 0) insert(detection, &models->languages[0], 0);
    return STATUS_OK;
}

void detection_free(Detection *detection)
{
    language_evidence_free(&detection->evidence);
}
