// What is sent as it stands, embedded by the build (tools/embed), which is why it has a header.
#ifndef REGARD_SERVE_API_EMBEDDED_H
#define REGARD_SERVE_API_EMBEDDED_H

// The page that translates while one types: page.html with its style and scripts.
extern const char serve_page[];        // UTF-8, NUL-terminated
extern const char serve_page_policy[]; // the Content-Security-Policy that it works under

// The description of the API (OpenAPI 3.0): specification.json without white space, with the version.
extern const char specification_json[]; // ASCII, NUL-terminated

#endif
