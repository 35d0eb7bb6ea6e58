// Connections and their requests without libmicrohttpd, of which here is what the server calls: so
// that memory can be short at each place, and the rest happen when it hardly ever does.

#define _GNU_SOURCE
#include "base/memory.h"
#include "serve/http/exchange.h"
#include "serve/service_case.h"

#include "support/failing_malloc.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

struct MHD_Response {
    Bytes body;
    char *headers[20]; // (count) "Name: value"
    size_t count;
};

struct MHD_Connection {
    int ends[2]; // the server's, the client's
    struct sockaddr_in address;
    const char *length; // Content-Length; NULL: none
    void *deadline, *exchange;
    union MHD_ConnectionInfo info;
    unsigned status; // of the answer; 0: none
    Bytes answer;
    bool asleep, closes;
};

static Traffic traffic;
static void (*meanwhile)(void); // done while the connection is put to sleep

// Unlike Check's, this needs no memory.
static void require(bool holds)
{
    if (!holds) abort();
}

static const union MHD_ConnectionInfo *info_of(struct MHD_Connection *connection,
                                               enum MHD_ConnectionInfoType type, ...)
{
    union MHD_ConnectionInfo *info = &connection->info;
    if (type == MHD_CONNECTION_INFO_SOCKET_CONTEXT)
        info->socket_context = connection->deadline;
    else if (type == MHD_CONNECTION_INFO_CONNECTION_FD)
        info->connect_fd = connection->ends[0];
    else
        info->client_addr = (struct sockaddr *)&connection->address;
    return info;
}

static const char *value_of(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                            const char *name)
{
    require(kind == MHD_HEADER_KIND);
    return strcmp(name, "Content-Length") == 0 ? connection->length : NULL;
}

static void put_to_sleep(struct MHD_Connection *connection)
{
    connection->asleep = true;
    if (meanwhile) meanwhile();
}

static void wake_up(struct MHD_Connection *connection)
{
    connection->asleep = false;
}

static struct MHD_Response *make_response(size_t size, void *body, void (*release)(void *))
{
    struct MHD_Response *response = calloc(1, sizeof *response);
    require(release == memory_free);
    if (response) response->body = (Bytes){.data = body, .length = size, .capacity = size + 1};
    return response;
}

static enum MHD_Result add_header(struct MHD_Response *response, const char *name,
                                  const char *value)
{
    char *line = malloc(strlen(name) + strlen(value) + 3);
    if (!line) return MHD_NO;
    (void)sprintf(line, "%s: %s", name, value);
    response->headers[response->count++] = line;
    return MHD_YES;
}

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status,
                                     struct MHD_Response *response)
{
    if (bytes_append(&connection->answer, bytes_text(&response->body), response->body.length, NULL))
        return MHD_NO;
    require(connection->status == 0);
    connection->status = status;
    for (size_t i = 0; i < response->count; i++)
        connection->closes |= strcmp(response->headers[i], "Connection: close") == 0;
    return MHD_YES;
}

static void free_response(struct MHD_Response *response)
{
    for (size_t i = 0; i < response->count; i++) free(response->headers[i]);
    bytes_free(&response->body);
    free(response);
}

static void begin(void)
{
    set_options();
    open_service();
    traffic = (Traffic){.http = {.get_connection_info = info_of,
                                 .lookup_connection_value = value_of,
                                 .suspend_connection = put_to_sleep,
                                 .resume_connection = wake_up,
                                 .create_response_from_buffer_with_free_callback = make_response,
                                 .add_response_header = add_header,
                                 .queue_response = send_response,
                                 .destroy_response = free_response},
                        .service = service,
                        .deadlines = {.seconds = 60},
                        .wake = eventfd(0, 0)};
    pthread_mutex_init(&traffic.lock, NULL);
}

static void end(void)
{
    // nothing is left of any connection
    ck_assert_ptr_null(traffic.deadlines.first);
    ck_assert_uint_eq(atomic_load(&traffic.answering), 0);
    ck_assert_uint_eq(traffic.body_bytes, 0);
    for (size_t i = 0; i < CLIENT_SHARES; i++) ck_assert_uint_eq(traffic.client_bytes[i], 0);
    close(traffic.wake);
    close_service();
}

TESTS_SHARE(write_models, .before = begin, .after = end)

// A request as it comes; parts of a body end with NULL.
typedef struct Sent {
    const char *method, *target, *length;
    const char *parts[3];
} Sent;

static enum MHD_Result handle(struct MHD_Connection *connection, const Sent *sent, const char *part)
{
    size_t size = strlen(part);
    return exchange_handle(&traffic, connection, sent->target, sent->method, "HTTP/1.1", part,
                           &size, &connection->exchange);
}

