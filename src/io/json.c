#include "io/json.h"

static int append(const char *data, size_t length, void *context)
{
    Writer *out = context;
    writer_bytes(out, data, length);
    return out->status ? -1 : 0;
}

void json_write(Writer *out, json_t *json, size_t flags)
{
    if (!json)
        writer_fail(out, STATUS_ARGUMENT,
                    "text cannot be written as JSON: it is not UTF-8 (normalise the text), or "
                    "memory is short");
    else if (!out->status && json_dump_callback(json, append, out, flags) && !out->status)
        out->status = error_memory(out->error, out->out->length, "JSON");
    json_decref(json);
}
