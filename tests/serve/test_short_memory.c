// Memory that is short anywhere between a request and its answer: that is as ever, or 500.

#include "serve/service/job.h"
#include "serve/service_case.h"

#include "support/failing_malloc.h"

#define PAIR "source=de&target=en"
#define TEXT "q=das+Haus&" PAIR

typedef struct Asked {
    const char *method, *target, *body;
} Asked;

static const Asked asked[] = {
    {"POST", "/translate?" TEXT, ""},
    {"POST", "/translate", TEXT "&alternatives=2&prefix=the"},
    {"POST", "/translate", TEXT "&alignment=1"},
    {"POST", "/translate", "q=3&source=auto&target=en"},
    {"POST", "/translate", "q=das+Haus&source=de&target=de&alternatives=1"},
    {"POST", "/translate", "q=das+Haus&source=de&target=zh&alignment=1"},
    {"POST", "/translate",
     "{\"q\":[\"das\",\"Haus\"],\"source\":\"de\",\"target\":\"zh\",\"alignment\":true}"},
    {"POST", "/translate",
     "{\"q\":[\"a\",\"\"],\"source\":\"auto\",\"target\":\"en\",\"alternatives\":1}"},
    {"POST", "/translate",
     "{\"q\":\"das Haus\",\"source\":\"de\",\"target\":\"en\",\"glossary\":{\"Haus\":\"home\"},"
     "\"what_if\":{\"forbid\":[\"1:the\"]}}"},
    {"POST", "/translate", "q=<p>das+<b>Haus</b>&format=html&uncertain=1&source=auto&target=en"},
    {"POST", "/align", TEXT "&translation=the+house"},
    {"POST", "/align",
     "{\"q\":[\"a\"],\"translation\":[\"b\"],\"source\":\"de\",\"target\":\"en\"}"},
    {"POST", "/translate", "q=das+Haus+ist+klein.+Die+Katze.%0Adie+Katze&" PAIR "&alignment=1"},
    {"POST", "/translate", "q=<p>das<p>Haus&format=html&source=auto&target=en"},
    {"POST", "/inspect", TEXT "&step=0"},
    {"POST", "/inspect",
     "{\"q\":\"das\",\"source\":\"de\",\"target\":\"en\",\"step\":0,"
     "\"what_if\":{\"force\":[\"0:the\"]}}"},
    {"POST", "/detect", "q=das+Haus"},
    {"POST", "/translate", "q=%ff"},
    {"POST", "/suggest", "q=a&s=b&" PAIR},
    {"POST", "/translate", "{\"q\":[\"a\",1],\"source\":\"de\",\"target\":\"en\"}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"alignment\":\"TRUE\",\"format\":"
     "\"text\"}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"alignment\":\"0\",\"format\":\"pdf\"}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"alternatives\":null}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"alternatives\":1.5}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"alternatives\":\"\"}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"alternatives\":\"x\"}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"alternatives\":\"1x\"}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"alternatives\":\"99999999999999999999\"}"},
    {"POST", "/translate", "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"alternatives\":-1}"},
    {"POST", "/translate", "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"alternatives\":3}"},
    {"POST", "/translate", "q=a&source=&target=en"},
    {"POST", "/translate", "q=a&source=de"},
    {"POST", "/translate", "q=a&source=de&target="},
    {"POST", "/translate", "q=a&target=en"},
    {"POST", "/translate", "q=a&source=zh&target=en"},
    {"POST", "/translate", "q=a&source=xx&target=en"},
    {"POST", "/translate", "q=a&source=auto&target=xx"},
    {"POST", "/translate", "q=a%0Ab&prefix=c&source=de&target=en"},
    {"POST", "/translate", "q=a&prefix=c&format=html&source=de&target=en"},
    {"POST", "/translate", "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"glossary\":1}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"glossary\":{\"a\":1}}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"glossary\":{},\"what_if\":{}}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"glossary\":null,\"what_if\":null,"
     "\"prefix\":null}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"glossary\":{\"\":\"b\"}}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"zh\",\"glossary\":{\"a\":\"b\"}}"},
    {"POST", "/translate", "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"what_if\":1}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"what_if\":{\"no\":[]}}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"what_if\":{\"force\":1}}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"what_if\":{\"force\":[1]}}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"what_if\":{\"attend\":[\"0:0\"],\"forbid_"
     "source\":[\"a\"]}}"},
    {"POST", "/translate",
     "{\"q\":\"a\",\"source\":\"de\",\"target\":\"en\",\"what_if\":{\"forbid_sourc\":[]}}"},
    {"POST", "/translate", "{\"q\":[\"a\"],\"source\":\"de\",\"target\":\"en\",\"what_if\":{}}"},
    {"POST", "/translate",
     "{\"q\":\"<p>a\",\"format\":\"html\",\"source\":\"de\",\"target\":\"en\",\"what_if\":{}}"},
    {"POST", "/translate", "{\"q\":\"a\\nb\",\"source\":\"de\",\"target\":\"en\",\"what_if\":{}}"},
    {"POST", "/translate", "{\"q\":\"a\",\"source\":\"de\",\"target\":\"zh\",\"what_if\":{}}"},
    {"POST", "/inspect", "q=a&source=de&target=zh"},
    {"POST", "/inspect", "q=a&source=de&target=de"},
    {"POST", "/inspect", "q=a&source=de&target=en&step=x"},
    {"POST", "/inspect", "q=&source=de&target=en"},
    {"POST", "/inspect", "q=a&source=xx&target=en"},
    {"POST", "/inspect", "q=%C3%A9%E2%82%AC&source=de&target=en&step=900"},
    {"POST", "/align", "q=a&source=de&target=en"},
    {"POST", "/align", "q=a&translation=b&source=de&target=zh"},
    {"POST", "/align", "q=a&translation=b&source=de"},
    {"POST", "/align",
     "{\"q\":[\"a\",\"b\"],\"translation\":[\"b\"],\"source\":\"de\",\"target\":\"en\"}"},
    {"POST", "/align", "{\"q\":[\"a\"],\"translation\":\"b\",\"source\":\"de\",\"target\":\"en\"}"},
    {"POST", "/align", "source=de&target=en"},
    {"POST", "/suggest", "{\"q\":[\"a\"],\"s\":\"b\",\"source\":\"de\",\"target\":\"en\"}"},
    {"POST", "/suggest", "s=b&source=de&target=en"},
    {"POST", "/suggest", "q=a&s=b&source=xx&target=en"},
    {"POST", "/suggest", "q=a&s=b&source=de&target=zh"},
    {"POST", "/suggest", "q=a%0Ab&s=b&source=de&target=en"},
    {"POST", "/suggest", "q=a&s=+&source=de&target=en"},
    {"POST", "/suggest", "q=a&source=de&target=en"},
    {"POST", "/detect", ""},
    {"POST", "/detect", "q=%zz%4"},
    {"POST", "/translate", "{\"a\":[]}"},
    {"POST", "/translate", "q=a%00&source=de&target=en"},
    {"GET", "/languages", ""},
    {"GET", "/frontend/settings", ""},
    {"GET", "/health", ""},
    {"GET", "/metrics", ""},
    {"GET", "/spec", ""},
    {"GET", "/", ""},
};

