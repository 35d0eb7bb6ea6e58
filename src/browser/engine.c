#include "browser/engine.h"

#include "base/memory.h"
#include "browser/given_files.h"
#include "serve/api/call.h"

#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

// Whether what is worked on is not wanted any more; the page's.
__attribute__((import_module("page"), import_name("cancelled"))) int page_cancelled(void);

enum { MAX_CHARACTERS = 200000, MAX_TEXTS = 1000 };

static Service service;
static Response answer;
static const char *paths[MAX_GIVEN_FILES];
static size_t path_count;

static bool is_cancelled(void *context)
{
    (void)context;
    return page_cancelled() != 0;
}

static unsigned answer_status(Status status, const Error *error)
{
    if (status)
        response_failure(&answer, error, HTTP_BAD_REQUEST);
    else
        response_json(&answer, json_object());
    return answer.status;
}

EXPORT(reserve) void *engine_reserve(size_t bytes)
{
    return memory_aligned(bytes, 1);
}

EXPORT(release) void engine_release(void *memory)
{
    memory_free(memory);
}

EXPORT(give) unsigned engine_give(char *name, char *bytes, size_t size)
{
    Error error;
    if (path_count == MAX_GIVEN_FILES) path_count = 0;
    char *path = memory_copy_string(name, strlen(name));
    paths[path_count] = name;
    if (!path) return answer_status(error_memory(&error, strlen(name), "a name"), &error);
    Status status = given_file_add(path, bytes, size, &error);
    if (!status) path_count++;
    return answer_status(status, &error);
}

EXPORT(open) unsigned engine_open(void)
{
    static const Cancel cancels[LANES] = {{is_cancelled, NULL}, {is_cancelled, NULL}};
    const ModelChoice choice = {.paths = paths,
                                .count = path_count,
                                .threads = 1,
                                .precision = PRECISION_INT8,
                                .cancels = cancels};
    Error error;
    served_models_release(service.models);
    service.models = NULL;
    service.options = (ServiceOptions){.models = choice,
                                       .translate = TRANSLATE_OPTIONS_DEFAULT,
                                       .max_characters = MAX_CHARACTERS,
                                       .max_texts = MAX_TEXTS};
    service.options.translate.search.batch = 8; // more take more memory
    service.options.translate.split = SPLIT_SENTENCES;
    json_watch();
    Status status = served_models_open(&service.models, &choice, &error);
    for (size_t i = 0; i < path_count; i++) memory_free((char *)paths[i]);
    path_count = 0;
    return answer_status(status, &error);
}

// What a path is answered by: as on the server, or by the engine alone, which learns without a model.
static const struct {
    const char *path;
    void (*handle)(Call *call);
    OwnAnswer *answer;
    bool without_models;
} table[] = {{"translate", handle_translate, NULL, false},
             {"align", handle_align, NULL, false},
             {"inspect", handle_inspect, NULL, false},
             {"detect", handle_detect, NULL, false},
             {"languages", handle_languages, NULL, false},
             {"frontend/settings", handle_settings, NULL, false},
             {"translate-line", NULL, line_translate, false},
             {"learn", NULL, learning_begin, true},
             {"learn/step", NULL, learning_step, true},
             {"learn/watch", NULL, learning_watch, true}};

// Answers a call of the server's API.
static void handle(void (*handle_call)(Call *call), json_t *parameters)
{
    Call call = {.service = &service, .parameters = json_incref(parameters)};
    call.job.models = service.models;
    atomic_fetch_add(&service.models->references, 1);
    handle_call(&call);
    if (call.waits) batch_run(&call.job, &service.options.translate);
    response_free(&answer);
    answer = call.job.response;
    call.job.response = (Response){0};
    call_free(&call);
}

EXPORT(ask) unsigned engine_ask(const char *path, const char *body, size_t length)
{
    Error error;
    FREED_BY(json_decref_at) json_t *parameters = NULL;
    size_t row = 0, rows = sizeof table / sizeof *table;
    while (row < rows && strcmp(table[row].path, path) != 0) row++;
    if (row == rows || (!service.models && !table[row].without_models))
        return answer_status(
            error_set(&error, STATUS_ARGUMENT, "there is no model, or no such question"), &error);
    Status status = json_parse(&parameters, body, length, "Invalid request", "the body", &error);
    if (!status && table[row].handle)
        handle(table[row].handle, parameters);
    else if (!status)
        status = table[row].answer(&answer, &service, parameters, &error);
    return status ? answer_status(status, &error) : answer.status;
}

EXPORT(file) const char *engine_file(const char *name)
{
    return given_file_view(name).data;
}

EXPORT(file_length) size_t engine_file_length(const char *name)
{
    return given_file_view(name).length;
}

EXPORT(answer) const char *engine_answer(void)
{
    return bytes_text(&answer.body);
}

EXPORT(answer_length) size_t engine_answer_length(void)
{
    return answer.body.length;
}
