// Jobs that are worked on together.

#include "serve/service/job.h"
#include "serve/service_case.h"

static void set_up(void)
{
    set_options();
    service_options.models.count = 3;
    open_service();
}

TESTS_SHARE(write_three_models, .before = set_up, .after = close_service)

// What a job is answered does not depend on what the others of its batch ask for.
TEST(mixed)
{
    static const struct {
        const char *path, *body;
    } mixed[] = {
        {"/translate", "q=das+Haus&source=de&target=en&prefix=the"},
        {"/translate", "q=das+Haus&source=de&target=en"},
        {"/translate", "q=das+Haus&source=de&target=en&alignment=1"},
        {"/align", "q=das+Haus&source=de&target=en&translation=the+house"},
        {"/translate", "q=die+Katze&source=de&target=en&alternatives=2"},
        {"/translate", "{\"q\":\"das Haus\",\"source\":\"de\",\"target\":\"en\","
                       "\"glossary\":{\"Haus\":\"home\"}}"},
        {"/translate", "q=die+Katze&source=de&target=en"},
        {"/translate", "q=das+Haus&source=de&target=zh"},
        {"/inspect", "q=das+Haus&source=de&target=en&step=0"},
        {"/translate", "{\"q\":\"das Haus\",\"source\":\"de\",\"target\":\"en\","
                       "\"what_if\":{\"force\":[\"0:dog\"]}}"},
        {"/translate", "q=die+Katze&source=de&target=zh&alignment=1"},
        {"/translate", "q=%3Cp%3Edas+%3Cb%3EHaus&format=html&source=de&target=en"},
    };
    enum { MIXED = sizeof mixed / sizeof *mixed };
    Request requests[MIXED];
    Call calls[MIXED];
    for (size_t i = 0; i < MIXED; i++) {
        requests[i] = request_of("POST", mixed[i].path, mixed[i].body);
        calls[i] = (Call){.service = service, .request = &requests[i]};
        routes_handle(&calls[i]);
        ck_assert(calls[i].waits);
        if (i > 0) calls[i - 1].job.next = &calls[i].job;
    }
    batch_run(&calls[0].job, &service->options.translate);
    for (size_t i = 0; i < MIXED; i++) {
        Response alone = respond("POST", mixed[i].path, mixed[i].body);
        const Response *answer = &calls[i].job.response;
        ck_assert_str_eq(bytes_text(&alone.body), bytes_text(&answer->body));
        ck_assert_uint_eq(answer->status, 200);
        response_free(&alone);
        call_free(&calls[i]);
    }
}

static bool always(void *context)
{
    (void)context;
    return true;
}

// A job that nobody waits for is not worked on.
TEST(client_gone)
{
    Request request = request_of("POST", "/translate?source=de&target=en&q=das+Haus", "");
    Call call = {.service = service, .request = &request};
    routes_handle(&call);
    ck_assert(call.waits);
    call.job.gone = always;
    wait_for(&call);
    ck_assert_uint_eq(call.job.response.status, 499);
    Response metrics = respond("GET", "/metrics", "");
    assert_contains(bytes_text(&metrics.body), "\nregard_batches_total 0\n");
    response_free(&metrics);
    call_free(&call);
}
