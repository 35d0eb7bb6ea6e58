#define _GNU_SOURCE
#include "simulation/queries.h"

#include "cli/model_options.h"
#include "serve/api/routes.h"
#include "serve/service/job.h"

#include "support/scratch.h"
#include "support/small_translator.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define JSON "application/json"
#define HOUSES "das Haus ist klein\\ndie Katze schl\u00e4ft nicht\\n"
#define MANY_HOUSES HOUSES HOUSES HOUSES HOUSES HOUSES HOUSES HOUSES HOUSES HOUSES HOUSES

const Query queries[QUERIES] = {
    {"GET", "/metrics", NULL, "", 200, BODY_VARIES},
    {"POST", "/suggest", NULL, "q=ein+Tag&s=a+fine+day&source=de&target=en", 200, BODY_SAME},
    {"POST", "/translate", NULL, "q=ein+Tag&source=de&target=en", 200, BODY_VARIES},
    {"POST", "/translate", NULL, "q=das+Haus&source=de&target=en", 200, BODY_SAME},
    {"POST", "/translate?q=das+Haus&source=de&target=en", NULL, "", 200, BODY_SAME},
    {"POST", "/translate", NULL, "q=die+Katze&source=de&target=en&alternatives=2", 200, BODY_SAME},
    {"POST", "/translate", JSON,
     "{\"q\":[\"wir gehen\",\"das Haus\"],\"source\":\"auto\",\"target\":\"en\"}", 200, BODY_SAME},
    {"POST", "/translate", NULL, "q=das+Haus&source=de&target=en&alignment=1", 200, BODY_SAME},
    {"POST", "/translate", NULL,
     "q=%3Cp%3Edas+%3Cb%3EHaus%3C/b%3E%3C/p%3E&format=html&source=de&target=en", 200, BODY_SAME},
    {"POST", "/translate", NULL, "q=das+Haus&source=de&target=fr", 200, BODY_SAME},
    {"POST", "/translate", NULL, "q=the+house&source=en&target=fr", 200, BODY_SAME},
    {"POST", "/translate", NULL, "q=das+Haus&source=de&target=de", 200, BODY_SAME},
    {"POST", "/translate", JSON, "{\"q\":\"" MANY_HOUSES "\",\"source\":\"de\",\"target\":\"en\"}",
     200, BODY_SAME},
    {"POST", "/translate", JSON,
     "{\"q\":\"" MANY_HOUSES MANY_HOUSES "\",\"source\":\"de\",\"target\":\"fr\"}", 200, BODY_SAME},
    {"POST", "/align", NULL, "q=das+Haus&translation=the+house&source=de&target=en", 200,
     BODY_SAME},
    {"POST", "/inspect", NULL, "q=das+Haus&source=de&target=en&step=0", 200, BODY_SAME},
    {"POST", "/detect", NULL, "q=wir+gehen+nicht", 200, BODY_SAME},
    {"GET", "/languages", NULL, "", 200, BODY_SAME},
    {"GET", "/frontend/settings", NULL, "", 200, BODY_SAME},
    {"GET", "/health", NULL, "", 200, BODY_SAME},
    {"GET", "/nothing", NULL, "", 404, BODY_SAME},
    {"GET", "/translate", NULL, "", 405, BODY_SAME},
    {"OPTIONS", "/translate", NULL, "", 204, BODY_SAME},
    {"POST", "/translate", JSON, "{\"q\":", 400, BODY_SAME},
    {"POST", "/translate", NULL, "q=das+Haus&source=xx&target=en", 400, BODY_SAME},
    {"POST", "/translate", NULL, "", 413, BODY_REFUSED},
};

static const char *files[MODELS][VERSIONS];
static char (*answers)[VERSIONS][MAX_ANSWER]; // shared by all processes

static void write_models(void)
{
    static const char *const languages[MODELS][2] = {{"de", "en"}, {"en", "fr"}};
    char name[32], training[128];
    for (size_t model = 0; model < MODELS; model++)
        for (size_t version = 0; version < (model ? 1 : VERSIONS); version++) {
            SmallTranslator translator;
            small_translator_new(&translator, 2, 1 + model + 10 * version);
            // so that sentences end
            translator.model.params.output.bias[TOKEN_EOS] = (real)0.5;
            (void)snprintf(name, sizeof name, "model-%zu-%zu", model, version);
            (void)snprintf(training, sizeof training,
                           "{\"source_language\": \"%s\", \"target_language\": \"%s\"}",
                           languages[model][0], languages[model][1]);
            files[model][version] = scratch_path(name);
            small_translator_save(&translator, files[model][version], training);
            small_translator_free(&translator);
        }
}

void queries_ask(Service *service, const Query *asked, char text[MAX_ANSWER])
{
    const Request request = {.method = asked->method,
                             .target = asked->target,
                             .content_type = asked->type,
                             .client = "",
                             .body = text_view_of(asked->body)};
    Call call = {.service = service, .request = &request};
    routes_handle(&call);
    if (call.waits) batch_run(&call.job, &service->options.translate);
    const Response *response = &call.job.response;
    ck_assert_msg(response->status == asked->status, "%s %s: %u %s", asked->target, asked->body,
                  response->status, bytes_text(&response->body));
    ck_assert_uint_lt(response->body.length, MAX_ANSWER);
    strcpy(text, bytes_text(&response->body));
    call_free(&call);
}

const char *queries_model(size_t model, size_t version)
{
    return files[model][model ? 0 : version];
}

Service *queries_service(size_t version, const char *corrections)
{
    static const char *paths[MODELS];
    ServiceOptions options = {
        .models = {.paths = paths, .count = MODELS, .threads = 1, .precision = PRECISION_FLOAT32},
        .translate = TRANSLATE_OPTIONS_DEFAULT,
        .memories = {.corrections = corrections},
        .max_body = 50 * MAX_CHARACTERS,
        .max_characters = MAX_CHARACTERS,
        .max_texts = 1000,
        .max_queue = 1000,
        .timeout = 60};
    Service *service;
    Error error = {0};
    for (size_t model = 0; model < MODELS; model++) paths[model] = queries_model(model, version);
    options.translate.split = SPLIT_SENTENCES;
    options.translate.search.beam = BEAM;
    ck_assert_msg(!service_new(&service, &options, &error), "%s", error.text);
    return service;
}

static void compute_answers(void)
{
    const char *corrections = scratch_path("corrections");
    for (size_t version = 0; version < VERSIONS; version++) {
        Service *service = queries_service(version, corrections);
        for (size_t query = 0; query < QUERIES; query++)
            if (queries[query].kind != BODY_REFUSED && query != QUERY_SUGGEST)
                queries_ask(service, &queries[query], answers[query][version]);
        strcpy(answers[QUERY_SUGGEST][version], "{\"success\":true}\n");
        service_free(service);
    }
    scratch_remove();
}

void queries_prepare(void)
{
    int status;
    json_set_alloc_funcs(malloc, free); // which can be made to fail
    json_watch();
    write_models();
    answers = mmap(NULL, sizeof *answers * QUERIES, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(answers, MAP_FAILED);
    // another process, so that those that are forked have what a program has when it begins
    pid_t child = fork();
    if (child == 0) {
        compute_answers();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

const char *queries_answer(size_t query, size_t version)
{
    return answers[query][version];
}
