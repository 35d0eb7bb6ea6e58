// GET /frontend/settings: what LibreTranslate's page and other clients ask first, and what our page
// asks beside it.

#include "serve/api/routes.h"

void settings_route(Call *call)
{
    const ServiceOptions *options = &call->service->options;
    LanguageCode target = served_models_item(call->models, 0)->languages[1];
    bool keyed = options->api_keys != NULL;
    response_json(
        &call->response,
        json_pack("{s:b, s:I, s:I, s:b, s:I, s:b, s:b, s:[], s:{s:{s:s, s:s}, s:{s:s, s:s}}}",
                  "apiKeys", keyed, "charLimit", (json_int_t)options->max_characters,
                  "alignmentCharLimit", (json_int_t)(options->max_characters / ALIGNED_PART),
                  "filesTranslation", 0, "frontendTimeout", (json_int_t)500, "keyRequired", keyed,
                  "suggestions", 0, "supportedFilesFormat", "language", "source", "code", "auto",
                  "name", "Auto Detect", "target", "code", target.text, "name",
                  language_code_name(&target)));
}
