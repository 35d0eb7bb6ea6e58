#define _GNU_SOURCE
#include "serve/http/log_buffer.h"

#include "base/array.h"
#include "base/bytes.h"
#include "base/memory.h"

#include <pthread.h>
#include <time.h>

// Lines are collected for so long before they are given on, since to wake a thread for each costs
// more than to write it.
enum { COLLECTING_NANOSECONDS = 20000000, SECOND = 1000000000 };

struct LogBuffer {
    LogOutput output;
    pthread_t thread;
    pthread_mutex_t lock; // of what follows but `writing`
    pthread_cond_t changed;
    Bytes waiting;
    size_t dropped; // behind `waiting`, since the output last heard of it
    bool closed;
    Bytes writing; // the thread's
};

// The time of a clock so many nanoseconds from now.
static struct timespec after(clockid_t clock, long long nanoseconds)
{
    struct timespec time;
    clock_gettime(clock, &time);
    nanoseconds += time.tv_nsec;
    time.tv_sec += (time_t)(nanoseconds / SECOND);
    time.tv_nsec = (long)(nanoseconds % SECOND);
    return time;
}

// Waits for lines, then for more; false when there are none and none will come.
static bool collect(LogBuffer *buffer, size_t *dropped)
{
    pthread_mutex_lock(&buffer->lock);
    while (!buffer->waiting.length && !buffer->dropped && !buffer->closed)
        pthread_cond_wait(&buffer->changed, &buffer->lock);
    // the time of day may be set back
    struct timespec end = after(CLOCK_MONOTONIC, COLLECTING_NANOSECONDS);
    while (!buffer->closed && buffer->waiting.length < LOG_BUFFER / 2)
        if (pthread_cond_clockwait(&buffer->changed, &buffer->lock, CLOCK_MONOTONIC, &end)) break;
    Bytes lines = buffer->waiting;
    buffer->waiting = buffer->writing;
    buffer->writing = lines;
    *dropped = buffer->dropped;
    buffer->dropped = 0;
    pthread_mutex_unlock(&buffer->lock);
    return lines.length > 0 || *dropped > 0;
}

static void *write_lines(void *context)
{
    LogBuffer *buffer = context;
    size_t dropped;
    while (collect(buffer, &dropped)) {
        buffer->output.write(buffer->output.context, bytes_text(&buffer->writing),
                             buffer->writing.length, dropped);
        bytes_clear(&buffer->writing);
    }
    return NULL;
}

static void release(LogBuffer *buffer)
{
    bytes_free(&buffer->waiting);
    bytes_free(&buffer->writing);
    pthread_cond_destroy(&buffer->changed);
    pthread_mutex_destroy(&buffer->lock);
    memory_free(buffer);
}

Status log_buffer_new(LogBuffer **out, const LogOutput *output, Error *error)
{
    LogBuffer *buffer;
    TRY(array_new(&buffer, 1, "the access log", error));
    pthread_mutex_init(&buffer->lock, NULL);
    pthread_cond_init(&buffer->changed, NULL);
    buffer->output = *output;
    if (pthread_create(&buffer->thread, NULL, write_lines, buffer)) {
        release(buffer);
        return error_set(error, STATUS_MEMORY, "a thread could not be started");
    }
    *out = buffer;
    return STATUS_OK;
}

bool log_buffer_add(LogBuffer *buffer, const char *line, size_t length)
{
    pthread_mutex_lock(&buffer->lock);
    size_t before = buffer->waiting.length;
    // after a gap there are no lines until it has been told
    bool room = !buffer->dropped && before + length <= LOG_BUFFER &&
                !bytes_append(&buffer->waiting, line, length, NULL);
    if (!room) buffer->dropped++;
    size_t now = buffer->waiting.length;
    if (before == 0 || (before < LOG_BUFFER / 2 && now >= LOG_BUFFER / 2))
        pthread_cond_signal(&buffer->changed);
    pthread_mutex_unlock(&buffer->lock);
    return room;
}

bool log_buffer_end(LogBuffer *buffer, double seconds)
{
    if (!buffer) return true;
    pthread_mutex_lock(&buffer->lock);
    buffer->closed = true;
    pthread_cond_signal(&buffer->changed);
    pthread_mutex_unlock(&buffer->lock);
    struct timespec limit = after(CLOCK_REALTIME, (long long)(seconds * SECOND));
    bool whole = pthread_timedjoin_np(buffer->thread, NULL, &limit) == 0;
    if (!whole) {
        buffer->output.give_up(buffer->output.context);
        pthread_join(buffer->thread, NULL);
    }
    release(buffer);
    return whole;
}