static Response answer(const Asked *question)
{
    const Request request = request_of(question->method, question->target, question->body);
    Call call = {.service = service, .request = &request};
    routes_handle(&call);
    if (call.waits) batch_run(&call.job, &service->options.translate);
    Response response = call.job.response;
    call.job.response = (Response){0};
    call_free(&call);
    return response;
}

static void set_up(void)
{
    set_options();
    service_options.models.count = 3;
    service_options.memories.corrections = scratch_path("corrections");
    service_options.translate.search.beam = 2;
    open_service();
}

static void prepare(void)
{
    json_set_alloc_funcs(malloc, free); // so that Jansson's allocations fail too
    write_three_models();
}

TESTS_SHARE(prepare, .before = set_up, .after = close_service)

// Whether the answer is right, or says that memory was short, which it was.
static void expect_answer(const Response *response, const Response *whole, bool failed)
{
    if (failed && response->status == 500) return;
    ck_assert_uint_eq(response->status, whole->status);
    ck_assert_str_eq(bytes_text(&response->body), bytes_text(&whole->body));
}

TEST(requests, .times = sizeof asked / sizeof *asked, .seconds = 60)
{
    Response whole = answer(&asked[_i]);
    while (failing_malloc_next()) {
        Response response = answer(&asked[_i]);
        expect_answer(&response, &whole, failing_malloc_stop());
        response_free(&response);
    }
    response_free(&whole);
}

