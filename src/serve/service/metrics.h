/* What the server has done, counted for Prometheus (its text format, version 0.0.4). Several
 * threads may count at the same time. */
#pragma once

#include "base/writer.h"

#include <pthread.h>

enum {
    METRIC_ROUTES = 12, // those of serve/api/routes.h, and any other path
    METRIC_STATUSES = 11,
    METRIC_DURATIONS = 12
};

// Start from {.lock = PTHREAD_MUTEX_INITIALIZER}.
typedef struct Metrics {
    pthread_mutex_t lock; // of the rest
    size_t requests[METRIC_ROUTES][METRIC_STATUSES];
    size_t durations[METRIC_DURATIONS]; // requests up to each limit and above the last
    double seconds, batch_seconds;
    size_t characters, batches, jobs, pieces, dropped_lines;
} Metrics;

/* A request by the place of its route (routes_find): the status of its answer, the seconds from its
 * first byte to its answer's last, the characters of its texts. */
void metrics_add_request(Metrics *metrics, size_t route, unsigned status, double seconds,
                         size_t characters);

// A batch of so many jobs with so many pieces of text.
void metrics_add_batch(Metrics *metrics, size_t jobs, size_t pieces, double seconds);

// A line of the access log that could not be written.
void metrics_add_dropped_line(Metrics *metrics);

// Writes all of it; `waiting` is the queue's length now.
void metrics_write(Writer *out, Metrics *metrics, size_t waiting);
