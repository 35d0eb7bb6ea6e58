#include "base/bytes.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

Status bytes_reserve(Bytes *bytes, size_t capacity, Error *error)
{
    if (capacity == SIZE_MAX) return error_memory(error, capacity, "text");
    Status status = array_reserve(&bytes->data, &bytes->capacity, capacity + 1, "text", error);
    if (!status) bytes->data[bytes->length] = '\0';
    return status;
}

static Status make_room(Bytes *bytes, size_t length, Error *error)
{
    size_t needed;
    if (__builtin_add_overflow(bytes->length, length, &needed))
        return error_memory(error, length, "text");
    return bytes_reserve(bytes, needed, error);
}

Status bytes_append(Bytes *bytes, const char *data, size_t length, Error *error)
{
    Status status = make_room(bytes, length, error);
    if (status) return status;
    if (length) memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
    bytes->data[bytes->length] = '\0';
    return STATUS_OK;
}

Status bytes_append_string(Bytes *bytes, const char *string, Error *error)
{
    return bytes_append(bytes, string, strlen(string), error);
}

Status bytes_append_format(Bytes *bytes, Error *error, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    Status status = length < 0 ? error_set(error, STATUS_ARGUMENT, "text could not be formatted")
                               : make_room(bytes, (size_t)length, error);
    if (!status) {
        vsnprintf(bytes->data + bytes->length, (size_t)length + 1, format, again);
        bytes->length += (size_t)length;
    }
    va_end(again);
    return status;
}

void bytes_clear(Bytes *bytes)
{
    bytes->length = 0;
    if (bytes->data) bytes->data[0] = '\0';
}

void bytes_free(Bytes *bytes)
{
    memory_free(bytes->data);
    *bytes = (Bytes){0};
}
