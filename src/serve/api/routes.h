/* The paths that the server answers, and how; docs/server.md has them for users. The names of
 * paths, parameters and members are those of LibreTranslate's API. */
#pragma once

#include "serve/api/call.h"
#include "serve/api/request.h"

typedef struct Route {
    const char *path;
    void (*handle)(Call *call);
    bool posted; // by POST, with parameters, if need be with a key; else by GET
} Route;

enum { ROUTES = 11 };
extern const Route routes[ROUTES];

// The place of a request's path among the routes; ROUTES if it is none of theirs.
size_t routes_find(const Request *request);

/* Handles a request: the call is then answered, or waits. It is {0} but for its service and request,
 * and is freed by call_free. By one thread at a time. */
void routes_handle(Call *call);

// The methods of the route at a place, such as "POST, OPTIONS"; NULL at ROUTES.
const char *routes_methods(size_t route);

// What the build embeds (tools/embed), as it is sent: UTF-8, NUL-terminated.
extern const char serve_page[];         // page.html with its style and scripts
extern const char serve_page_policy[];  // the Content-Security-Policy that it works under
extern const char specification_json[]; // of the API, in OpenAPI 3.0, with the version
