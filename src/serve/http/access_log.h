/* The access log: a line of JSON for each request that was answered.
 *
 *     {"time": "2025-01-31T12:00:00.000Z", "client": "127.0.0.1", "method": "POST", "path":
 * "/translate", "status": 200, "milliseconds": 12.3, "source": "en", "target": "fr", "texts": 1,
 *      "characters": 21}
 *
 * "source" to "characters" are of requests with texts; the texts themselves are "q", and only there
 * if that is asked for. Keys and the query are never there. */
#ifndef REGARD_SERVE_HTTP_ACCESS_LOG_H
#define REGARD_SERVE_HTTP_ACCESS_LOG_H

#include "serve/api/call.h"

// Writes a line, with its newline, for a call that took so long.
void access_log_write(Writer *out, const Call *call, double seconds, bool with_texts);

#endif