// Of jobs that fail together each is tried alone.
TEST(batch, .seconds = 60)
{
    static const char *const targets[] = {
        "/translate?" TEXT, "/translate?q=das&" PAIR "&alignment=1", "/translate?q=die&" PAIR};
    enum { COUNT = sizeof targets / sizeof *targets };
    Request requests[COUNT];
    Response whole[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        requests[i] = request_of("POST", targets[i], "");
        whole[i] = answer(&(Asked){"POST", targets[i], ""});
    }
    while (failing_malloc_next()) {
        Call calls[COUNT];
        Job *jobs = NULL, **last = &jobs;
        for (size_t i = 0; i < COUNT; i++) {
            calls[i] = (Call){.service = service, .request = &requests[i]};
            routes_handle(&calls[i]);
            if (!calls[i].waits) continue;
            *last = &calls[i].job;
            last = &calls[i].job.next;
        }
        batch_run(jobs, &service->options.translate);
        bool failed = failing_malloc_stop();
        for (size_t i = 0; i < COUNT; i++) {
            expect_answer(&calls[i].job.response, &whole[i], failed);
            call_free(&calls[i]);
        }
    }
    for (size_t i = 0; i < COUNT; i++) response_free(&whole[i]);
}

TEST(opening, .seconds = 60)
{
    char named[300];
    const char *files[] = {named};
    const MemoryChoice choice = {files, 1, scratch_text("corrections", "a\tb\tde-en\n")};
    (void)snprintf(named, sizeof named, "de-en=%s", scratch_text("memory.tsv", "c\td\n"));
    while (failing_malloc_next()) {
        ServedModels *models = NULL;
        Status status = served_models_open(&models, &service->options.models, NULL);
        if (!status) status = memories_read(models, &choice, NULL);
        if (!status) status = corrections_read(models, choice.corrections, NULL);
        served_models_release(models);
        failing_malloc_expect(status);
    }
}

TEST(start, .seconds = 60)
{
    const char *memory = scratch_text("memory", "a\tb\n");
    service_options.models.count = 1;
    service_options.memories.files = &memory;
    service_options.memories.count = 1;
    service_options.api_keys = scratch_text("keys", "one\ntwo\n");
    while (failing_malloc_next()) {
        Service *other;
        if (!failing_malloc_expect(service_new(&other, &service_options, NULL)))
            service_free(other);
    }
}

// Also of few words, whose spelling tells, or the subwords of models.
TEST(detection, .seconds = 60)
{
    static const char *const files[] = {"models/en-fr.safetensors", "models/fr-en.safetensors",
                                        "models/zh-en.safetensors"};
    static const char *const texts[] = {
        "fromage",       "Bonne nuit",      "cheese",        "\u665a\u5b89", "12",
        "\u00e9t\u00e9", "Gr\u00fc\u00dfe", "the le \u665a", "xq",           ""};
    const ModelChoice choice = {.paths = files, .count = 3, .threads = 1};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const TextView text[2] = {{texts[i], strlen(texts[i])}, {texts[i], strlen(texts[i])}};
        Detection whole = {0};
        ServedModels *models;
        assert_ok(served_models_open(&models, &choice, NULL));
        while (failing_malloc_next()) {
            Detection detection = {0};
            Status status = detection_set(&detection, models, text, 2, NULL);
            if (!failing_malloc_expect(status))
                whole = detection;
            else
                language_evidence_free(&detection.evidence);
        }
        ck_assert_uint_gt(whole.count, 0);
        language_evidence_free(&whole.evidence);
        served_models_release(models);
    }
}
