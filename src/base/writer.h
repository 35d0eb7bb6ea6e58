/* Text put together piece by piece, with errors that stick: after the first failure nothing more is
 * written, so the status needs to be checked once, at the end.
 *
 *     Writer writer = writer_start(&bytes, error);
 *     writer_string(&writer, "links");
 *     for (size_t i = 0; i < count; i++) writer_format(&writer, " %zu", links[i]);
 *     return writer_end(&writer);
 *
 * A function that writes takes a `Writer *` first and returns nothing. What else can fail in it
 * keeps its status there: `if (!out->status) out->status = f(…, out->error);`. */
#pragma once

#include "base/bytes.h"

typedef struct Writer {
    Bytes *out;    // appended to; not owned
    Error *error;  // of the first failure; may be NULL
    Status status; // STATUS_OK, or that of the first failure
    size_t start;  // out->length at writer_start
} Writer;

// Begins to append to `out`.
static inline Writer writer_start(Bytes *out, Error *error)
{
    return (Writer){.out = out, .error = error, .start = out->length};
}

// The first failure's status, STATUS_OK if there was none. After a failure `out` is as it was at
// writer_start.
static inline Status writer_end(Writer *writer)
{
    if (writer->status) bytes_cut(writer->out, writer->start);
    return writer->status;
}

static inline void writer_bytes(Writer *writer, const char *data, size_t length)
{
    if (!writer->status) writer->status = bytes_append(writer->out, data, length, writer->error);
}

static inline void writer_string(Writer *writer, const char *string)
{
    writer_bytes(writer, string, strlen(string));
}

void writer_format(Writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A finite number with so many decimals, rounded, and a point whatever the user's locale.
void writer_fixed(Writer *writer, double value, int decimals);

// Writes the string `times` times.
static inline void writer_repeat(Writer *writer, const char *string, size_t times)
{
    for (size_t i = 0; i < times && !writer->status; i++) writer_string(writer, string);
}

/* Text for the content of an element of HTML or XML: & < > as references, with `quotes` also " and ',
 * as within an attribute. */
void writer_markup(Writer *writer, const char *text, size_t length, bool quotes);

// A failure of the text itself, as error_set; ignored if something failed before.
void writer_fail(Writer *writer, Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
