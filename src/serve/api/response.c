#include "serve/api/response.h"

#include "base/utf8_sequence.h"

static void write_json(Response *response, unsigned status, json_t *json)
{
    *response = (Response){.status = status, .body = response->body};
    Writer out = writer_start(&response->body, NULL);
    bytes_clear(&response->body);
    out.start = 0;
    json_write(&out, json, JSON_COMPACT | JSON_REAL_PRECISION(9));
    writer_string(&out, "\n");
    if (writer_end(&out)) response->status = HTTP_FAILED;
}

void response_error(Response *response, unsigned status, const char *format, ...)
{
    FREED_BY(bytes_free) Bytes text = {0};
    va_list arguments;
    va_start(arguments, format);
    Status failed = bytes_append_arguments(&text, NULL, format, arguments);
    va_end(arguments);
    if (!failed) utf8_make_harmless(text.data, text.length, false); // may be cut within a character
    const char *message = failed ? "out of memory" : bytes_text(&text);
    write_json(response, failed ? HTTP_FAILED : status, json_pack("{s:s}", "error", message));
}

void response_busy(Response *response)
{
    response_error(response, HTTP_TOO_MANY_REQUESTS,
                   "Slowdown: the server is busy; try again later");
}

void response_ending(Response *response)
{
    response_error(response, HTTP_UNAVAILABLE, "the server is shutting down");
}

void response_failure(Response *response, const Error *error, unsigned otherwise)
{
    unsigned status = error->status == STATUS_MEMORY        ? HTTP_FAILED
                      : error->status == STATUS_INTERRUPTED ? HTTP_UNAVAILABLE
                                                            : otherwise;
    response_error(response, status, "%s", error->text);
}

void response_json(Response *response, json_t *json)
{
    if (json)
        write_json(response, HTTP_OK, json);
    else
        response_error(response, HTTP_FAILED, "out of memory");
}

void response_free(Response *response)
{
    bytes_free(&response->body);
    *response = (Response){0};
}
