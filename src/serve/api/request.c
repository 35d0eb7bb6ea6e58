#define _GNU_SOURCE
#include "serve/api/request.h"

#include "base/ascii.h"
#include "base/memory.h"
#include "text/word_list.h"

#include <strings.h>

// What routes ask for; a form's other fields would only take memory.
static const char known[] =
    "q translation source target format alternatives alignment prefix glossary "
    "what_if step s no_attributes uncertain api_key";

bool request_is_for(const Request *request, const char *path)
{
    size_t length = strcspn(request->target, "?");
    return strlen(path) == length && !memcmp(request->target, path, length);
}

/* Replaces `out` by a field's text: + is a space, %XX a byte; another % is itself, as browsers have
 * it (the URL Standard, "percent-decode"). */
static Status decode(Bytes *out, TextView text, Error *error)
{
    bytes_clear(out);
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i] == '+' ? ' ' : text.data[i];
        int high = c == '%' && i + 2 < text.length ? ascii_hexadecimal(text.data[i + 1]) : -1;
        int low = high >= 0 ? ascii_hexadecimal(text.data[i + 2]) : -1;
        if (low >= 0) {
            c = (char)(high * 16 + low);
            i += 2;
        }
        TRY(bytes_append(out, &c, 1, error));
    }
    return STATUS_OK;
}

static Status keep_field(json_t *parameters, const Bytes *name, TextView value, Error *error)
{
    const char *key = bytes_text(name);
    if (!word_list_has(known, key, name->length) || json_object_get(parameters, key))
        return STATUS_OK;
    if (memchr(value.data, '\0', value.length)) // which JSON does not allow either
        return error_set(error, STATUS_FORMAT, "Invalid request: %s has the character NUL", key);
    json_t *text = json_stringn(value.data, value.length);
    if (!text && !json_memory_was_short())
        return error_set(error, STATUS_FORMAT, "Invalid request: %s is not UTF-8", key);
    if (json_object_set_new(parameters, key, text))
        return error_memory(error, value.length, "a form");
    return STATUS_OK;
}

// Adds the fields of `name=value&name=value` that are not there yet.
static Status add_fields(json_t *parameters, TextView form, Error *error)
{
    FREED_BY(bytes_free) Bytes name = {0}, value = {0};
    while (form.length > 0) {
        TextView rest = text_view_cut(&form, '&');
        TRY(decode(&name, text_view_cut(&rest, '='), error));
        TRY(decode(&value, rest, error));
        TRY(keep_field(parameters, &name, bytes_view(&value), error));
    }
    return STATUS_OK;
}

// What follows `name=`, in quotation marks or up to a semicolon, in a header's value; none: empty.
static TextView header_parameter(TextView header, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = header.data, *end = at + header.length; at + length < end; at++) {
        if (!strchr("; \t", at[-1]) || strncasecmp(at, name, length) != 0) continue;
        bool quoted = at[length] == '"';
        TextView value = {at + length + quoted, 0};
        while (value.data + value.length < end &&
               !strchr(quoted ? "\"" : "; \t\r\n", value.data[value.length]))
            value.length++;
        return value;
    }
    return (TextView){0};
}

// Keeps the field of a part of a form, which begins with its headers.
static Status add_part(json_t *parameters, TextView part, Error *error)
{
    static const char empty_line[] = "\r\n\r\n";
    const char *end = memmem(part.data, part.length, empty_line, sizeof empty_line - 1);
    FREED_BY(bytes_free) Bytes key = {0};
    if (!end) return error_set(error, STATUS_FORMAT, "Invalid request: a part has no headers");
    size_t headers = (size_t)(end - part.data);
    // the part begins behind its delimiter, so there is a byte before it
    TextView name = header_parameter((TextView){part.data, headers}, "name=");
    if (name.data) TRY(bytes_append(&key, name.data, name.length, error));
    size_t begin = headers + sizeof empty_line - 1;
    if (key.length > 0)
        TRY(keep_field(parameters, &key, (TextView){part.data + begin, part.length - begin},
                       error));
    return STATUS_OK;
}

// Adds the fields of multipart/form-data (RFC 7578), parts between lines of the boundary.
static Status add_parts(json_t *parameters, TextView form, TextView boundary, Error *error)
{
    FREED_BY(bytes_free) Bytes delimiter = {0};
    TRY(bytes_append_format(&delimiter, error, "\r\n--%.*s", (int)boundary.length, boundary.data));
    const TextView line = {bytes_text(&delimiter), delimiter.length};
    const char *end = form.data + form.length, *at = form.data;
    // the first has no line before it
    if (form.length >= line.length - 2 && !memcmp(at, line.data + 2, line.length - 2))
        at += line.length - 2;
    else
        at = NULL;
    while (at && (end - at < 2 || memcmp(at, "--", 2) != 0)) {
        const char *next = memmem(at, (size_t)(end - at), line.data, line.length);
        if (next) TRY(add_part(parameters, (TextView){at, (size_t)(next - at)}, error));
        at = next ? next + line.length : NULL;
    }
    if (at) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "Invalid request: the form has no end");
}

// "application/json; charset=utf-8", "application/problem+json"
static bool is_json(const char *content_type)
{
    if (!content_type) return false;
    size_t length = strcspn(content_type, "; ");
    return (length == 16 && !strncasecmp(content_type, "application/json", 16)) ||
           (length > 5 && !strncasecmp(content_type + length - 5, "+json", 5));
}

static Status read_body(json_t **parameters, const Request *request, Error *error)
{
    const char *type = request->content_type;
    if (!is_json(type)) {
        bool parted = type && strncasecmp(type, "multipart/form-data", 19) == 0;
        TextView boundary = {0};
        if (parted) boundary = header_parameter(text_view_of(type + 19), "boundary=");
        *parameters = json_object();
        if (!*parameters) return error_memory(error, sizeof(json_t), "a form");
        return parted ? add_parts(*parameters, request->body, boundary, error)
                      : add_fields(*parameters, request->body, error);
    }
    TRY(json_parse(parameters, request->body.data, request->body.length, "Invalid request",
                   "the body", error));
    if (json_typeof(*parameters) == JSON_OBJECT) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "Invalid request: the body is not a JSON object");
}

Status request_parameters(json_t **out, const Request *request, Error *error)
{
    FREED_BY(json_decref_at) json_t *parameters = NULL;
    const char *query = strchr(request->target, '?');
    json_watch();
    json_memory_was_short(); // of a value that was given up
    TRY(read_body(&parameters, request, error));
    if (query) TRY(add_fields(parameters, text_view_of(query + 1), error));
    *out = memory_take(&parameters);
    return STATUS_OK;
}
