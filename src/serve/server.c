#define _GNU_SOURCE
#include "serve/server.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/memory.h"
#include "serve/exchange.h"
#include "serve/listener.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

// For the line, the headers and what has come of the body.
enum { CONNECTION_MEMORY = 16 << 10 };

struct Server {
    Traffic traffic;
    struct MHD_Daemon *daemon;
    Listener listener;
};

// Called by MHD for the pieces of a request; its answers are MHD's own.
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    Exchange *exchange = *state;
    (void)context;
    (void)path;
    (void)version;
    if (!exchange) return MHD_NO; // memory was short when it began
    if (!exchange_has_begun(exchange)) return exchange_begin(exchange, connection, method);
    if (*size > 0) {
        size_t length = *size;
        *size = 0;
        return exchange_receive(exchange, data, length);
    }
    return exchange_answer(exchange);
}

static void *begin(void *context, const char *target, struct MHD_Connection *connection)
{
    Server *server = context;
    (void)connection;
    return exchange_new(&server->traffic, target);
}

static void complete(void *context, struct MHD_Connection *connection, void **state,
                     enum MHD_RequestTerminationCode code)
{
    (void)context;
    (void)connection;
    (void)code;
    exchange_end(*state);
    *state = NULL;
}

static Status start_daemon(Server *server, Error *error)
{
    const Traffic *traffic = &server->traffic;
    server->daemon = traffic->http->start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, server,
        MHD_OPTION_LISTEN_SOCKET, server->listener.socket, MHD_OPTION_URI_LOG_CALLBACK, begin,
        server, MHD_OPTION_NOTIFY_COMPLETED, complete, server, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)traffic->options.max_connections, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)ceil(traffic->service->options.timeout), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
    if (server->daemon) return STATUS_OK;
    return error_set(error, STATUS_MEMORY, "the server's thread could not be started");
}

Status server_start(Server **out, Service *service, const ServerOptions *options, Error *error)
{
    Server *server;
    TRY(array_new(&server, 1, "the server", error));
    Status status = traffic_start(&server->traffic, service, options, error);
    if (!status) status = listener_open(&server->listener, options->host, options->port, error);
    if (!status) {
        status = start_daemon(server, error);
        if (status) close(server->listener.socket);
    }
    if (status)
        memory_free(server);
    else
        *out = server;
    return status;
}

const char *server_address(const Server *server)
{
    return server->listener.address;
}

// Waits until every request that has come has its answer sent.
static void wait_for_answers(const Server *server)
{
    double end = clock_seconds() + server->traffic.service->options.timeout;
    const struct timespec moment = {.tv_nsec = 5000000};
    while (traffic_answering(&server->traffic) > 0 && clock_seconds() < end)
        nanosleep(&moment, NULL);
}

void server_stop(Server *server)
{
    if (!server) return;
    const MicrohttpdLibrary *http = server->traffic.http;
    http->quiesce_daemon(server->daemon);
    service_close(server->traffic.service);
    wait_for_answers(server);
    http->stop_daemon(server->daemon);
    close(server->listener.socket);
    memory_free(server);
}
