/* Lines on their way to the access log. Who adds one never waits: a thread of its own gives them to
 * an output that may, a full pipe or a slow disk. At most LOG_BUFFER bytes wait for it; lines above
 * that are dropped, and the output hears how many. */
#ifndef REGARD_SERVE_HTTP_LOG_BUFFER_H
#define REGARD_SERVE_HTTP_LOG_BUFFER_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { LOG_BUFFER = 1 << 20 };

// Where lines go, such as to standard output.
typedef struct LogOutput {
    /* Takes whole lines, each with its newline, of `length` bytes; `dropped` lines are missing
     * after them. Called by the buffer's thread alone. NULL: there is no log. */
    void (*write)(void *context, const char *lines, size_t length, size_t dropped);
    // From now on `write` returns soon, whether or not it has written. Called by another thread.
    void (*give_up)(void *context);
    void *context;
} LogOutput;

typedef struct LogBuffer LogBuffer;

// Starts the thread. Ended by log_buffer_end.
Status log_buffer_new(LogBuffer **buffer, const LogOutput *output, Error *error);

// Whether there was room for the line; the output has it some moments later.
bool log_buffer_add(LogBuffer *buffer, const char *line, size_t length);

/* Waits until the output has taken everything, or for so many seconds, and gives up what is left;
 * false then. NULL is allowed. */
bool log_buffer_end(LogBuffer *buffer, double seconds);

#endif
