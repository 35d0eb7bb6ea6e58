/* A growable string of bytes. */
#pragma once

#include "base/status.h"

#include <stdarg.h>

/* Start from {0}, end with bytes_free. Once anything has been appended, a NUL that `length` does
 * not count follows the text, which may itself contain NUL bytes. */
typedef struct Bytes {
    char *data;
    size_t length;
    size_t capacity;
} Bytes;

// A text of any bytes; not owned.
typedef struct TextView {
    const char *data;
    size_t length;
} TextView;

// The text, "" as long as nothing has been appended.
const char *bytes_text(const Bytes *bytes);

static inline TextView bytes_view(const Bytes *bytes)
{
    return (TextView){bytes_text(bytes), bytes->length};
}

// Of a NUL-terminated string.
static inline TextView text_view_of(const char *string)
{
    return (TextView){string, strlen(string)};
}

static inline bool text_view_equal(TextView a, TextView b)
{
    return a.length == b.length && !memcmp(a.data, b.data, a.length);
}

// The byte at a place; NUL outside of the text, before it, too: at - 1 where `at` is 0.
static inline char text_view_at(TextView text, size_t at)
{
    return at < text.length ? text.data[at] : '\0';
}

// A text without its first bytes.
static inline TextView text_view_from(TextView text, size_t begin)
{
    return (TextView){text.data + begin, text.length - begin};
}

// Whether a text has a part at a place, which is not behind its end.
static inline bool text_view_has_at(TextView text, size_t at, TextView part)
{
    return part.length <= text.length - at && !memcmp(text.data + at, part.data, part.length);
}

// Where the digits of ASCII end that begin at a place, which is returned if there are none.
size_t text_view_digits_end(TextView text, size_t at);

// Whether a text has nothing but such digits; an empty one, too.
static inline bool text_view_is_digits(TextView text)
{
    return text_view_digits_end(text, 0) == text.length;
}

// A text without the white space of ASCII at its ends.
TextView text_view_trimmed(TextView text);

// What a text has before the first such byte, all of it if there is none; both go from it.
TextView text_view_cut(TextView *text, char end);

// Appends `length` bytes. On STATUS_MEMORY what was there before is still valid.
Status bytes_append(Bytes *bytes, const char *data, size_t length, Error *error);

static inline Status bytes_append_view(Bytes *bytes, TextView text, Error *error)
{
    return bytes_append(bytes, text.data, text.length, error);
}

// Appends a NUL-terminated string.
static inline Status bytes_append_string(Bytes *bytes, const char *string, Error *error)
{
    return bytes_append(bytes, string, strlen(string), error);
}

// Appends formatted text.
Status bytes_append_format(Bytes *bytes, Error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The same with the arguments as a list.
Status bytes_append_arguments(Bytes *bytes, Error *error, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

// Makes room for `capacity` bytes in all, so that appends up to there cannot fail.
Status bytes_reserve(Bytes *bytes, size_t capacity, Error *error);

// Shortens it to its first `length` bytes and keeps the memory.
void bytes_cut(Bytes *bytes, size_t length);

// Empties it but keeps the memory.
static inline void bytes_clear(Bytes *bytes)
{
    bytes_cut(bytes, 0);
}

// Frees the memory and leaves it empty, ready for use again.
void bytes_free(Bytes *bytes);
