#define _GNU_SOURCE
#include "serve/http/server.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/memory.h"
#include "serve/http/exchange.h"
#include "serve/http/listener.h"

#include <math.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// For the line, the headers and what has come of the body.
enum { CONNECTION_MEMORY = 16 << 10 };

struct Server {
    Traffic traffic;
    struct MHD_Daemon *daemon;
    Listener listener;
    pthread_t thread;    // MHD's: all its callbacks are called there
    bool changed;        // a connection has begun or ended since MHD last ran; the thread's
    atomic_bool stopped; // for the thread
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
    Server *server = context;
    Deadline *deadline = traffic_deadline(&server->traffic, connection);
    (void)code;
    exchange_end(*state);
    *state = NULL;
    if (deadline) deadline_start(&server->traffic.deadlines, deadline); // for the next request
}

// A connection begins or ends.
static void notify_connection(void *context, struct MHD_Connection *connection, void **state,
                              enum MHD_ConnectionNotificationCode code)
{
    Server *server = context;
    Deadlines *deadlines = &server->traffic.deadlines;
    Deadline *deadline = *state;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info = server->traffic.http->get_connection_info(
            connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *state = deadline = memory_new(1, sizeof *deadline);
        if (deadline) deadline->socket = info->connect_fd;
        if (deadline)
            deadline_start(deadlines, deadline);
        else
            (void)shutdown(info->connect_fd, SHUT_RDWR);
    } else if (deadline) {
        deadline_stop(deadlines, deadline);
        memory_free(deadline);
        *state = NULL;
    }
    server->changed = true;
}

// The milliseconds that may be waited for something to happen, -1: for ever.
static int patience(Server *server)
{
    MHD_UNSIGNED_LONG_LONG most = 60000, wanted;
    // a run that ends with fewer connections than --max-connections has the next listen again
    if (server->changed) {
        server->changed = false;
        return 0;
    }
    double seconds = deadlines_enforce(&server->traffic.deadlines);
    bool limited = server->traffic.http->get_timeout(server->daemon, &wanted) == MHD_YES;
    if (seconds < 0 && !limited) return -1;
    if (limited && wanted < most) most = wanted;
    if (seconds >= 0 && seconds < (double)most / 1e3) most = (unsigned)(1e3 * seconds) + 1;
    return (int)most;
}

static void *serve(void *context)
{
    Server *server = context;
    const MicrohttpdLibrary *http = server->traffic.http;
    const union MHD_DaemonInfo *info =
        http->get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    struct pollfd watched[2] = {{.fd = info->epoll_fd, .events = POLLIN},
                                {.fd = server->traffic.wake, .events = POLLIN}};
    while (!atomic_load(&server->stopped)) {
        if (poll(watched, 2, patience(server)) > 0 && watched[1].revents)
            traffic_resume(&server->traffic);
        http->run(server->daemon);
    }
    // those answered since: MHD aborts if it is stopped while a connection sleeps
    traffic_resume(&server->traffic);
    http->run(server->daemon);
    return NULL;
}

static Status start_daemon(Server *server, Error *error)
{
    const Traffic *traffic = &server->traffic;
    server->daemon = traffic->http->start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, server,
        MHD_OPTION_LISTEN_SOCKET, server->listener.socket, MHD_OPTION_URI_LOG_CALLBACK, begin,
        server, MHD_OPTION_NOTIFY_CONNECTION, notify_connection, server,
        MHD_OPTION_NOTIFY_COMPLETED, complete, server, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)traffic->options.max_connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
    if (!server->daemon)
        return error_set(error, STATUS_MEMORY, "the server's daemon could not be started");
    if (pthread_create(&server->thread, NULL, serve, server) == 0) return STATUS_OK;
    traffic->http->quiesce_daemon(server->daemon); // the caller closes the socket
    traffic->http->stop_daemon(server->daemon);
    return error_set(error, STATUS_MEMORY, "the server's thread could not be started");
}

static Status start(Server *server, Error *error)
{
    const ServerOptions *options = &server->traffic.options;
    TRY(listener_open(&server->listener, options->host, options->port, error));
    Status status = start_daemon(server, error);
    if (status) close(server->listener.socket);
    return status;
}

Status server_start(Server **out, Service *service, const ServerOptions *options, Error *error)
{
    Server *server;
    TRY(array_new(&server, 1, "the server", error));
    atomic_init(&server->stopped, false);
    Status status = traffic_start(&server->traffic, service, options, error);
    if (!status) {
        status = start(server, error);
        if (status) traffic_end(&server->traffic, 0);
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

// The seconds until then, and if these are over, some for what takes but a moment.
static double seconds_until(double end)
{
    return fmax(end - clock_seconds(), 0.4);
}

// Waits until every request that has come has its answer sent.
static void wait_for_answers(const Server *server, double seconds)
{
    double end = clock_seconds() + seconds;
    const struct timespec moment = {.tv_nsec = 5000000};
    while (traffic_answering(&server->traffic) > 0 && clock_seconds() < end)
        nanosleep(&moment, NULL);
}

void server_stop(Server *server)
{
    if (!server) return;
    const MicrohttpdLibrary *http = server->traffic.http;
    double end = clock_seconds() + server->traffic.service->options.timeout;
    http->quiesce_daemon(server->daemon);
    service_close(server->traffic.service);
    wait_for_answers(server, seconds_until(end));
    atomic_store(&server->stopped, true);
    (void)eventfd_write(server->traffic.wake, 1);
    pthread_join(server->thread, NULL);
    http->stop_daemon(server->daemon);
    close(server->listener.socket);
    traffic_end(&server->traffic, seconds_until(end));
    memory_free(server);
}
