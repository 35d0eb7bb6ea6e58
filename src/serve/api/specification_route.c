// GET /spec: the description of the API, for tools that read OpenAPI.

#include "base/version.h"
#include "serve/api/routes.h"
#include "serve/api/specification.h"

#include <string.h>

void specification_route(Call *call)
{
    Error error = {0};
    json_t *json;
    if (json_parse(&json, specification_json, strlen(specification_json), "specification.json",
                   "it", &error)) {
        response_failure(&call->response, &error, HTTP_FAILED);
        return;
    }
    json_object_set_new(json_object_get(json, "info"), "version", json_string(REGARD_VERSION));
    response_json(&call->response, json);
}
