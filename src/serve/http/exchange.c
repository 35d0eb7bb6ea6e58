#define _GNU_SOURCE
#include "serve/http/exchange.h"

#include "base/clock.h"
#include "base/memory.h"
#include "serve/api/routes.h"

#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

enum { CLIENT_SIZE = 64 };

typedef struct Exchange {
    Traffic *traffic;
    struct MHD_Connection *connection; // NULL until it has begun
    Deadline *deadline;                // the connection's
    struct Exchange *next;             // in traffic->answered
    char *target, *method;
    char client[CLIENT_SIZE];
    size_t *share; // of traffic->client_bytes
    Bytes body;
    size_t received;
    unsigned refused; // the status for which its body is not kept; 0: it is
    bool whole;
    double began;
    Request request;
    Call call;
} Exchange;

void exchange_connect(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_ConnectionNotificationCode code)
{
    Traffic *traffic = context;
    Deadline *deadline = *state;
    traffic->changed = true;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        int socket =
            traffic->http.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                ->connect_fd;
        *state = deadline = memory_new(1, sizeof *deadline);
        if (!deadline) {
            (void)shutdown(socket, SHUT_RDWR);
            return;
        }
        deadline->socket = socket;
        deadline_start(&traffic->deadlines, deadline);
    } else if (deadline) {
        deadline_stop(&traffic->deadlines, deadline);
        memory_free(deadline);
        *state = NULL;
    }
}

// That of a connection, which has one from its beginning to its end, unless memory was short.
static Deadline *deadline_of(const Traffic *traffic, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        traffic->http.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info->socket_context;
}

void *exchange_new(void *context, const char *target, struct MHD_Connection *connection)
{
    Traffic *traffic = context;
    FREED Exchange *exchange = memory_new(1, sizeof *exchange);
    (void)connection;
    if (!exchange) return NULL;
    exchange->traffic = traffic;
    exchange->began = clock_seconds();
    exchange->target = memory_copy_string(target, strlen(target));
    exchange->call = (Call){.service = traffic->service, .request = &exchange->request};
    // MHD need not keep each field of the query, for which it may lack the room. So it sees none
    char *query = strchr(target, '?');
    if (query) memset(query, 0, strlen(query));
    return exchange->target ? memory_take(&exchange) : NULL;
}

static const char *header(const Exchange *exchange, const char *name)
{
    return exchange->traffic->http.lookup_connection_value(exchange->connection, MHD_HEADER_KIND,
                                                           name);
}

static enum MHD_Result keep_forwarded(void *context, enum MHD_ValueKind kind, const char *name,
                                      const char *value)
{
    const char **last = context;
    (void)kind;
    if (strcasecmp(name, "X-Forwarded-For") == 0) *last = value;
    return MHD_YES;
}

