// Counts of requests as Prometheus reads them.

#include "serve/api/routes.h"

#include "support/suite.h"

// A request is in each bucket whose limit it keeps, and one of any length in the last.
TEST(requests)
{
    Metrics metrics = {.lock = PTHREAD_MUTEX_INITIALIZER};
    Bytes text = {0};
    metrics_add_request(&metrics, 0, 200, 0.005, 3);
    metrics_add_request(&metrics, 0, 200, 0.3, 4);
    metrics_add_request(&metrics, ROUTES, 404, 11, 0);
    metrics_add_dropped_line(&metrics);
    Writer out = writer_start(&text, NULL);
    metrics_write(&out, &metrics, 7);
    assert_ok(writer_end(&out));
    static const char *const lines[] = {
        "requests_total{path=\"/translate\",status=\"200\"} 2",
        "requests_total{path=\"other\",status=\"404\"} 1",
        "request_duration_seconds_bucket{le=\"0.005\"} 1",
        "request_duration_seconds_bucket{le=\"0.25\"} 1",
        "request_duration_seconds_bucket{le=\"0.5\"} 2",
        "request_duration_seconds_bucket{le=\"10\"} 2",
        "request_duration_seconds_bucket{le=\"+Inf\"} 3",
        "request_duration_seconds_count 3",
        "characters_total 7",
        "queue_length 7",
        "log_lines_dropped_total 1",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[100] = "\nregard_";
        strcat(strcat(line, lines[i]), "\n");
        assert_contains(bytes_text(&text), line);
    }
    bytes_free(&text);
}
