/* What the server has done, counted for Prometheus (its text format, version 0.0.4). Several
 * threads may count at the same time. */
#ifndef REGARD_SERVE_SERVICE_METRICS_H
#define REGARD_SERVE_SERVICE_METRICS_H

#include "base/writer.h"

typedef struct Metrics Metrics;

// What is counted of a request when it has been answered.
typedef struct RequestRecord {
    size_t route;      // its place among the names of metrics_new; their count for any other path
    unsigned status;   // of the response
    double seconds;    // from its first byte to its answer's last
    size_t characters; // of its texts
} RequestRecord;

/* `routes` (route_count) are the paths, which must outlive it. Freed by metrics_free. */
Status metrics_new(Metrics **metrics, const char *const *routes, size_t route_count, Error *error);

void metrics_free(Metrics *metrics); // NULL is allowed

void metrics_add_request(Metrics *metrics, const RequestRecord *record);

// A batch of so many jobs with so many pieces of text.
void metrics_add_batch(Metrics *metrics, size_t jobs, size_t pieces, double seconds);

// A line of the access log that could not be written.
void metrics_add_dropped_line(Metrics *metrics);

// Writes all of it; `waiting` is the queue's length now.
void metrics_write(Writer *out, Metrics *metrics, size_t waiting);

#endif
