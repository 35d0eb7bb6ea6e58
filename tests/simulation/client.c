// A client of the simulation: sends requests in pieces, reads answers, or goes.

#define _GNU_SOURCE
#include "simulation/scenario.h"

#include "support/suite.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TOO_LARGE = 50 * MAX_CHARACTERS + 1 };

static void append_body(Bytes *text, const ClientRequest *request)
{
    const char *body = queries[request->query].body;
    size_t length = strlen(body), half = length / 2;
    if (!request->chunked) {
        assert_ok(bytes_append(text, body, length, NULL));
        return;
    }
    if (half > 0)
        assert_ok(bytes_append_format(text, NULL, "%zx\r\n%.*s\r\n", half, (int)half, body));
    if (length > half)
        assert_ok(bytes_append_format(text, NULL, "%zx\r\n%s\r\n", length - half, body + half));
    assert_ok(bytes_append_string(text, "0\r\n\r\n", NULL));
}

// X-Forwarded-For tells requests apart in the log.
static void write_request(Bytes *text, const Client *client, const ClientRequest *request)
{
    const Query *query = &queries[request->query];
    size_t place = (size_t)(request - client->requests);
    assert_ok(bytes_append_format(text, NULL,
                                  "%s %s HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.0.%zu.%zu\r\n",
                                  query->method, query->target, client->number, place));
    if (query->type)
        assert_ok(bytes_append_format(text, NULL, "Content-Type: %s\r\n", query->type));
    if (request->closes) assert_ok(bytes_append_string(text, "Connection: close\r\n", NULL));
    if (request->chunked)
        assert_ok(bytes_append_string(text, "Transfer-Encoding: chunked\r\n\r\n", NULL));
    else
        assert_ok(bytes_append_format(text, NULL, "Content-Length: %zu\r\n\r\n",
                                      query->kind == BODY_REFUSED ? (size_t)TOO_LARGE
                                                                  : strlen(query->body)));
    append_body(text, request);
}

// Whether all of it could be sent.
static bool send_bytes(int connection, const char *data, size_t length)
{
    while (length > 0) {
        if (!simulation_poll(connection, POLLOUT, 1000)) simulation_fail("nobody reads a request");
        ssize_t sent = send(connection, data, length, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) return false;
        if (sent < 0) continue;
        data += sent;
        length -= (size_t)sent;
    }
    return true;
}

static bool send_request(int connection, const Bytes *text, const ClientRequest *request)
{
    size_t at = 0;
    size_t whole = request->fate == FATE_UNFINISHED ? text->length - 1 : text->length;
    for (size_t piece = 0; piece < request->pieces; piece++) {
        size_t end = whole * (piece + 1) / request->pieces;
        simulation_sleep(request->pauses[piece]);
        if (!send_bytes(connection, text->data + at, end - at)) return false;
        at = end;
    }
    return true;
}

typedef struct Answer {
    Bytes text;
    unsigned status; // 0: it has not come whole
    const char *body;
    bool closes;
} Answer;

// Whether it has come whole.
static bool parse(Answer *answer)
{
    const char *text = bytes_text(&answer->text), *end = strstr(text, "\r\n\r\n");
    if (!end) return false;
    const char *length = strcasestr(text, "\r\nContent-Length:");
    size_t expected = length && length < end ? strtoul(strchr(length + 2, ':') + 1, NULL, 10) : 0;
    answer->body = end + 4;
    size_t got = answer->text.length - (size_t)(answer->body - text);
    if (got < expected) return false;
    if (got > expected) simulation_fail("more than an answer: %s", answer->body + expected);
    const char *closes = strcasestr(text, "\r\nConnection: close");
    answer->closes = closes && closes < end;
    answer->status = (unsigned)strtoul(text + strlen("HTTP/1.1 "), NULL, 10);
    return true;
}

static void receive(Answer *answer, int connection)
{
    char piece[4096];
    for (bool whole = false; !whole; whole = parse(answer)) {
        if (!simulation_poll(connection, POLLIN, 1000)) simulation_fail("a request has no answer");
        ssize_t got = recv(connection, piece, sizeof piece, 0);
        if (got < 0 && errno == EAGAIN) continue;
        if (got <= 0) return;
        assert_ok(bytes_append(&answer->text, piece, (size_t)got, NULL));
    }
}

static double idle_time(void)
{
    return simulation_now() - simulation_worked();
}

// Whether the connection can take another.
static bool make_request(Client *client, ClientRequest *request, int connection)
{
    Bytes text = {0};
    Answer answer = {0};
    write_request(&text, client, request);
    request->versions = client->scenario->versions;
    request->suggested = client->scenario->suggested;
    client->current = (size_t)(request - client->requests);
    client->active = true;
    request->begun = simulation_now();
    simulation_note("%s: begins", queries[request->query].target);
    bool sent = send_request(connection, &text, request);
    request->sent = simulation_now();
    double idle = idle_time();
    if (request->fate == FATE_LEAVES) {
        simulation_sleep(request->leaves);
    } else {
        if (sent && request->fate == FATE_HALF_CLOSES) (void)shutdown(connection, SHUT_WR);
        receive(&answer, connection);
    }
    client->active = false;
    request->ended = simulation_now();
    request->idle = idle_time() - idle;
    request->status = answer.status;
    bool varies = queries[request->query].kind == BODY_VARIES;
    simulation_note("%s: %u %s", queries[request->query].target, answer.status,
                    varies || !answer.status ? "" : answer.body);
    if (request->fate != FATE_LEAVES) verdict_on_request(client, request, answer.body);
    bool open = answer.status && !answer.closes && request->fate == FATE_SERVED;
    bytes_free(&text);
    bytes_free(&answer.text);
    return open;
}

void client_run(void *context)
{
    Client *client = context;
    int connection = -1;
    simulation_sleep(client->begins);
    for (size_t i = 0; i < client->count; i++) {
        ClientRequest *request = &client->requests[i];
        request->opened = connection < 0 ? simulation_now() : client->requests[i - 1].begun;
        if (connection < 0) connection = simulation_connect();
        if (connection < 0) break; // nobody listens
        if (make_request(client, request, connection)) continue;
        close(connection);
        connection = -1;
    }
    if (connection >= 0) close(connection);
    client->scenario->clients_ended++;
}

size_t client_count_requests(void)
{
    static const char request[] = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                                  "X-Forwarded-For: metrics\r\n\r\n";
    Answer answer = {0};
    int connection = simulation_connect();
    size_t count = SIZE_MAX;
    if (connection >= 0 && send_bytes(connection, request, strlen(request)))
        receive(&answer, connection);
    if (answer.status == 200) {
        count = 0;
        for (const char *at = answer.body; (at = strstr(at, "regard_requests_total{")); at++)
            count += strtoul(strchr(at, '}') + 2, NULL, 10);
    }
    if (connection >= 0) close(connection);
    bytes_free(&answer.text);
    return count;
}
