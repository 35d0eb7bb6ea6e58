#include "serve/service/served_models.h"

#include "base/array.h"

// Sets all of a model that has been opened but its translator.
static Status prepare(ServedModel *model, ServedModels *others, const char *path,
                      const ModelChoice *choice, Error *error)
{
    const Model *opened = &model->translator.model;
    for (size_t side = 0; side < 2; side++) {
        const char *tag = model->translator.languages[side];
        if (!tag)
            return error_set(error, STATUS_FORMAT,
                             "%s: does not say its %s language; train it with --%s-language", path,
                             side ? "target" : "source", side ? "target" : "source");
        model->languages[side] = language_code_of(tag);
    }
    const ServedModel *other =
        served_models_find(others, &model->languages[0], &model->languages[1]);
    if (other && language_code_equal(&other->languages[0], &model->languages[0]))
        return error_set(error, STATUS_FORMAT,
                         "%s: another --model translates from %s to %s already; leave one out",
                         path, language_code_name(&model->languages[0]),
                         language_code_name(&model->languages[1]));
    if (choice->shortlist && opened->shortlist.always_count == 0)
        return error_set(error, STATUS_FORMAT, "%s: has no shortlist; leave --shortlist out", path);
    model->reading = reading_of_aligner(model->translator.aligner);
    model->reading.links_only = true;
    for (size_t lane = 0; lane < LANES; lane++) {
        Session **session = &model->sessions[lane];
        TRY(session_new(session, &model->translator, choice->threads, choice->precision, error));
        session_cancel_by(*session, choice->cancels ? &choice->cancels[lane] : NULL);
    }
    return STATUS_OK;
}

static void close_model(ServedModel *model)
{
    for (size_t lane = 0; lane < LANES; lane++) session_free(model->sessions[lane]);
    translation_memory_free(model->memory);
    translator_close(&model->translator);
}

static Status open_model(ServedModels *models, const char *path, const ModelChoice *choice,
                         Error *error)
{
    ServedModel *model = &models->items[models->count];
    TRY(translator_open(&model->translator, path, error));
    Status status = prepare(model, models, path, choice, error);
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
    FREED_BY(served_models_release_at) ServedModels *models = NULL;
    TRY(array_new(&models, 1, "models", error));
    atomic_init(&models->references, 1);
    TRY(array_new(&models->items, choice->count, "models", error));
    for (size_t i = 0; i < choice->count; i++)
        TRY(open_model(models, choice->paths[i], choice, error));
    TRY(list_languages(models, error));
    *out = memory_take(&models);
    return STATUS_OK;
}

void served_models_release(ServedModels *models)
{
    if (!models || atomic_fetch_sub(&models->references, 1) > 1) return;
    for (size_t i = 0; i < models->count; i++) close_model(&models->items[i]);
    for (size_t i = 0; i < models->language_count && models->spellings; i++)
        memory_free(models->spellings[i]);
    memory_free(models->spellings);
    memory_free(models->items);
    memory_free(models->languages);
    memory_free(models);
}

ServedModel *served_models_find(ServedModels *models, const LanguageCode *source,
                                const LanguageCode *target)
{
    ServedModel *other = NULL; // in another script
    for (size_t i = 0; i < models->count; i++) {
        ServedModel *model = &models->items[i];
        if (!language_code_equal(&model->languages[1], target)) continue;
        if (language_code_equal(&model->languages[0], source)) return model;
        if (!other && language_code_same_language(&model->languages[0], source)) other = model;
    }
    return other;
}

bool served_models_route(ServedModel *route[2], ServedModels *models, const LanguageCode *source,
                         const LanguageCode *target)
{
    route[0] = served_models_find(models, source, target);
    route[1] = NULL;
    bool same = language_code_same_language(source, target);
    for (size_t i = 0; i < models->language_count && !route[0] && !same; i++) {
        const LanguageCode *third = &models->languages[i];
        route[1] = served_models_find(models, third, target);
        if (route[1]) route[0] = served_models_find(models, source, third);
    }
    return route[0] != NULL;
}

bool served_models_have(const ServedModels *models, const LanguageCode *language)
{
    for (size_t i = 0; i < models->language_count; i++)
        if (language_code_equal(&models->languages[i], language)) return true;
    return false;
}
