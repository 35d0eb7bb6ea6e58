/* What the server has done, counted for Prometheus (its text format, version 0.0.4). Several
 * threads may count at the same time. */
#ifndef REGARD_SERVE_SERVICE_METRICS_H
#define REGARD_SERVE_SERVICE_METRICS_H

#include "base/writer.h"

typedef struct Metrics Metrics;

enum { MAX_ROUTES = 16 };

/* `routes` (route_count ≤ MAX_ROUTES) are the paths, which must outlive it. Freed by metrics_free. */
Status metrics_new(Metrics **metrics, const char *const *routes, size_t route_count, Error *error);

void metrics_free(Metrics *metrics); // NULL is allowed

/* A request to a route, its place among those of metrics_new, or their count for any other path: the
 * status of its answer, the seconds from its first byte to its answer's last, the characters of its
 * texts. */
void metrics_add_request(Metrics *metrics, size_t route, unsigned status, double seconds,
                         size_t characters);

// A batch of so many jobs with so many pieces of text.
void metrics_add_batch(Metrics *metrics, size_t jobs, size_t pieces, double seconds);

// A line of the access log that could not be written.
void metrics_add_dropped_line(Metrics *metrics);

// Writes all of it; `waiting` is the queue's length now.
void metrics_write(Writer *out, Metrics *metrics, size_t waiting);

#endif
