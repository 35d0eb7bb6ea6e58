/* What happens in one simulation of `regard serve`: clients, signals, misfortunes, all drawn from a
 * seed, and what must hold whatever happens. */
#pragma once

#include "base/bytes.h"
#include "simulation/queries.h"
#include "simulation/simulation.h"

enum { MAX_CLIENTS = 8, MAX_REQUESTS = 4, MAX_RELOADS = 3, MAX_PIECES = 4 };

typedef enum Fate {
    FATE_SERVED,      // the client sends a request and reads the answer
    FATE_UNFINISHED,  // sends a part of it, and then nothing
    FATE_LEAVES,      // closes the connection at any time
    FATE_HALF_CLOSES, // closes its own direction once it has sent the request
    FATES
} Fate;

typedef struct ClientRequest {
    size_t query;
    Fate fate;
    size_t pieces;             // that it is sent in
    double pauses[MAX_PIECES]; // seconds before each
    double leaves;             // seconds after the request was sent
    bool chunked, closes;      // Transfer-Encoding, Connection: close
    unsigned versions;         // bits: models that may answer it
    bool suggested;            // the correction had been taken before it was sent
    double opened;             // when the connection was, or when the request before it on it began
    double begun, sent, ended; // seconds; 0: not yet
    double idle;               // of them nobody worked
    unsigned status;           // of its answer; 0: none
} ClientRequest;

typedef struct Client {
    struct Scenario *scenario;
    size_t number;
    double begins;
    ClientRequest requests[MAX_REQUESTS];
    size_t count;
    bool active; // a request is on the way:
    size_t current;
} Client;

typedef struct Scenario {
    uint64_t seed;
    Pace pace;
    double timeout;
    size_t max_queue, per_minute, max_connections, threads; // 0: as they are by themselves
    Client clients[MAX_CLIENTS];
    size_t client_count, clients_ended;
    struct Reload {
        double when;
        size_t version; // VERSIONS: a file that is no model
    } reloads[MAX_RELOADS];
    size_t reload_count;
    double ends;      // when SIGTERM comes; 0: once all clients have ended
    double corrects;  // the share of the requests that are about corrections
    double log_pause; // seconds before each piece of the log is read
    const char *folder;
    // what has happened
    unsigned versions; // bits: models that may be served now
    bool suggested;
    double ending; // when SIGTERM was sent; 0: not yet
    bool ended;    // the server has
    int log[2];    // a pipe
    Bytes logged;
    size_t counted; // requests that /metrics had counted at the end; SIZE_MAX: not asked
} Scenario;

// What is drawn.
void scenario_draw(Scenario *scenario, uint64_t seed);

// Whether a model may be served from now on, besides those of before.
void scenario_add_version(Scenario *scenario, size_t version);

// The thread of a client.
void client_run(void *client);

// Asks for /metrics on a connection of its own; the sum of the requests counted, SIZE_MAX: no answer.
size_t client_count_requests(void);

// What must hold of what a request met with.
void verdict_on_request(const Client *client, const ClientRequest *request, const char *body);

// And of all, when the server has ended.
void verdict_on_all(const Scenario *scenario);
