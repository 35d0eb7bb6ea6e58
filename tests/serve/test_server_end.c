// A server that ends while its thread is busy.

#define _GNU_SOURCE
#include "serve/http/server.h"
#include "serve/service_case.h"
#include "support/failing_malloc.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static sem_t held, released;

static bool always(void *context)
{
    (void)context;
    return true;
}

static void hold(void *context)
{
    (void)context;
    sem_post(&held);
    while (sem_wait(&released)) continue;
}

// Keeps the queue's thread from working until `released`.
static void hold_worker(Call *call, const Request *request)
{
    *call = (Call){.service = service, .request = request};
    sem_init(&held, 0, 0);
    sem_init(&released, 0, 0);
    routes_handle(call);
    ck_assert(call->waits);
    call->job.gone = always;
    call->job.answered = hold;
    ck_assert(service_put(service, &call->job));
    while (sem_wait(&held)) continue;
}

static int ask(const Server *server, const char *sent)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_port = htons((uint16_t)atoi(strrchr(server_address(server), ':') + 1));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(connect(connection, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(send(connection, sent, strlen(sent), 0), (ssize_t)strlen(sent));
    return connection;
}

static void nap(int milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000L * milliseconds}, NULL);
}

static void *stop(void *server)
{
    server_stop(server);
    return NULL;
}

// Ends the server while its thread waits for longer than answers are waited for.
static void stop_while_busy(Server *server)
{
    pthread_t stopping;
    pthread_mutex_lock(&service->lock); // which the server's thread needs for any path
    int busy = ask(server, "GET /languages HTTP/1.1\r\nHost: x\r\n\r\n");
    nap(50);
    pthread_create(&stopping, NULL, stop, server);
    sem_post(&released);
    nap(600);
    pthread_mutex_unlock(&service->lock);
    pthread_join(stopping, NULL);
    close(busy);
}

static void set_up(void)
{
    set_options();
    service_options.timeout = 0.1;
    open_service();
}

TESTS_SHARE(write_models, .before = set_up, .after = close_service)

// A job has been answered, but its connection still sleeps when the time to end is over.
TEST(asleep)
{
    const Request request = {.method = "POST",
                             .target = "/translate?source=de&target=en&q=das+Haus",
                             .client = "127.0.0.1"};
    const ServerOptions options = {.host = "127.0.0.1", .max_connections = 10, .log = -1};
    Server *server;
    Call call;
    Status status = server_start(&server, service, &options, NULL);
    if (status == STATUS_ARGUMENT) return; // built without libmicrohttpd
    assert_ok(status);
    hold_worker(&call, &request);
    int asleep = ask(server, "POST /translate?source=de&target=en&q=a HTTP/1.1\r\nHost: x\r\n"
                             "Content-Length: 0\r\n\r\n");
    while (service_waiting(service) == 0) nap(1);
    stop_while_busy(server);
    close(asleep);
    call_free(&call);
}

// A server that cannot start says why and leaves nothing behind.
TEST(start)
{
    ServerOptions options = {.host = "127.0.0.1", .max_connections = 10, .log = 1};
    Server *server;
    Error error = {0};
    if (server_start(&server, service, &options, &error) == STATUS_ARGUMENT) return; // as above
    server_stop(server);
    while (failing_malloc_next()) {
        if (!failing_malloc_expect(server_start(&server, service, &options, NULL)))
            server_stop(server);
    }
    options.host = "..";
    ck_assert_int_eq(server_start(&server, service, &options, &error), STATUS_ARGUMENT);
    assert_contains(error.text, "--host ..");
    server_stop(NULL);
}

// Starts a server that can have so many more descriptors.
static Status start_with(rlim_t more, Server **server, Error *error)
{
    const ServerOptions options = {.host = "127.0.0.1", .max_connections = 10, .log = -1};
    const int unused = dup(0);
    struct rlimit before, limit;
    close(unused);
    getrlimit(RLIMIT_NOFILE, &before);
    limit = (struct rlimit){(rlim_t)unused + more, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &limit);
    Status status = server_start(server, service, &options, error);
    setrlimit(RLIMIT_NOFILE, &before);
    return status;
}

// One that has too few descriptors says what it lacked, and the next one starts.
TEST(no_descriptors)
{
    static const struct {
        rlim_t more;
        const char *message;
    } steps[] = {{0, "libmicrohttpd cannot be loaded"},
                 {1, "choose another --port"},
                 {0, "the server cannot start"}, // the library is there now
                 {2, "libmicrohttpd could not start"}};
    Server *server;
    Error error = {0};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        Status status = start_with(steps[i].more, &server, &error);
        if (status == STATUS_ARGUMENT) return; // built without libmicrohttpd
        ck_assert_int_ne(status, STATUS_OK);
        assert_contains(error.text, steps[i].message);
    }
    assert_ok(start_with(20, &server, &error));
    server_stop(server);
}

// Nothing is left of what starts a thread where none can be had.
TEST(no_threads)
{
    ServerOptions options = {.host = "127.0.0.1", .max_connections = 10, .log = -1};
    Server *server;
    Service *other;
    Error error = {0};
    pthread_attr_t endless; // a stack larger than all there is
    pthread_attr_init(&endless);
    pthread_attr_setstacksize(&endless, (size_t)1 << 60);
    ck_assert_int_eq(pthread_setattr_default_np(&endless), 0);
    pthread_attr_destroy(&endless);
    ck_assert_int_eq(service_new(&other, &service_options, &error), STATUS_MEMORY);
    assert_contains(error.text, "a thread could not be started");
    Status status = server_start(&server, service, &options, &error);
    if (status == STATUS_ARGUMENT) return; // as above
    ck_assert_int_eq(status, STATUS_MEMORY);
    assert_contains(error.text, "the server's thread could not be started");
    options.log = 1;
    ck_assert_int_eq(server_start(&server, service, &options, &error), STATUS_MEMORY);
    assert_contains(error.text, "a thread could not be started");
}
