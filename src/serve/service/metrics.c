#include "serve/service/metrics.h"

#include "serve/api/routes.h"

_Static_assert(METRIC_ROUTES == ROUTES + 1, "each route is counted, and what is none");

static const unsigned statuses[METRIC_STATUSES] = {200, 204, 400, 403, 404, 405,
                                                   413, 429, 499, 500, 503};
enum { LIMITS = METRIC_DURATIONS - 1 };
static const double limits[LIMITS] = {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};

void metrics_add_request(Metrics *metrics, size_t route, unsigned status, double seconds,
                         size_t characters)
{
    size_t place = 0;
    pthread_mutex_lock(&metrics->lock);
    for (size_t i = 0; i < METRIC_STATUSES; i++)
        if (statuses[i] == status) metrics->requests[route][i]++;
    while (place < LIMITS && seconds > limits[place]) place++;
    metrics->durations[place]++;
    metrics->seconds += seconds;
    metrics->characters += characters;
    pthread_mutex_unlock(&metrics->lock);
}

void metrics_add_batch(Metrics *metrics, size_t jobs, size_t pieces, double seconds)
{
    pthread_mutex_lock(&metrics->lock);
    metrics->batches++;
    metrics->jobs += jobs;
    metrics->pieces += pieces;
    metrics->batch_seconds += seconds;
    pthread_mutex_unlock(&metrics->lock);
}

void metrics_add_dropped_line(Metrics *metrics)
{
    pthread_mutex_lock(&metrics->lock);
    metrics->dropped_lines++;
    pthread_mutex_unlock(&metrics->lock);
}

static void describe(Writer *out, const char *name, const char *kind, const char *help)
{
    writer_format(out, "# HELP regard_%s %s\n# TYPE regard_%s %s\n", name, help, name, kind);
}

static void write_requests(Writer *out, const Metrics *metrics)
{
    describe(out, "requests_total", "counter", "Requests answered, by path and status.");
    for (size_t i = 0; i < METRIC_ROUTES; i++)
        for (size_t j = 0; j < METRIC_STATUSES; j++)
            if (metrics->requests[i][j] > 0)
                writer_format(out, "regard_requests_total{path=\"%s\",status=\"%u\"} %zu\n",
                              i < ROUTES ? routes[i].path : "other", statuses[j],
                              metrics->requests[i][j]);
}

static void write_durations(Writer *out, const Metrics *metrics)
{
    size_t count = 0;
    describe(out, "request_duration_seconds", "histogram", "From request to answer.");
    for (size_t i = 0; i < LIMITS; i++) {
        count += metrics->durations[i];
        writer_format(out, "regard_request_duration_seconds_bucket{le=\"%g\"} %zu\n", limits[i],
                      count);
    }
    count += metrics->durations[LIMITS];
    writer_format(out,
                  "regard_request_duration_seconds_bucket{le=\"+Inf\"} %zu\n"
                  "regard_request_duration_seconds_sum %.6f\n"
                  "regard_request_duration_seconds_count %zu\n",
                  count, metrics->seconds, count);
}

static void write_count(Writer *out, const char *name, const char *kind, const char *help,
                        size_t count)
{
    describe(out, name, kind, help);
    writer_format(out, "regard_%s %zu\n", name, count);
}

void metrics_write(Writer *out, Metrics *metrics, size_t waiting)
{
    pthread_mutex_lock(&metrics->lock);
    write_requests(out, metrics);
    write_durations(out, metrics);
    write_count(out, "characters_total", "counter", "Characters of the texts of requests.",
                metrics->characters);
    write_count(out, "queue_length", "gauge", "Requests that wait for a batch.", waiting);
    write_count(out, "batches_total", "counter", "Batches translated.", metrics->batches);
    write_count(out, "batch_requests_total", "counter", "Requests of all batches.", metrics->jobs);
    write_count(out, "batch_texts_total", "counter", "Lines of text of all batches.",
                metrics->pieces);
    write_count(out, "log_lines_dropped_total", "counter", "Lines that the access log lacks.",
                metrics->dropped_lines);
    describe(out, "batch_seconds_total", "counter", "Time spent on batches.");
    writer_format(out, "regard_batch_seconds_total %.6f\n", metrics->batch_seconds);
    pthread_mutex_unlock(&metrics->lock);
}
