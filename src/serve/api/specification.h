// The description of the API (OpenAPI 3.0, JSON), specification.json, embedded by the build
// (tools/embed).
#ifndef REGARD_SERVE_API_SPECIFICATION_H
#define REGARD_SERVE_API_SPECIFICATION_H

extern const char specification_json[]; // ASCII, NUL-terminated

#endif
