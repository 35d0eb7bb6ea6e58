#define _GNU_SOURCE
#include "serve/http/server.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/dynamic_library.h"
#include "serve/http/access_log.h"
#include "serve/http/deadlines.h"
#include "serve/http/exchange.h"
#include "serve/http/microhttpd_library.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    BACKLOG = 1024,      // connections that the system keeps until they are taken
    LONGEST_WAIT = 60000 // milliseconds
};

// For the line, the headers and what has come of the body.
enum { CONNECTION_MEMORY = 16 << 10 };

struct Server {
    Traffic traffic;
    struct MHD_Daemon *daemon;
    int socket;
    char address[128];   // "http://127.0.0.1:5000", "http://[::1]:5000"
    pthread_t thread;    // MHD's: all its callbacks are called there
    double heard;        // up to when it has read what came; the thread's
    atomic_bool stopped; // for the thread
};

// The milliseconds that may be waited for something to happen.
static int patience(Server *server)
{
    Traffic *traffic = &server->traffic;
    MHD_UNSIGNED_LONG_LONG wanted = LONGEST_WAIT;
    // a run that ends with fewer connections than --max-connections has the next listen again
    if (traffic->changed) {
        traffic->changed = false;
        return 0;
    }
    // not now: whoever has sent in time is not late because this thread was kept from reading it
    double seconds = deadlines_enforce(&traffic->deadlines, server->heard);
    (void)traffic->http.get_timeout(server->daemon, &wanted);
    return (int)fmin(LONGEST_WAIT, fmin((double)wanted, ceil(1e3 * seconds)));
}

static void *serve(void *context)
{
    Server *server = context;
    const MicrohttpdLibrary *http = &server->traffic.http;
    const union MHD_DaemonInfo *info =
        http->get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    struct pollfd watched[2] = {{.fd = info->epoll_fd, .events = POLLIN},
                                {.fd = server->traffic.wake, .events = POLLIN}};
    while (!atomic_load(&server->stopped)) {
        if (poll(watched, 2, patience(server)) > 0 && watched[1].revents)
            traffic_resume(&server->traffic);
        server->heard = clock_seconds();
        http->run(server->daemon);
    }
    // those answered since: MHD aborts if it is stopped while a connection sleeps
    traffic_resume(&server->traffic);
    http->run(server->daemon);
    return NULL;
}

// Notes the address that is listened at.
static void note_address(Server *server)
{
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    char host[64] = "?", port[16] = "?";
    (void)getsockname(server->socket, (struct sockaddr *)&address, &length);
    (void)getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                      NI_NUMERICHOST | NI_NUMERICSERV);
    bool bracketed = address.ss_family == AF_INET6;
    (void)snprintf(server->address, sizeof server->address, "http://%s%s%s:%s",
                   bracketed ? "[" : "", host, bracketed ? "]" : "", port);
}

// Listens at an address.
static Status bind_to(Server *server, const struct addrinfo *found, Error *error)
{
    int yes = 1; // a server that has just ended keeps no port
    server->socket = socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, 0);
    setsockopt(server->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (server->socket < 0 || bind(server->socket, found->ai_addr, found->ai_addrlen) ||
        listen(server->socket, BACKLOG))
        return error_set(error, STATUS_IO, "%s", strerror(errno));
    note_address(server);
    return STATUS_OK;
}

// Listens at the first address of the host, its name or the address itself.
static Status open_socket(Server *server, Error *error)
{
    const ServerOptions *options = &server->traffic.options;
    struct addrinfo *found, hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    char port[16];
    Error inner;
    (void)snprintf(port, sizeof port, "%zu", options->port);
    int failed = getaddrinfo(options->host, port, &hints, &found);
    if (failed)
        return error_set(error, STATUS_ARGUMENT, "--host %s: %s", options->host,
                         gai_strerror(failed));
    Status status = bind_to(server, found, &inner);
    freeaddrinfo(found);
    if (!status) return STATUS_OK;
    return error_set(error, status, "host %s, port %s: %s; choose another --port or --host",
                     options->host, port, inner.text);
}

