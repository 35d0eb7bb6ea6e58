#include "serve/api/routes.h"

#include "base/clock.h"
#include "serve/api/answer.h"
#include "serve/service/metrics.h"
#include "serve/service/queue.h"
#include "serve/service/rate_limit.h"

#include <string.h>

// POST /translate: texts to their translations.
static void translate(Call *call)
{
    if (!call_read_texts(call) || !call_read_format(call) || !call_read_languages(call) ||
        !call_read_alternatives(call) ||
        (call->job.alignment && !call_check_aligned(call, call->characters)))
        return;
    if (language_code_equal(&call->source, &call->target))
        answer_unchanged(&call->job);
    else
        call_wait(call);
}

// POST /align: texts and their translations to the links between their words.
static void align(Call *call)
{
    if (call_read_texts(call) && call_check_aligned(call, call->characters) &&
        call_read_translations(call) && call_read_languages(call))
        call_wait(call);
}

// POST /detect: the language of a text.
static void detect(Call *call)
{
    const Detection *detection = call_read_texts(call) ? call_detect(call) : NULL;
    if (!detection) return;
    json_t *list = json_array();
    for (size_t i = 0; i < detection->count; i++)
        json_array_append_new(list, answer_language(&detection->found[i]));
    response_json(&call->job.response, list);
}

// The languages that a language is translated into: by a model, and into itself, unchanged.
static json_t *targets_of(ServedModels *models, const LanguageCode *source)
{
    json_t *targets = json_array();
    for (size_t i = 0; i < models->language_count; i++) {
        const LanguageCode *target = &models->languages[i];
        if (language_code_equal(source, target) || served_models_find(models, source, target))
            json_array_append_new(targets, json_string(target->text));
    }
    return targets;
}

// GET /languages: what can be translated into what.
static void show_languages(Call *call)
{
    ServedModels *models = call->job.models;
    json_t *list = json_array();
    for (size_t i = 0; i < models->language_count; i++) {
        const LanguageCode *code = &models->languages[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "code", code->text, "name",
                                              language_code_name(code), "targets",
                                              targets_of(models, code)));
    }
    response_json(&call->job.response, list);
}

// GET /frontend/settings: what LibreTranslate's page and other clients ask first, and what our page
// asks beside it.
static void show_settings(Call *call)
{
    const ServiceOptions *options = &call->service->options;
    const LanguageCode *target = &call->job.models->items[0].languages[1];
    bool keyed = options->api_keys != NULL;
    response_json(
        &call->job.response,
        json_pack("{s:b, s:I, s:I, s:b, s:I, s:b, s:b, s:[], s:{s:{s:s, s:s}, s:{s:s, s:s}}}",
                  "apiKeys", keyed, "charLimit", (json_int_t)options->max_characters,
                  "alignmentCharLimit", (json_int_t)(options->max_characters / ALIGNED_PART),
                  "filesTranslation", 0, "frontendTimeout", (json_int_t)500, "keyRequired", keyed,
                  "suggestions", 0, "supportedFilesFormat", "language", "source", "code", "auto",
                  "name", "Auto Detect", "target", "code", target->text, "name",
                  language_code_name(target)));
}

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

const char *const route_paths[ROUTES] = {
    "/translate", "/align",   "/detect", "/languages", "/frontend/settings",
    "/health",    "/metrics", "/spec",   "/"};

// In the order of route_paths.
static const struct {
    void (*handle)(Call *call);
    bool posted; // by POST, with parameters, if need be with a key; else by GET
} table[ROUTES] = {{translate, true},      {align, true},
                   {detect, true},         {show_languages, false},
                   {show_settings, false}, {show_health, false},
                   {show_metrics, false},  {show_specification, false},
                   {show_page, false}};

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
        table[call->route].handle(call);
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
    if (call->route == ROUTES) {
        response_error(&call->job.response, HTTP_NOT_FOUND, "Not found");
    } else if (is_method(request, "OPTIONS")) {
        call->job.response.status = HTTP_NO_CONTENT;
    } else if (table[call->route].posted
                   ? !is_method(request, "POST")
                   : !is_method(request, "GET") && !is_method(request, "HEAD")) {
        response_error(&call->job.response, HTTP_METHOD_NOT_ALLOWED, "Method not allowed");
        call->job.response.allow = routes_methods(request);
    } else if (atomic_load(&call->service->closing)) {
        response_ending(&call->job.response);
    } else {
        call->job.models = service_models(call->service);
        if (table[call->route].posted)
            handle_posted(call);
        else
            table[call->route].handle(call);
    }
}
