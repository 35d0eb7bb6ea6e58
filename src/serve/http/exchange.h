/* Connections, and a request and its answer on one, in libmicrohttpd's terms: the request is put together
 * from its pieces, handled by the routes, and if it has to wait for a model, the connection sleeps
 * until it is answered. */
#pragma once

#include "serve/http/access_log.h"
#include "serve/http/deadlines.h"
#include "serve/http/microhttpd_library.h"
#include "serve/http/server.h"

enum { BODIES_AT_ONCE = 64, BODIES_OF_CLIENT = 16, CLIENT_SHARES = 1024 };

/* What is on the way through a server. The bodies of all requests together have at most as many
 * bytes as BODIES_AT_ONCE of the greatest size, those of a client as BODIES_OF_CLIENT, and what is
 * more is refused: so memory is bounded, however many connections there are, and no client can take
 * all of it. Clients are told apart by a hash of their address. */
typedef struct Traffic {
    MicrohttpdLibrary http;
    Service *service;
    ServerOptions options;
    AccessLog *log; // NULL: there is none
    // by MHD's thread:
    Deadlines deadlines; // of the connections
    bool changed;        // a connection has begun or ended since MHD last ran
    size_t body_bytes;   // kept now
    size_t client_bytes[CLIENT_SHARES];
    atomic_size_t answering;   // requests that have come whole and are not finished
    int wake;                  // an eventfd, set when there are `answered`
    pthread_mutex_t lock;      // of what follows
    struct Exchange *answered; // whose jobs are done and whose connections still sleep
} Traffic;

// Wakes the connections of requests that have been answered; by MHD's thread, once traffic->wake is
// set.
void traffic_resume(Traffic *traffic);

/* What MHD calls: when a connection begins or ends, whose state is its deadline; when the first line
 * of a request has come, which makes the exchange; for each piece of the request and once its job is
 * answered; and at its end, where it is counted and logged. The context is the traffic. */
void exchange_connect(void *context, struct MHD_Connection *connection, void **deadline,
                      enum MHD_ConnectionNotificationCode code);
void *exchange_new(void *context, const char *target, struct MHD_Connection *connection);
enum MHD_Result exchange_handle(void *context, struct MHD_Connection *connection, const char *path,
                                const char *method, const char *version, const char *data,
                                size_t *size, void **exchange);
void exchange_end(void *context, struct MHD_Connection *connection, void **exchange,
                  enum MHD_RequestTerminationCode code);
