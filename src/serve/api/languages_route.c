// GET /languages: what can be translated into what.

#include "serve/api/routes.h"

// The languages that a language is translated into: by a model, and into itself, unchanged.
static json_t *targets_of(ServedModels *models, const LanguageCode *source)
{
    json_t *targets = json_array();
    for (size_t i = 0;; i++) {
        LanguageCode target = served_models_language(models, i);
        if (!*target.text) break;
        if (language_code_equal(source, &target) || served_models_find(models, source, &target))
            json_array_append_new(targets, json_string(target.text));
    }
    return targets;
}

void languages_route(Call *call)
{
    json_t *list = json_array();
    for (size_t i = 0;; i++) {
        LanguageCode code = served_models_language(call->models, i);
        if (!*code.text) break;
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "code", code.text, "name",
                                              language_code_name(&code), "targets",
                                              targets_of(call->models, &code)));
    }
    response_json(&call->response, list);
}
