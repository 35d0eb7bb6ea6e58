// Long jobs and short ones do not wait for each other, and neither is worked on in vain.

#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"
#include "serve/service_case.h"

#include <time.h>

static char long_query[4000];

static void set_up(void)
{
    size_t length = strlen(strcpy(long_query, "/translate?source=de&target=en&q=das"));
    while (length + 10 < sizeof long_query) length += strlen(strcpy(long_query + length, "+Haus"));
    set_options();
    service_options.max_characters = sizeof long_query;
    service_options.timeout = 20;
    open_service();
}

TESTS_SHARE(write_models, .before = set_up, .after = close_service)

// A client, asked whether it has gone.
typedef struct Client {
    sem_t answered, released;
    atomic_size_t asked;
    size_t patience; // goes when it has been asked so often; 0: never
    double slow;     // seconds that asking takes
    bool waits;      // until `released`, when it is asked first
    bool waited_in_vain;
    bool holds; // its thread, once it is answered, until `released`
    Request request;
    Call call;
} Client;

static void answered(void *context)
{
    Client *client = context;
    bool holds = client->holds;
    sem_post(&client->answered);
    while (holds && sem_wait(&client->released)) continue;
}

static bool gone(void *context)
{
    Client *client = context;
    size_t asked = atomic_fetch_add(&client->asked, 1) + 1;
    const struct timespec slow = {.tv_nsec = (long)(1e9 * client->slow)};
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 10;
    nanosleep(&slow, NULL);
    if (client->waits && asked == 1)
        client->waited_in_vain = sem_timedwait(&client->released, &end) != 0;
    return client->patience && asked >= client->patience;
}

static void send_query(Client *client, const char *query)
{
    client->request = request_of("POST", query, "");
    client->call = (Call){.service = service, .request = &client->request};
    sem_init(&client->answered, 0, 0);
    sem_init(&client->released, 0, 0);
    routes_handle(&client->call);
    ck_assert(client->call.waits);
    client->call.job.answered = answered;
    client->call.job.gone = gone;
    client->call.job.context = client;
    ck_assert(service_put(service, &client->call.job));
}

static void expect_status(Client *client, unsigned status)
{
    while (sem_wait(&client->answered)) continue;
    const Response *response = &client->call.job.response;
    ck_assert_msg(response->status == status, "%u %s", response->status,
                  bytes_text(&response->body));
    call_free(&client->call);
}

// A short job is answered while a long one is worked on.
TEST(short_beside_long)
{
    Client large = {.waits = true}, small = {0};
    send_query(&large, long_query);
    while (atomic_load(&large.asked) == 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    send_query(&small, "/translate?source=de&target=en&q=das+Haus");
    expect_status(&small, 200);
    sem_post(&large.released);
    expect_status(&large, 200);
    ck_assert(!large.waited_in_vain);
}

// A long job goes on, though slowly, however many short ones there are.
TEST(long_beside_short_without_end, .seconds = 60)
{
    static Client small = {.holds = true};
    Client large = {0};
    long_query[1200] = '\0';
    send_query(&small, "/translate?source=de&target=en&q=das+Haus");
    while (sem_wait(&small.answered)) continue;
    double begin = clock_seconds();
    send_query(&large, long_query);
    expect_status(&large, 200);
    ck_assert(clock_seconds() - begin > 0.05); // it has given way
    sem_post(&small.released);
    service_close(service);
    call_free(&small.call);
}

// A job is given up between the steps of search once its client has gone.
TEST(gone_between_steps)
{
    static const char *const queries[] = {"/translate?source=de&target=en&q=das+Haus", long_query};
    for (size_t i = 0; i < 2; i++) {
        Client client = {.patience = 4};
        send_query(&client, queries[i]);
        expect_status(&client, 499);
        ck_assert_uint_lt(atomic_load(&client.asked), 20);
    }
}

// Or once it has taken too long.
TEST(late_between_steps)
{
    service->options.timeout = 0.3;
    Client client = {.slow = 0.1};
    send_query(&client, "/translate?source=de&target=en&q=das+Haus");
    expect_status(&client, 429);
}

// What nobody waits for ends with the batch only if somebody waits for the rest.
TEST(one_of_two_gone)
{
    Client first = {.waits = true}, left = {.patience = 3}, stays = {0};
    send_query(&first, "/translate?source=de&target=en&q=das+Haus");
    while (atomic_load(&first.asked) == 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    send_query(&left, "/translate?source=de&target=en&q=das+Haus");
    send_query(&stays, "/translate?source=de&target=en&q=das+Haus");
    sem_post(&first.released);
    expect_status(&first, 200);
    expect_status(&left, 200);
    expect_status(&stays, 200);
}