static Status start_daemon(Server *server, Error *error)
{
    Traffic *traffic = &server->traffic;
    server->daemon = traffic->http.start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, exchange_handle, traffic,
        MHD_OPTION_LISTEN_SOCKET, server->socket, MHD_OPTION_URI_LOG_CALLBACK, exchange_new,
        traffic, MHD_OPTION_NOTIFY_CONNECTION, exchange_connect, traffic,
        MHD_OPTION_NOTIFY_COMPLETED, exchange_end, traffic, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)traffic->options.max_connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
    if (!server->daemon) return error_set(error, STATUS_MEMORY, "libmicrohttpd could not start");
    if (pthread_create(&server->thread, NULL, serve, server) == 0) return STATUS_OK;
    traffic->http.quiesce_daemon(server->daemon); // the socket is not its own
    traffic->http.stop_daemon(server->daemon);
    return error_set(error, STATUS_MEMORY, "the server's thread could not be started");
}

static Status load_library(MicrohttpdLibrary *library, Error *error)
{
    void *handle = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    bool found = handle != NULL;
#define MICROHTTPD_FIND(name) found &= dynamic_library_find(&library->name, handle, "MHD_" #name);
    MICROHTTPD_FUNCTIONS(MICROHTTPD_FIND)
#undef MICROHTTPD_FIND
    if (found) return STATUS_OK;
    return error_set(error, STATUS_IO, "libmicrohttpd cannot be loaded: %s; install it", dlerror());
}

static Status start(Server *server, Error *error)
{
    Traffic *traffic = &server->traffic;
    const ServerOptions *options = &traffic->options;
    TRY(load_library(&traffic->http, error));
    traffic->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (traffic->wake < 0)
        return error_set(error, STATUS_IO, "the server cannot start: %s", strerror(errno));
    if (options->log >= 0) TRY(access_log_new(&traffic->log, options->log, options->warn, error));
    TRY(open_socket(server, error));
    return start_daemon(server, error);
}

// Frees what start made but the daemon; the log is waited for at most so many seconds.
static void release(Server *server, double seconds)
{
    access_log_end(server->traffic.log, seconds);
    pthread_mutex_destroy(&server->traffic.lock);
    if (server->traffic.wake >= 0) close(server->traffic.wake);
    if (server->socket >= 0) close(server->socket);
    memory_free(server);
}

Status server_start(Server **out, Service *service, const ServerOptions *options, Error *error)
{
    Server *server;
    TRY(array_new(&server, 1, "the server", error));
    server->socket = -1;
    server->traffic = (Traffic){.service = service,
                                .options = *options,
                                .deadlines = {.seconds = service->options.timeout},
                                .wake = -1};
    pthread_mutex_init(&server->traffic.lock, NULL);
    atomic_init(&server->traffic.answering, 0);
    atomic_init(&server->stopped, false);
    Status status = start(server, error);
    if (status)
        release(server, 0);
    else
        *out = server;
    return status;
}

const char *server_address(const Server *server)
{
    return server->address;
}

// The seconds until then, and if these are over, some for what takes but a moment.
static double seconds_until(double end)
{
    return fmax(end - clock_seconds(), 0.4);
}

void server_stop(Server *server)
{
    if (!server) return;
    Service *service = server->traffic.service;
    const MicrohttpdLibrary *http = &server->traffic.http;
    double end = clock_seconds() + service->options.timeout;
    http->quiesce_daemon(server->daemon);
    service_close(service);
    // until every request that has come has its answer sent
    double last = clock_seconds() + seconds_until(end);
    const struct timespec moment = {.tv_nsec = 5000000};
    while (atomic_load(&server->traffic.answering) > 0 && clock_seconds() < last)
        nanosleep(&moment, NULL);
    atomic_store(&server->stopped, true);
    (void)eventfd_write(server->traffic.wake, 1);
    pthread_join(server->thread, NULL);
    http->stop_daemon(server->daemon);
    release(server, seconds_until(end));
}
