/* What the tests of routes share: a service with two small models, German → English and English →
 * German, which know placeholders, with a third, English → Chinese, if it is asked for, and requests
 * to it without a socket. */
#pragma once

#include "serve/api/routes.h"

#include "support/scratch.h"
#include "support/small_translator.h"
#include "support/suite.h"

#include <semaphore.h>
#include <string.h>

static const char *paths[3];
static Service *service;
static ServiceOptions service_options;

static void write_models(void)
{
    SmallTranslator translator;
    small_translator_new_with(
        &translator, (const char *const[]){PLACEHOLDER_SENTENCE, PLACEHOLDER_SENTENCE}, 1, 1);
    paths[0] = scratch_path("de-en");
    paths[1] = scratch_path("en-de");
    small_translator_save(
        &translator, paths[0],
        "{\"source_language\": \"de\", \"target_language\": \"en\","
        " \"confidence\": {\"text\": [0, 0, 0, 0, 0], \"word\": [-9, 0, 0, 0, 0]}}");
    small_translator_save(&translator, paths[1],
                          "{\"source_language\": \"en-GB\", \"target_language\": \"ger\"}");
    small_translator_free(&translator);
}

static inline void write_three_models(void)
{
    SmallTranslator translator;
    write_models();
    small_translator_new_with(
        &translator, (const char *const[]){PLACEHOLDER_SENTENCE, PLACEHOLDER_SENTENCE}, 1, 2);
    paths[2] = scratch_path("en-zh");
    small_translator_save(&translator, paths[2],
                          "{\"source_language\": \"en\", \"target_language\": \"zh\","
                          " \"confidence\": {\"text\": [0, 0, 0, 0, 0],"
                          " \"word\": [-9, 0, 0, 0, 0]}}");
    small_translator_free(&translator);
}

static void set_options(void)
{
    service_options = (ServiceOptions){
        .models = {.paths = paths, .count = 2, .threads = 1, .precision = PRECISION_FLOAT32},
        .translate = {.search = {.beam = 3,
                                 .batch = 8,
                                 .length_normalization = 1,
                                 .sampling = {.temperature = 1}},
                      .n_best = 1},
        .max_body = 100000,
        .max_characters = 500,
        .max_texts = 20,
        .max_queue = 10,
        .timeout = 60};
}

static void open_service(void)
{
    Error error = {0};
    ck_assert_msg(!service_new(&service, &service_options, &error), "%s", error.text);
}

// With the options of set_options.
static inline void open_default_service(void)
{
    set_options();
    open_service();
}

static inline void close_service(void)
{
    service_free(service);
}

static void post(void *context)
{
    sem_post(context);
}

// A body that begins with a brace is JSON, another a form.
static inline Request request_of(const char *method, const char *target, const char *body)
{
    return (Request){.method = method,
                     .target = target,
                     .content_type = *body == '{' ? "application/json" : NULL,
                     .client = "127.0.0.1",
                     .body = text_view_of(body)};
}

// Puts the job of a call into the queue, and waits until it is answered.
static inline void wait_for(Call *call)
{
    sem_t answered;
    sem_init(&answered, 0, 0);
    call->job.answered = post;
    call->job.context = &answered;
    ck_assert(service_put(service, &call->job));
    while (sem_wait(&answered)) continue;
    sem_destroy(&answered);
}

// The response to a request, freed by response_free; a job is waited for.
static Response respond(const char *method, const char *target, const char *body)
{
    Request request = request_of(method, target, body);
    Call call = {.service = service, .request = &request};
    routes_handle(&call);
    if (call.waits) wait_for(&call);
    Response response = call.job.response;
    call.job.response = (Response){0};
    call_free(&call);
    return response;
}

// The JSON of a response with this status; released by the caller.
static inline json_t *respond_json(const char *method, const char *target, const char *body,
                                   unsigned status)
{
    Response response = respond(method, target, body);
    ck_assert_msg(response.status == status, "%s %s: %u %s", target, body, response.status,
                  bytes_text(&response.body));
    json_t *json = json_loadb(response.body.data, response.body.length, 0, NULL);
    ck_assert_ptr_nonnull(json);
    response_free(&response);
    return json;
}

static inline void expect_error(const char *target, const char *body, unsigned status,
                                const char *message)
{
    json_t *json = respond_json("POST", target, body, status);
    const char *text = json_string_value(json_object_get(json, "error"));
    ck_assert_msg(text && strstr(text, message), "%s: %s", body, text);
    json_decref(json);
}
