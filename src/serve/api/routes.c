#include "serve/api/routes.h"

#include "base/clock.h"

// GET /health: whether the server answers.
static void show_health(Call *call)
{
    response_json(&call->job.response, json_pack("{s:s}", "status", "ok"));
}

// GET /metrics: counts for Prometheus.
static void show_metrics(Call *call)
{
    Service *service = call->service;
    Response *response = &call->job.response;
    Error error = {0};
    Writer out = writer_start(&response->body, &error);
    metrics_write(&out, &service->metrics, service_waiting(service));
    response->status = HTTP_OK;
    response->type = "text/plain; version=0.0.4; charset=utf-8";
    if (writer_end(&out)) response_failure(response, &error, HTTP_FAILED);
}

static void show_embedded(Response *response, const char *text)
{
    Error error = {0};
    response->status = HTTP_OK;
    if (bytes_append(&response->body, text, strlen(text), &error))
        response_failure(response, &error, HTTP_FAILED);
}

// GET /spec: the description of the API, for tools that read OpenAPI.
static void show_specification(Call *call)
{
    show_embedded(&call->job.response, specification_json);
}

// GET /: the page.
static void show_page(Call *call)
{
    call->job.response.type = "text/html; charset=utf-8";
    call->job.response.policy = serve_page_policy;
    show_embedded(&call->job.response, serve_page);
}

// POST /suggest: a translation that a user has corrected, from now on the text's.
static void take_suggestion(Call *call)
{
    const char *file = call->service->options.memories.corrections;
    Response *response = &call->job.response;
    TextView text, translation;
    Error error = {0};
    if (!file) {
        response_error(response, HTTP_FORBIDDEN, "Suggestions are disabled on this server.");
        return;
    }
    pthread_mutex_lock(&call->service->correcting);
    served_models_release(call->job.models); // there may be others since
    call->job.models = service_models(call->service);
    if (call_read_suggestion(call, &text, &translation)) {
        if (correction_add(file, call->job.model, text, translation, &error))
            response_failure(response, &error, HTTP_FAILED);
        else
            response_json(response, json_pack("{s:b}", "success", 1));
    }
    pthread_mutex_unlock(&call->service->correcting);
}

const Route routes[ROUTES] = {
    {"/translate", handle_translate, true},
    {"/align", handle_align, true},
    {"/inspect", handle_inspect, true},
    {"/detect", handle_detect, true},
    {"/suggest", take_suggestion, true},
    {"/languages", handle_languages, false},
    {"/frontend/settings", handle_settings, false},
    {"/health", show_health, false},
    {"/metrics", show_metrics, false},
    {"/spec", show_specification, false},
    {"/", show_page, false},
};

size_t routes_find(const Request *request)
{
    size_t i = 0;
    while (i < ROUTES && !request_is_for(request, routes[i].path)) i++;
    return i;
}

const char *routes_methods(size_t route)
{
    if (route == ROUTES) return NULL;
    return routes[route].posted ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
}

static bool is_method(const Request *request, const char *method)
{
    return strcmp(request->method, method) == 0;
}

static void handle_posted(Call *call)
{
    Error error = {0};
    if (request_parameters(&call->parameters, call->request, &error)) {
        response_failure(&call->job.response, &error, HTTP_BAD_REQUEST);
        return;
    }
    Service *service = call->service;
    Response *response = &call->job.response;
    const char *key = call_text(call, "api_key");
    if (key && !*key) key = NULL; // clients send an empty one where they have none
    // a key counts as a client; guesses count for the address that they come from
    bool allowed = service_has_key(service, key), known = service->options.api_keys && allowed;
    const char *client = known && key ? key : call->request->client;
    if (!rate_limit_allows(&service->rate, client, clock_seconds()))
        response_error(response, HTTP_TOO_MANY_REQUESTS, "Slowdown: %zu requests per 1 minute",
                       service->options.per_minute);
    else if (allowed)
        routes[call->route].handle(call);
    else if (key)
        response_error(response, HTTP_FORBIDDEN, "Invalid API key");
    else
        response_error(response, HTTP_BAD_REQUEST,
                       "Please contact the server operator to get an API key");
    json_decref(call->parameters); // which may be much larger than what was taken from them
    call->parameters = NULL;
}

void routes_handle(Call *call)
{
    const Request *request = call->request;
    call->route = routes_find(request);
    bool known = call->route != ROUTES, posted = known && routes[call->route].posted;
    // Browsers ask for /favicon.ico beside what is no page.
    if (request_is_for(request, "/favicon.ico") || (known && is_method(request, "OPTIONS"))) {
        call->job.response.status = HTTP_NO_CONTENT;
    } else if (!known) {
        response_error(&call->job.response, HTTP_NOT_FOUND, "Not found");
    } else if (posted ? !is_method(request, "POST")
                      : !is_method(request, "GET") && !is_method(request, "HEAD")) {
        response_error(&call->job.response, HTTP_METHOD_NOT_ALLOWED, "Method not allowed");
        call->job.response.allow = routes_methods(call->route);
    } else if (atomic_load(&call->service->closing)) {
        response_ending(&call->job.response);
    } else {
        call->job.models = service_models(call->service);
        if (posted)
            handle_posted(call);
        else
            routes[call->route].handle(call);
    }
}
