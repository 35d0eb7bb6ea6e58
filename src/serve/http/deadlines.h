/* How long a client may take on a connection to send a request's headers, to send its body, to read
 * an answer: each at most the same time, however it divides it. So nobody holds a connection by a
 * byte now and then. All of it belongs to one thread. */
#pragma once

#include <stdbool.h>

// Of one connection. Start from {.socket = …}.
typedef struct Deadline {
    int socket;
    bool running;
    double end; // seconds of the monotonic clock
    struct Deadline *before, *after;
} Deadline;

// Those that are running, the earliest first. Start from {.seconds = …}.
typedef struct Deadlines {
    double seconds;
    Deadline *first, *last;
} Deadlines;

// The client begins something else: it has all the time again.
void deadline_start(Deadlines *deadlines, Deadline *deadline);

// Nothing is expected of the client. Needed before its memory is freed.
void deadline_stop(Deadlines *deadlines, Deadline *deadline);

/* Shuts down the sockets of those that were over at a time up to which all that clients sent has been
 * read, whereupon libmicrohttpd closes the connections. Returns the seconds from then to the next,
 * INFINITY where there is none. */
double deadlines_enforce(Deadlines *deadlines, double now);
