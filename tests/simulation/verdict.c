// What must hold in a simulation, whatever happens.

#define _GNU_SOURCE
#include "simulation/scenario.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// What may be added to a limit: waiting for more jobs of a batch, giving way, the log.
static const double SLACK = 0.5;

// Why a request may be refused that would else have been answered.
static bool may_be_refused(const Client *client, const ClientRequest *request)
{
    const Scenario *scenario = client->scenario;
    double took = request->ended - request->begun;
    switch (request->status) {
    case 429:
        return scenario->per_minute || scenario->max_queue < 1000 || took >= scenario->timeout;
    case 500:
        return scenario->pace.short_memory;
    case 503:
        return scenario->ending > 0;
    case 499:
        return request->fate == FATE_HALF_CLOSES;
    default:
        return false;
    }
}

// What threads that are kept from running may add, at most.
static double delays(const Pace *pace)
{
    return SLACK + 3000 * pace->step + 3 * pace->pause;
}

// Why it may have no answer at all.
static bool may_be_closed(const Client *client, const ClientRequest *request)
{
    const Scenario *scenario = client->scenario;
    double took = request->sent - request->opened; // by the client
    bool ends = scenario->ending > 0 && request->sent + delays(&scenario->pace) > scenario->ending;
    return request->fate != FATE_SERVED || ends || scenario->pace.short_memory ||
           took >= scenario->timeout;
}

static bool is_answer(const ClientRequest *request, const char *body)
{
    if (request->query == QUERY_SUGGESTED && request->suggested) return strstr(body, SUGGESTED);
    if (queries[request->query].kind != BODY_SAME) return true;
    for (size_t version = 0; version < VERSIONS; version++)
        if (request->versions >> version & 1 &&
            strcmp(body, queries_answer(request->query, version)) == 0)
            return true;
    return false;
}

void verdict_on_request(const Client *client, const ClientRequest *request, const char *body)
{
    Scenario *scenario = client->scenario;
    const Query *query = &queries[request->query];
    const char *kind = query->target;
    // a client waits for itself, then for the server, which reads, works and ends
    double limit = 2 * scenario->timeout + SLACK, took = request->ended - request->sent;
    if (took > limit + delays(&scenario->pace)) simulation_fail("%s: took %g s", kind, took);
    if (request->idle > limit) simulation_fail("%s: waited %g s for nothing", kind, request->idle);
    if (!request->status) {
        if (!may_be_closed(client, request)) simulation_fail("%s: closed without answer", kind);
        return;
    }
    if (request->status != query->status) {
        if (!may_be_refused(client, request))
            simulation_fail("%s: %u %s", kind, request->status, body);
        return;
    }
    if (!is_answer(request, body))
        simulation_fail("%s: not an answer of models %x: %s", kind, request->versions, body);
    if (request->query == QUERY_SUGGEST) scenario->suggested = true;
}

typedef struct Tally {
    size_t lines[MAX_CLIENTS][MAX_REQUESTS];
    size_t before; // lines before that of the last /metrics
    bool last;     // which has been seen
} Tally;

// Counts a line of the log; false if it is of no request, or of another status than its answer.
static bool count_line(Tally *tally, const Scenario *scenario, const char *address, unsigned status)
{
    size_t client, place;
    if (sscanf(address, "10.0.%zu.%zu", &client, &place) != 2 || client >= scenario->client_count ||
        place >= scenario->clients[client].count)
        return false;
    unsigned answered = scenario->clients[client].requests[place].status;
    tally->lines[client][place]++;
    tally->before += !tally->last;
    return !answered || answered == status;
}

static void add_line(Tally *tally, const Scenario *scenario, const char *text, size_t length)
{
    json_error_t error;
    json_t *line = json_loadb(text, length, 0, &error);
    const char *address = json_string_value(json_object_get(line, "client"));
    if (!address) simulation_fail("a line of the log: %.*s", (int)length, text);
    unsigned status = (unsigned)json_integer_value(json_object_get(line, "status"));
    if (strcmp(address, "metrics") == 0)
        tally->last = true;
    else if (!count_line(tally, scenario, address, status))
        simulation_fail("a line of the log of no answer: %.*s", (int)length, text);
    json_decref(line);
}

void verdict_on_all(const Scenario *scenario)
{
    Tally tally = {0};
    const char *at = bytes_text(&scenario->logged);
    for (const char *end; (end = strchr(at, '\n')); at = end + 1)
        add_line(&tally, scenario, at, (size_t)(end - at));
    if (*at && scenario->log_pause == 0) simulation_fail("a line of the log is cut: %s", at);
    for (size_t i = 0; i < scenario->client_count; i++)
        for (size_t j = 0; j < scenario->clients[i].count; j++) {
            const ClientRequest *request = &scenario->clients[i].requests[j];
            size_t lines = tally.lines[i][j];
            bool logged = lines == 1 || scenario->pace.short_memory || scenario->log_pause > 0;
            if (lines > 1 || (request->status && !logged))
                simulation_fail("%s of 10.0.%zu.%zu, answered %u, has %zu lines in the log",
                                queries[request->query].target, i, j, request->status, lines);
        }
    if (scenario->counted != SIZE_MAX && tally.last && !scenario->pace.short_memory &&
        scenario->counted != tally.before)
        simulation_fail("/metrics counts %zu requests, the log %zu", scenario->counted,
                        tally.before);
}
