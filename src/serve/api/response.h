/* A response: its status and its body, JSON unless `type` says otherwise. Start from {0}, end with
 * response_free. Where memory is short it is a 500 without a body. */
#pragma once

#include "io/json.h"

// The statuses that the server gives.
enum {
    HTTP_OK = 200,
    HTTP_NO_CONTENT = 204,
    HTTP_BAD_REQUEST = 400,
    HTTP_FORBIDDEN = 403,
    HTTP_NOT_FOUND = 404,
    HTTP_METHOD_NOT_ALLOWED = 405,
    HTTP_TOO_LARGE = 413,
    HTTP_TOO_MANY_REQUESTS = 429,
    HTTP_CLIENT_GONE = 499, // nginx's: nobody waits for the answer; the log and metrics show it
    HTTP_FAILED = 500,
    HTTP_UNAVAILABLE = 503
};

typedef struct Response {
    unsigned status;    // 0: not answered yet
    const char *type;   // NULL: application/json
    const char *allow;  // of a 405: the methods allowed
    const char *policy; // of a page: its Content-Security-Policy
    Bytes body;
} Response;

// {"error": "…"} with the formatted text; what was there before is forgotten.
void response_error(Response *response, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// 429 and 503: there is no room for a request, or no time.
void response_busy(Response *response);
void response_ending(Response *response);

/* The same for a failure of the library: 500 out of memory, 503 given up,
 * else `otherwise`. */
void response_failure(Response *response, const Error *error, unsigned otherwise);

// 200 with a value, which is released; NULL is a lack of memory.
void response_json(Response *response, json_t *json);

void response_free(Response *response);
