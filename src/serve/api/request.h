/* A request as it came, before anything in it is understood. A view: its strings live as long as
 * the connection's memory. */
#pragma once

#include "base/bytes.h"
#include "io/json.h"

typedef struct Request {
    const char *method;       // "POST"
    const char *target;       // path and query as sent: "/translate?format=text"
    const char *content_type; // NULL: none
    const char *client;       // address
    TextView body;
} Request;

// Whether the target's path, without its query, is this one.
bool request_is_for(const Request *request, const char *path);

/* The parameters of a request, as an object that the caller releases: the members of a JSON body,
 * the fields of a form (application/x-www-form-urlencoded or multipart/form-data), and those of the
 * query that the body does not have. Fields are strings; only known ones are kept, and of a repeated one the first.
 *
 * STATUS_FORMAT: the body is not JSON, or no object, a form without end, or a field
 * is not UTF-8 or has a NUL. STATUS_MEMORY. */
Status request_parameters(json_t **parameters, const Request *request, Error *error);
