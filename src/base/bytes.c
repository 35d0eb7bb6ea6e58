#include "base/bytes.h"

#include "base/array.h"
#include "base/ascii.h"

#include <stdio.h>

const char *bytes_text(const Bytes *bytes)
{
    return bytes->data ? bytes->data : "";
}

size_t text_view_digits_end(TextView text, size_t at)
{
    while (ascii_is_digit(text_view_at(text, at))) at++;
    return at;
}

TextView text_view_trimmed(TextView text)
{
    while (text.length > 0 && ascii_is_blank(*text.data)) text.data++, text.length--;
    while (text.length > 0 && ascii_is_blank(text.data[text.length - 1])) text.length--;
    return text;
}

TextView text_view_cut(TextView *text, char end)
{
    const char *found = text->length > 0 ? memchr(text->data, end, text->length) : NULL;
    const TextView before = {text->data, found ? (size_t)(found - text->data) : text->length};
    *text = text_view_from(*text, before.length + (found != NULL));
    return before;
}

Status bytes_reserve(Bytes *bytes, size_t capacity, Error *error)
{
    if (capacity == SIZE_MAX) return error_memory(error, capacity, "text");
    TRY(array_reserve(&bytes->data, &bytes->capacity, capacity + 1, "text", error));
    bytes->data[bytes->length] = '\0';
    return STATUS_OK;
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
    if (length >= bytes->capacity - bytes->length) { // a NUL follows
        TRY(make_room(bytes, length, error));
    }
    if (length) memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
    bytes->data[bytes->length] = '\0';
    return STATUS_OK;
}

Status bytes_append_arguments(Bytes *bytes, Error *error, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    Status status = length < 0 ? error_set(error, STATUS_ARGUMENT, "text could not be formatted")
                               : make_room(bytes, (size_t)length, error);
    if (!status) {
        vsnprintf(bytes->data + bytes->length, (size_t)length + 1, format, again);
        bytes->length += (size_t)length;
    }
    va_end(again);
    return status;
}

Status bytes_append_format(Bytes *bytes, Error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    Status status = bytes_append_arguments(bytes, error, format, arguments);
    va_end(arguments);
    return status;
}

void bytes_cut(Bytes *bytes, size_t length)
{
    assert(length <= bytes->length);
    bytes->length = length;
    if (bytes->data) bytes->data[length] = '\0';
}

void bytes_free(Bytes *bytes)
{
    memory_free(bytes->data);
    *bytes = (Bytes){0};
}