// The address of the other end, or of the client that a proxy speaks for in the last of the
// headers.
static void note_client(Exchange *exchange)
{
    const char *forwarded = NULL;
    if (exchange->traffic->options.behind_proxy)
        exchange->traffic->http.get_connection_values(exchange->connection, MHD_HEADER_KIND,
                                                      keep_forwarded, &forwarded);
    if (forwarded) {
        const char *last = strrchr(forwarded, ',');
        last = last ? last + 1 : forwarded;
        last += strspn(last, " \t");
        (void)snprintf(exchange->client, CLIENT_SIZE, "%.*s", (int)strcspn(last, " \t"), last);
        return;
    }
    const union MHD_ConnectionInfo *info = exchange->traffic->http.get_connection_info(
        exchange->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info->client_addr;
    socklen_t length =
        address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    strcpy(exchange->client, "?");
    (void)getnameinfo(address, length, exchange->client, CLIENT_SIZE, NULL, 0, NI_NUMERICHOST);
}

static bool add_headers(struct MHD_Response *message, const Exchange *exchange)
{
    const Response *response = &exchange->call.job.response;
    const char *methods = routes_methods(exchange->call.route);
    const char *type = response->type ? response->type : "application/json";
    bool closes = response->status == HTTP_UNAVAILABLE || !exchange->whole;
    const char *const headers[][2] = {
        {"Access-Control-Allow-Origin", "*"},
        {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
        {"Access-Control-Allow-Methods", methods ? methods : "GET, POST"},
        {"Access-Control-Max-Age", "1728000"},
        {"X-Content-Type-Options", "nosniff"},
        {"Content-Type", response->status == HTTP_NO_CONTENT ? NULL : type},
        {"Allow", response->allow},
        {"Content-Security-Policy", response->policy},
        {"Retry-After", response->status == HTTP_TOO_MANY_REQUESTS ? "1" : NULL},
        {"Connection", closes ? "close" : NULL},
    };
    bool added = true;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (headers[i][1])
            added &= exchange->traffic->http.add_response_header(message, headers[i][0],
                                                                 headers[i][1]) == MHD_YES;
    return added;
}

// Gives the response to MHD, with its memory.
static enum MHD_Result give_response(Exchange *exchange)
{
    const MicrohttpdLibrary *http = &exchange->traffic->http;
    Response *response = &exchange->call.job.response;
    struct MHD_Response *message = http->create_response_from_buffer_with_free_callback(
        response->body.length, response->body.data, memory_free);
    if (!message) return MHD_NO;
    response->body = (Bytes){0};
    enum MHD_Result result = MHD_NO;
    deadline_start(&exchange->traffic->deadlines, exchange->deadline); // to read it
    if (add_headers(message, exchange))
        result = http->queue_response(exchange->connection, response->status, message);
    http->destroy_response(message);
    return result;
}

// Answers a request whose body is not kept.
static enum MHD_Result refuse_body(Exchange *exchange)
{
    Response *response = &exchange->call.job.response;
    if (exchange->refused == HTTP_TOO_LARGE)
        response_error(response, HTTP_TOO_LARGE,
                       "Invalid request: the body is longer than %zu bytes",
                       exchange->traffic->service->options.max_body);
    else
        response_busy(response);
    return give_response(exchange);
}

// The request's headers have come.
static enum MHD_Result begin(Exchange *exchange, struct MHD_Connection *connection,
                             const char *method)
{
    exchange->connection = connection;
    exchange->deadline = deadline_of(exchange->traffic, connection);
    if (!exchange->deadline) return MHD_NO; // memory was short when the connection began
    deadline_start(&exchange->traffic->deadlines, exchange->deadline); // to send the body
    exchange->method = memory_copy_string(method, strlen(method));
    if (!exchange->method) return MHD_NO;
    note_client(exchange);
    uint64_t hash = string_hash(exchange->client, strlen(exchange->client));
    exchange->share = &exchange->traffic->client_bytes[hash % CLIENT_SHARES];
    exchange->request = (Request){.method = exchange->method,
                                  .target = exchange->target,
                                  .content_type = header(exchange, "Content-Type"),
                                  .client = exchange->client};
    exchange->call.route = routes_find(&exchange->request);
    const char *length = header(exchange, "Content-Length");
    if (!length || strtoull(length, NULL, 10) <= exchange->traffic->service->options.max_body)
        return MHD_YES;
    exchange->refused = HTTP_TOO_LARGE;
    return refuse_body(exchange); // at once, without its body
}

static void forget_body(Exchange *exchange)
{
    exchange->traffic->body_bytes -= exchange->body.length;
    if (exchange->share) *exchange->share -= exchange->body.length;
    bytes_free(&exchange->body);
}

// A part of its body has come.
static enum MHD_Result receive(Exchange *exchange, const char *data, size_t length)
{
    Traffic *traffic = exchange->traffic;
    const ServiceOptions *options = &traffic->service->options;
    exchange->received += length;
    if (traffic->body_bytes + length > BODIES_AT_ONCE * options->max_body ||
        *exchange->share + length > BODIES_OF_CLIENT * options->max_body)
        exchange->refused = HTTP_TOO_MANY_REQUESTS;
    if (exchange->received > options->max_body) exchange->refused = HTTP_TOO_LARGE;
    if (exchange->refused) {
        forget_body(exchange);
        return MHD_YES;
    }
    if (bytes_append(&exchange->body, data, length, NULL)) return MHD_NO;
    traffic->body_bytes += length;
    *exchange->share += length;
    return MHD_YES;
}

// Called by the queue's thread.
static void wake(void *context)
{
    Exchange *exchange = context;
    Traffic *traffic = exchange->traffic;
    pthread_mutex_lock(&traffic->lock);
    bool first = !traffic->answered;
    exchange->next = traffic->answered;
    traffic->answered = exchange;
    pthread_mutex_unlock(&traffic->lock);
    if (first) (void)eventfd_write(traffic->wake, 1);
}

void traffic_resume(Traffic *traffic)
{
    eventfd_t times;
    (void)eventfd_read(traffic->wake, &times);
    pthread_mutex_lock(&traffic->lock);
    Exchange *exchange = traffic->answered;
    traffic->answered = NULL;
    pthread_mutex_unlock(&traffic->lock);
    for (; exchange; exchange = exchange->next)
        traffic->http.resume_connection(exchange->connection);
}

/* Whether the client has closed the connection, or its half of it, which looks the same: called by
 * the queue's thread. The socket is open as long as the connection sleeps. */
static bool is_gone(void *context)
{
    const Exchange *exchange = context;
    struct pollfd connection = {.fd = exchange->deadline->socket, .events = POLLRDHUP};
    return poll(&connection, 1, 0) > 0;
}

/* Puts the job into the queue. The connection sleeps from before that, since the answer may come at
 * any time after it. */
static void wait_in_queue(Exchange *exchange)
{
    Job *job = &exchange->call.job;
    job->answered = wake;
    job->gone = is_gone;
    job->context = exchange;
    deadline_stop(&exchange->traffic->deadlines, exchange->deadline);
    exchange->traffic->http.suspend_connection(exchange->connection);
    if (service_put(exchange->traffic->service, job)) return;
    if (atomic_load(&exchange->traffic->service->closing))
        response_ending(&job->response);
    else
        response_busy(&job->response);
    exchange->traffic->http.resume_connection(exchange->connection);
}

// The request has come whole, or its job has been answered.
static enum MHD_Result answer(Exchange *exchange)
{
    Call *call = &exchange->call;
    if (exchange->whole) return give_response(exchange); // it has slept
    exchange->whole = true;
    atomic_fetch_add(&exchange->traffic->answering, 1);
    if (exchange->refused) return refuse_body(exchange);
    exchange->request.body = bytes_view(&exchange->body);
    routes_handle(call);
    if (!call->waits) return give_response(exchange);
    wait_in_queue(exchange);
    return MHD_YES;
}

enum MHD_Result exchange_handle(void *context, struct MHD_Connection *connection, const char *path,
                                const char *method, const char *version, const char *data,
                                size_t *size, void **state)
{
    Exchange *exchange = *state;
    (void)context;
    (void)path;
    (void)version;
    if (!exchange) return MHD_NO; // memory was short when it was made
    if (!exchange->connection) return begin(exchange, connection, method);
    if (*size == 0) return answer(exchange);
    size_t length = *size;
    *size = 0;
    return receive(exchange, data, length);
}

static void count_and_log(const Exchange *exchange)
{
    const Traffic *traffic = exchange->traffic;
    const Call *call = &exchange->call;
    Metrics *metrics = &traffic->service->metrics;
    double seconds = clock_seconds() - exchange->began;
    FREED_BY(bytes_free) Bytes line = {0};
    metrics_add_request(metrics, call->route, call->job.response.status, seconds, call->characters);
    if (!traffic->log) return;
    Writer out = writer_start(&line, NULL);
    access_log_line(&out, call, seconds, traffic->options.log_texts);
    if (writer_end(&out) || !access_log_add(traffic->log, line.data, line.length))
        metrics_add_dropped_line(metrics);
}

void exchange_end(void *context, struct MHD_Connection *connection, void **state,
                  enum MHD_RequestTerminationCode code)
{
    Traffic *traffic = context;
    Exchange *exchange = *state;
    Deadline *deadline = deadline_of(traffic, connection);
    (void)code;
    *state = NULL;
    if (deadline) deadline_start(&traffic->deadlines, deadline); // for the next request
    if (!exchange) return;
    if (exchange->call.job.response.status) count_and_log(exchange);
    if (exchange->whole) atomic_fetch_sub(&traffic->answering, 1);
    forget_body(exchange);
    call_free(&exchange->call);
    memory_free(exchange->target);
    memory_free(exchange->method);
    memory_free(exchange);
}
