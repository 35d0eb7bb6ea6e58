// GET /health: whether the server answers.

#include "serve/api/routes.h"

void health_route(Call *call)
{
    response_json(&call->response, json_pack("{s:s}", "status", "ok"));
}
