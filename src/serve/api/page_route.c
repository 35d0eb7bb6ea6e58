// GET /: the page.

#include "serve/api/routes.h"
#include "serve/page/page.h"

#include <string.h>

void page_route(Call *call)
{
    Error error = {0};
    Response *response = &call->response;
    if (bytes_append(&response->body, serve_page, strlen(serve_page), &error)) {
        response_failure(response, &error, HTTP_FAILED);
        return;
    }
    response->status = HTTP_OK;
    response->type = "text/html; charset=utf-8";
    response->policy = serve_page_policy;
}
