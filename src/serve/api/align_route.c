// POST /align: texts and their translations to the links between their words.

#include "serve/api/routes.h"

void align_route(Call *call)
{
    Error error = {0};
    bool detected;
    DetectedLanguage language;
    if (!call_read_texts(call) || !call_check_aligned(call)) return;
    json_t *translations = call_matching_texts(call, "translation");
    if (!translations) return;
    ServedModel *model =
        call_read_languages(call, &detected, &language) ? call_find_model(call) : NULL;
    if (!model) {
        json_decref(translations);
        return;
    }
    JobTexts texts = {.texts = json_incref(call->texts), .translations = translations};
    if (job_new(&call->job, call->models, model, texts, &error)) {
        response_failure(&call->response, &error, HTTP_FAILED);
        return;
    }
    call->job->listed = call->listed;
    call->job->detected = detected;
    call->job->language = language;
}
