// Jobs that are worked on together.

#include "serve/service/batch.h"
#include "serve/service_case.h"

enum { MIXED = 4 };

TESTS_SHARE(write_models, .before = open_default_service, .after = close_service)

// What a job is answered does not depend on what the others of its batch ask for.
TEST(mixed)
{
    static const char *const bodies[MIXED] = {
        "q=das+Haus&source=de&target=en", "q=das+Haus&source=de&target=en&alignment=1",
        "q=das+Haus&source=de&target=en&translation=the+house",
        "q=die+Katze&source=de&target=en&alternatives=2"};
    Request requests[MIXED];
    Call calls[MIXED];
    for (size_t i = 0; i < MIXED; i++) {
        requests[i] = (Request){.method = "POST",
                                .target = i == 2 ? "/align" : "/translate",
                                .client = "127.0.0.1",
                                .body = {bodies[i], strlen(bodies[i])}};
        calls[i] = (Call){.service = service, .request = &requests[i]};
        routes_handle(&calls[i]);
        ck_assert(calls[i].waits);
        if (i > 0) calls[i - 1].job.next = &calls[i].job;
    }
    batch_run(&calls[0].job, &service->options.translate);
    for (size_t i = 0; i < MIXED; i++) {
        Response alone = respond("POST", requests[i].target, bodies[i]);
        const Response *mixed = &calls[i].job.response;
        ck_assert_str_eq(bytes_text(&alone.body), bytes_text(&mixed->body));
        ck_assert_uint_eq(mixed->status, 200);
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
    Request request = {.method = "POST",
                       .target = "/translate?source=de&target=en&q=das+Haus",
                       .client = "127.0.0.1"};
    Call call = {.service = service, .request = &request};
    sem_t answered;
    sem_init(&answered, 0, 0);
    routes_handle(&call);
    ck_assert(call.waits);
    call.job.gone = always;
    call.job.answered = post;
    call.job.context = &answered;
    ck_assert(service_put(service, &call.job));
    while (sem_wait(&answered)) continue;
    ck_assert_uint_eq(call.job.response.status, 499);
    Response metrics = respond("GET", "/metrics", "");
    assert_contains(bytes_text(&metrics.body), "\nregard_batches_total 0\n");
    response_free(&metrics);
    sem_destroy(&answered);
    call_free(&call);
}
