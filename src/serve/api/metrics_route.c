// GET /metrics: counts for Prometheus.

#include "serve/api/routes.h"

void metrics_route(Call *call)
{
    Service *service = call->service;
    Error error = {0};
    Writer out = writer_start(&call->response.body, &error);
    metrics_write(&out, service->metrics, queue_length(service->queue));
    call->response.status = HTTP_OK;
    call->response.type = "text/plain; version=0.0.4; charset=utf-8";
    if (writer_end(&out)) response_failure(&call->response, &error, HTTP_FAILED);
}
