#include "serve/api/routes.h"

#include "base/clock.h"

#include <string.h>

const char *const route_paths[ROUTES] = {
    "/translate", "/align",   "/detect", "/languages", "/frontend/settings",
    "/health",    "/metrics", "/spec",   "/"};

// In the order of route_paths.
static const struct {
    void (*handle)(Call *call);
    bool posted; // by POST, with parameters, if need be with a key; else by GET
} table[ROUTES] = {{translate_route, true},  {align_route, true},          {detect_route, true},
                   {languages_route, false}, {settings_route, false},      {health_route, false},
                   {metrics_route, false},   {specification_route, false}, {page_route, false}};

size_t routes_find(const Request *request)
{
    size_t i = 0;
    while (i < ROUTES && !request_is_for(request, route_paths[i])) i++;
    return i;
}

const char *routes_methods(const Request *request)
{
    size_t route = routes_find(request);
    if (route == ROUTES) return NULL;
    return table[route].posted ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
}

static bool is_method(const Request *request, const char *method)
{
    return strcmp(request->method, method) == 0;
}

// Whether the client's requests are not too many; a key counts as a client.
static bool check_rate(Call *call, const char *key)
{
    RateLimit *rate = call->service->rate;
    const char *client = key ? key : call->request->client;
    if (!rate || rate_limit_allows(rate, client, clock_seconds())) return true;
    response_error(&call->response, HTTP_TOO_MANY_REQUESTS, "Slowdown: %zu requests per 1 minute",
                   call->service->options.per_minute);
    return false;
}

static bool check_key(Call *call, const char *key)
{
    if (service_has_key(call->service, key)) return true;
    if (key)
        response_error(&call->response, HTTP_FORBIDDEN, "Invalid API key");
    else
        response_error(&call->response, HTTP_BAD_REQUEST,
                       "Please contact the server operator to get an API key");
    return false;
}

static void handle_posted(Call *call)
{
    Error error = {0};
    if (request_parameters(&call->parameters, call->request, &error)) {
        response_failure(&call->response, &error, HTTP_BAD_REQUEST);
        return;
    }
    const char *key = call_optional_text(call, "api_key");
    if (key && !*key) key = NULL; // clients send an empty one where they have none
    // guesses count for the address that they come from
    bool known = call->service->options.api_keys && service_has_key(call->service, key);
    if (check_rate(call, known ? key : NULL) && check_key(call, key))
        table[call->route].handle(call);
    json_decref(call->parameters); // which may be much larger than what was taken from them
    call->parameters = NULL;
}

void routes_handle(Call *call)
{
    const Request *request = call->request;
    call->route = routes_find(request);
    if (call->route == ROUTES) {
        response_error(&call->response, HTTP_NOT_FOUND, "Not found");
    } else if (is_method(request, "OPTIONS")) {
        call->response.status = HTTP_NO_CONTENT;
    } else if (table[call->route].posted
                   ? !is_method(request, "POST")
                   : !is_method(request, "GET") && !is_method(request, "HEAD")) {
        response_error(&call->response, HTTP_METHOD_NOT_ALLOWED, "Method not allowed");
        call->response.allow = routes_methods(request);
    } else if (atomic_load(&call->service->closing)) {
        response_ending(&call->response);
    } else {
        call->models = service_models(call->service);
        if (table[call->route].posted)
            handle_posted(call);
        else
            table[call->route].handle(call);
    }
}
