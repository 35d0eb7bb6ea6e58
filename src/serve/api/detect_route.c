// POST /detect: the language of a text.

#include "serve/api/answer.h"
#include "serve/api/routes.h"

void detect_route(Call *call)
{
    const Detection *detection = call_read_texts(call) ? call_detect(call) : NULL;
    if (!detection) return;
    json_t *list = json_array();
    for (size_t i = 0; i < detection->count; i++)
        json_array_append_new(list, answer_language(&detection->found[i]));
    response_json(&call->response, list);
}
