/* One request and its answer on a connection, in libmicrohttpd's terms: the request is put together
 * from its pieces, handled by the routes, and if it has to wait for a model, the connection sleeps
 * until it is answered. */
#ifndef REGARD_SERVE_HTTP_EXCHANGE_H
#define REGARD_SERVE_HTTP_EXCHANGE_H

#include "serve/http/deadlines.h"
#include "serve/http/microhttpd_library.h"
#include "serve/http/server.h"

/* What is on the way through a server. The bodies of all requests together have at most as many
 * bytes as BODIES_AT_ONCE of the greatest size, and what is more is refused: so memory is bounded,
 * however many connections there are. */
typedef struct Traffic {
    const MicrohttpdLibrary *http;
    Service *service;
    ServerOptions options;
    LogBuffer *log;            // NULL: there is none
    Deadlines deadlines;       // of the connections; by MHD's thread
    size_t body_bytes;         // kept now; by MHD's thread
    atomic_size_t answering;   // requests that have come whole and are not finished
    int wake;                  // an eventfd, set when there are `answered`
    pthread_mutex_t lock;      // of what follows
    struct Exchange *answered; // whose jobs are done and whose connections still sleep
} Traffic;

enum { BODIES_AT_ONCE = 64 };

Status traffic_start(Traffic *traffic, Service *service, const ServerOptions *options,
                     Error *error);

// Wakes the connections of requests that have been answered; by MHD's thread, once traffic->wake is
// set.
void traffic_resume(Traffic *traffic);

size_t traffic_answering(const Traffic *traffic);

/* Ends what traffic_start began, once there are no exchanges, and the log, for which it waits at
 * most so many seconds (serve/log_buffer.h). */
void traffic_end(Traffic *traffic, double seconds);

// That of a connection, which has one from its beginning to its end.
Deadline *traffic_deadline(const Traffic *traffic, struct MHD_Connection *connection);

typedef struct Exchange Exchange;

// NULL where memory is short. Ended by exchange_end.
Exchange *exchange_new(Traffic *traffic, const char *target);

bool exchange_has_begun(const Exchange *exchange);

// The request's headers have come.
enum MHD_Result exchange_begin(Exchange *exchange, struct MHD_Connection *connection,
                               const char *method);

// A part of its body has come.
enum MHD_Result exchange_receive(Exchange *exchange, const char *data, size_t length);

// The request has come whole, or its job has been answered.
enum MHD_Result exchange_answer(Exchange *exchange);

// Counts and logs it, if it has been answered; NULL is allowed.
void exchange_end(Exchange *exchange);

#endif
