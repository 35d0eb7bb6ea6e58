#include "serve/api/answer.h"
#include "serve/api/call.h"

// POST /translate: texts to their translations.
void handle_translate(Call *call)
{
    if (!call_read_texts(call) || !call_read_format(call) || !call_read_languages(call) ||
        !call_read_alternatives(call) ||
        (call->job.alignment && !call_check_aligned(call, call->characters)))
        return;
    if (language_code_equal(&call->source, &call->target))
        answer_unchanged(&call->job);
    else
        call_wait(call);
}

// POST /align: texts and their translations to the links between their words.
void handle_align(Call *call)
{
    if (call_read_texts(call) && call_check_aligned(call, call->characters) &&
        call_read_translations(call) && call_read_languages(call))
        call_wait(call);
}

// POST /inspect: a text to its translation and all that this came from.
void handle_inspect(Call *call)
{
    if (!call_read_texts(call) || !call_read_languages(call) || !call_read_step(call)) return;
    if (language_code_equal(&call->source, &call->target))
        response_error(&call->job.response, HTTP_BAD_REQUEST,
                       "Invalid request: source and target are the same language");
    else
        call_wait(call);
}

// POST /detect: the language of a text.
void handle_detect(Call *call)
{
    const Detection *detection = call_read_texts(call) ? call_detect(call) : NULL;
    if (!detection) return;
    json_t *list = json_array();
    for (size_t i = 0; i < detection->count; i++)
        json_array_append_new(list, answer_language(&detection->found[i]));
    response_json(&call->job.response, list);
}

// The languages that a language is translated into: by models, and into itself, unchanged.
static json_t *targets_of(ServedModels *models, const LanguageCode *source)
{
    json_t *targets = json_array();
    ServedModel *route[2];
    for (size_t i = 0; i < models->language_count; i++) {
        const LanguageCode *target = &models->languages[i];
        if (language_code_equal(source, target) ||
            served_models_route(route, models, source, target))
            json_array_append_new(targets, json_string(target->text));
    }
    return targets;
}

// GET /languages: what can be translated into what.
void handle_languages(Call *call)
{
    ServedModels *models = call->job.models;
    json_t *list = json_array();
    for (size_t i = 0; i < models->language_count; i++) {
        const LanguageCode *code = &models->languages[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "code", code->text, "name",
                                              language_code_name(code), "targets",
                                              targets_of(models, code)));
    }
    response_json(&call->job.response, list);
}

// GET /frontend/settings: what LibreTranslate's page and other clients ask first, and what our page
// asks beside it.
void handle_settings(Call *call)
{
    const ServiceOptions *options = &call->service->options;
    const LanguageCode *target = &call->job.models->items[0].languages[1];
    bool keyed = options->api_keys != NULL;
    response_json(
        &call->job.response,
        json_pack("{s:b, s:I, s:I, s:b, s:I, s:b, s:b, s:[], s:{s:{s:s, s:s}, s:{s:s, s:s}}}",
                  "apiKeys", keyed, "charLimit", (json_int_t)options->max_characters,
                  "alignmentCharLimit", (json_int_t)(options->max_characters / ALIGNED_PART),
                  "filesTranslation", 0, "frontendTimeout", (json_int_t)500, "keyRequired", keyed,
                  "suggestions", options->memories.corrections != NULL, "supportedFilesFormat",
                  "language", "source", "code", "auto", "name", "Auto Detect", "target", "code",
                  target->text, "name", language_code_name(target)));
}
