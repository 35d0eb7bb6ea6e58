#define _GNU_SOURCE
#include "serve/http/access_log.h"

#include "base/utf8_sequence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TIME_SIZE = 40, SHOWN_SIZE = 256 };

static void write_time(char text[TIME_SIZE])
{
    struct timespec now;
    struct tm day;
    char seconds[TIME_SIZE / 2] = "";
    clock_gettime(CLOCK_REALTIME, &now);
    if (gmtime_r(&now.tv_sec, &day)) strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &day);
    (void)snprintf(text, TIME_SIZE, "%s.%03dZ", seconds, (int)(now.tv_nsec / 1000000));
}

// The text, cut, with what is not UTF-8 or would steer a terminal as '?'.
static const char *shown(char out[SHOWN_SIZE], const char *text, size_t length)
{
    (void)snprintf(out, SHOWN_SIZE, "%.*s", (int)(length < SHOWN_SIZE ? length : SHOWN_SIZE), text);
    utf8_make_harmless(out, strlen(out), false);
    return out;
}

void access_log_write(Writer *out, const Call *call, double seconds, bool with_texts)
{
    const Request *request = call->request;
    char time[TIME_SIZE], client[SHOWN_SIZE], method[SHOWN_SIZE], path[SHOWN_SIZE];
    write_time(time);
    json_t *line = json_pack("{s:s, s:s, s:s, s:s, s:i, s:f}", "time", time, "client",
                             shown(client, request->client, strlen(request->client)), "method",
                             shown(method, request->method, strlen(request->method)), "path",
                             shown(path, request->target, strcspn(request->target, "?")), "status",
                             (int)call->response.status, "milliseconds", round(1e4 * seconds) / 10);
    if (call->texts) {
        if (*call->source.text) json_object_set_new(line, "source", json_string(call->source.text));
        if (*call->target.text) json_object_set_new(line, "target", json_string(call->target.text));
        json_object_set_new(line, "texts", json_integer((json_int_t)json_array_size(call->texts)));
        json_object_set_new(line, "characters", json_integer((json_int_t)call->characters));
        if (with_texts) json_object_set(line, "q", call->texts);
    }
    json_write(out, line, JSON_COMPACT | JSON_REAL_PRECISION(9));
    writer_string(out, "\n");
}
