/* The access log: a line of JSON for each request that was answered.
 *
 *     {"time": "2025-01-31T12:00:00.000Z", "client": "127.0.0.1", "method": "POST",
 *      "path": "/translate", "status": 200, "milliseconds": 12.3, "source": "en", "target": "fr",
 *      "texts": 1, "characters": 21}
 *
 * "source" to "characters" are of requests with texts; the texts themselves are "q", and only there
 * if that is asked for. Keys and the query are never there.
 *
 * Who adds a line never waits: a thread of the log writes to what may be slow, a full pipe or a
 * disk. At most ACCESS_LOG_WAITING bytes wait for it; lines above that are dropped, and a message
 * says how many. */
#pragma once

#include "serve/api/call.h"

enum { ACCESS_LOG_WAITING = 1 << 20 };

typedef struct AccessLog AccessLog;

/* Starts the thread, which writes to a descriptor and tells by `warn` what the log lacks. Ended by
 * access_log_end. */
Status access_log_new(AccessLog **log, int descriptor, void (*warn)(const char *message),
                      Error *error);

// Writes the line, with its newline, of a call that took so long.
void access_log_line(Writer *out, const Call *call, double seconds, bool with_texts);

// Whether there was room for the line.
bool access_log_add(AccessLog *log, const char *line, size_t length);

// Waits until everything is written, or for so many seconds, and gives up what is left. NULL is
// allowed.
void access_log_end(AccessLog *log, double seconds);