// The request and its answer on a connection of its own, whose end is known then, as libmicrohttpd does it.
static enum MHD_Result exchange(struct MHD_Connection *connection, const Sent *sent)
{
    char target[100];
    *connection =
        (struct MHD_Connection){.address = {.sin_family = AF_INET}, .length = sent->length};
    connection->address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    require(socketpair(AF_UNIX, SOCK_STREAM, 0, connection->ends) == 0);
    exchange_connect(&traffic, connection, &connection->deadline, MHD_CONNECTION_NOTIFY_STARTED);
    strcpy(target, sent->target); // which the exchange may change
    connection->exchange = exchange_new(&traffic, target, connection);
    enum MHD_Result result = handle(connection, sent, "");
    for (size_t i = 0; sent->parts[i] && result == MHD_YES && !connection->status; i++)
        result = handle(connection, sent, sent->parts[i]);
    if (result == MHD_YES && !connection->status) result = handle(connection, sent, "");
    if (connection->asleep) {
        struct pollfd woken = {.fd = traffic.wake, .events = POLLIN};
        require(poll(&woken, 1, 60000) == 1);
        traffic_resume(&traffic);
        require(!connection->asleep);
    }
    if (result == MHD_YES && !connection->status) result = handle(connection, sent, "");
    exchange_end(&traffic, connection, &connection->exchange, MHD_REQUEST_TERMINATED_COMPLETED_OK);
    require(!connection->exchange);
    exchange_connect(&traffic, connection, &connection->deadline, MHD_CONNECTION_NOTIFY_CLOSED);
    require(!connection->deadline);
    return result;
}

// Whether the client sees that the connection was shut down.
static bool is_shut(const struct MHD_Connection *connection)
{
    char byte;
    return recv(connection->ends[1], &byte, 1, MSG_DONTWAIT) == 0;
}

static void leave(struct MHD_Connection *connection)
{
    bytes_free(&connection->answer);
    close(connection->ends[0]);
    close(connection->ends[1]);
}

static const Sent translate = {
    "POST", "/translate?source=de&target=en", "10", {"q=das", "+Haus", NULL}};

// What memory is short for ends the connection, or is answered with 500; else it is as ever.
TEST(short_memory, .seconds = 60)
{
    const Sent asked[] = {translate, {"GET", "/languages", NULL, {NULL}}};
    for (size_t i = 0; i < 2; i++) {
        struct MHD_Connection whole, connection;
        ck_assert_int_eq(exchange(&whole, &asked[i]), MHD_YES);
        ck_assert_uint_eq(whole.status, 200);
        ck_assert(!whole.closes && !is_shut(&whole));
        while (failing_malloc_next()) {
            enum MHD_Result result = exchange(&connection, &asked[i]);
            bool failed = failing_malloc_stop();
            ck_assert(failed || connection.status == 200);
            if (connection.status == 200)
                ck_assert_str_eq(bytes_text(&connection.answer), bytes_text(&whole.answer));
            else
                ck_assert(connection.status == 500 || result == MHD_NO);
            leave(&connection);
        }
        leave(&whole);
    }
}

// A connection for which there is no memory is shut down at once.
TEST(no_deadline)
{
    struct MHD_Connection connection = {0};
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, connection.ends), 0);
    failing_malloc_at(1);
    exchange_connect(&traffic, &connection, &connection.deadline, MHD_CONNECTION_NOTIFY_STARTED);
    ck_assert(failing_malloc_stop());
    ck_assert_ptr_null(connection.deadline);
    ck_assert(is_shut(&connection) && traffic.changed);
    exchange_connect(&traffic, &connection, &connection.deadline, MHD_CONNECTION_NOTIFY_CLOSED);
    leave(&connection);
}

static void expect_refused(const Sent *sent, unsigned status, const char *message, bool closes)
{
    struct MHD_Connection connection;
    ck_assert_int_eq(exchange(&connection, sent), MHD_YES);
    ck_assert_msg(connection.status == status, "%u %s", connection.status,
                  bytes_text(&connection.answer));
    assert_contains(bytes_text(&connection.answer), message);
    ck_assert_msg(connection.closes == closes, "%s", message);
    leave(&connection);
}

// Too long by its headers or by what comes; or others have all the room there is, or the client has.
TEST(bodies)
{
    const size_t max_body = service_options.max_body = service->options.max_body = 8;
    Sent announced = translate, chunked = translate;
    chunked.length = NULL;
    expect_refused(&announced, 413, "longer than 8 bytes", true);
    expect_refused(&chunked, 413, "longer than 8 bytes", false);
    service->options.max_body = 100000;
    traffic.body_bytes = BODIES_AT_ONCE * service->options.max_body - max_body;
    expect_refused(&translate, 429, "busy", false);
    traffic.body_bytes = 0;
    for (size_t i = 0; i < CLIENT_SHARES; i++)
        traffic.client_bytes[i] = BODIES_OF_CLIENT * service->options.max_body - max_body;
    expect_refused(&translate, 429, "busy", false);
    memset(traffic.client_bytes, 0, sizeof traffic.client_bytes);
}

static void fill_queue(void)
{
    service->workers[LANE_SHORT].queue.limit = 0;
}

static void begin_to_close(void)
{
    service_close(service);
}

// The queue is full, or the server begins to end, when the request has just come.
TEST(no_place)
{
    meanwhile = fill_queue;
    expect_refused(&translate, 429, "busy", false);
    meanwhile = begin_to_close;
    expect_refused(&translate, 503, "shutting down", true);
    meanwhile = NULL;
}
