#define _GNU_SOURCE
#include "serve/http/access_log.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/utf8_sequence.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

struct AccessLog {
    int descriptor;
    void (*warn)(const char *message);
    pthread_t thread;
    pthread_mutex_t lock; // of what follows but `writing`
    pthread_cond_t changed;
    Bytes waiting;
    size_t dropped;     // behind `waiting`, not yet told
    bool closed, ended; // no more lines will come; the thread has written all
    Bytes writing;      // the thread's
};

// Waits for lines and takes them; false when there are none and none will come.
static bool take(AccessLog *log, size_t *dropped)
{
    pthread_mutex_lock(&log->lock);
    while (!log->waiting.length && !log->dropped && !log->closed)
        pthread_cond_wait(&log->changed, &log->lock);
    Bytes lines = log->waiting;
    log->waiting = log->writing;
    log->writing = lines;
    *dropped = log->dropped;
    log->dropped = 0;
    pthread_mutex_unlock(&log->lock);
    return lines.length > 0 || *dropped > 0;
}

// Writes all of it and returns 0, or the number of an error. Here alone, where it may wait for ever,
// the thread can be cancelled.
static int write_whole(int descriptor, const char *lines, size_t length)
{
    struct pollfd output = {.fd = descriptor, .events = POLLOUT};
    int failure = 0, before;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
    while (length > 0 && !failure) {
        ssize_t written = write(descriptor, lines, length);
        if (written >= 0) {
            lines += written;
            length -= (size_t)written;
        } else if (errno == EAGAIN) {
            (void)poll(&output, 1, -1);
        } else if (errno != EINTR) {
            failure = errno;
        }
    }
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return failure;
}

static void *write_lines(void *context)
{
    AccessLog *log = context;
    char message[128];
    size_t dropped;
    int before, failure = 0;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    while (take(log, &dropped)) {
        bool ended = failure != 0;
        if (!ended)
            failure = write_whole(log->descriptor, bytes_text(&log->writing), log->writing.length);
        bytes_clear(&log->writing);
        if (ended) continue;
        if (failure)
            (void)snprintf(message, sizeof message, "the access log ends: %s", strerror(failure));
        else if (dropped > 0)
            (void)snprintf(message, sizeof message,
                           "the access log lacks %zu lines: it is read too slowly", dropped);
        if (failure || dropped > 0) log->warn(message);
    }
    pthread_mutex_lock(&log->lock);
    log->ended = true;
    pthread_cond_signal(&log->changed);
    pthread_mutex_unlock(&log->lock);
    return NULL;
}

static void release(AccessLog *log)
{
    bytes_free(&log->waiting);
    bytes_free(&log->writing);
    pthread_cond_destroy(&log->changed);
    pthread_mutex_destroy(&log->lock);
    memory_free(log);
}

Status access_log_new(AccessLog **out, int descriptor, void (*warn)(const char *message),
                      Error *error)
{
    AccessLog *log;
    TRY(array_new(&log, 1, "the access log", error));
    pthread_mutex_init(&log->lock, NULL);
    pthread_cond_init(&log->changed, NULL);
    log->descriptor = descriptor;
    log->warn = warn;
    if (pthread_create(&log->thread, NULL, write_lines, log)) {
        release(log);
        return error_set(error, STATUS_MEMORY, "a thread could not be started");
    }
    *out = log;
    return STATUS_OK;
}

bool access_log_add(AccessLog *log, const char *line, size_t length)
{
    pthread_mutex_lock(&log->lock);
    // after a gap there are no lines until it has been told
    bool room = !log->dropped && log->waiting.length + length <= ACCESS_LOG_WAITING &&
                !bytes_append(&log->waiting, line, length, NULL);
    if (!room) log->dropped++;
    pthread_cond_signal(&log->changed);
    pthread_mutex_unlock(&log->lock);
    return room;
}

void access_log_end(AccessLog *log, double seconds)
{
    if (!log) return;
    const double end = clock_seconds() + seconds;
    const struct timespec limit = {(time_t)end, (long)(1e9 * (end - floor(end)))};
    pthread_mutex_lock(&log->lock);
    log->closed = true;
    pthread_cond_signal(&log->changed);
    while (!log->ended &&
           !pthread_cond_clockwait(&log->changed, &log->lock, CLOCK_MONOTONIC, &limit))
        continue;
    const bool ended = log->ended;
    pthread_mutex_unlock(&log->lock);
    void *result = NULL;
    if (!ended) pthread_cancel(log->thread);
    pthread_join(log->thread, &result);
    if (result == PTHREAD_CANCELED)
        log->warn("the access log lacks its last lines: it is read too slowly");
    release(log);
}

enum { TIME_SIZE = 40, SHOWN_SIZE = 256 };

static void write_time(char text[TIME_SIZE])
{
    struct timespec now;
    struct tm day;
    char seconds[TIME_SIZE / 2] = "";
    clock_gettime(CLOCK_REALTIME, &now);
    (void)gmtime_r(&now.tv_sec, &day);
    strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &day);
    (void)snprintf(text, TIME_SIZE, "%s.%03dZ", seconds, (int)(now.tv_nsec / 1000000));
}

// The text, cut, with what is not UTF-8 or would steer a terminal as '?'.
static const char *shown(char out[SHOWN_SIZE], const char *text, size_t length)
{
    (void)snprintf(out, SHOWN_SIZE, "%.*s", (int)(length < SHOWN_SIZE ? length : SHOWN_SIZE), text);
    utf8_make_harmless(out, strlen(out), false);
    return out;
}

void access_log_line(Writer *out, const Call *call, double seconds, bool with_texts)
{
    const Request *request = call->request;
    char time[TIME_SIZE], client[SHOWN_SIZE], method[SHOWN_SIZE], path[SHOWN_SIZE];
    write_time(time);
    json_t *line =
        json_pack("{s:s, s:s, s:s, s:s, s:i, s:f}", "time", time, "client",
                  shown(client, request->client, strlen(request->client)), "method",
                  shown(method, request->method, strlen(request->method)), "path",
                  shown(path, request->target, strcspn(request->target, "?")), "status",
                  (int)call->job.response.status, "milliseconds", round(1e4 * seconds) / 10);
    if (call->job.texts) {
        if (*call->source.text) json_object_set_new(line, "source", json_string(call->source.text));
        if (*call->target.text) json_object_set_new(line, "target", json_string(call->target.text));
        json_object_set_new(line, "texts",
                            json_integer((json_int_t)json_array_size(call->job.texts)));
        json_object_set_new(line, "characters", json_integer((json_int_t)call->characters));
        if (with_texts) json_object_set(line, "q", call->job.texts);
    }
    json_write(out, line, JSON_COMPACT | JSON_REAL_PRECISION(9));
    writer_string(out, "\n");
}
