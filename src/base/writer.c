#include "base/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Writer writer_start(Bytes *out, Error *error)
{
    return (Writer){.out = out, .error = error, .start = out->length};
}

Status writer_end(Writer *writer)
{
    if (writer->status) bytes_cut(writer->out, writer->start);
    return writer->status;
}

void writer_bytes(Writer *writer, const char *data, size_t length)
{
    if (!writer->status) writer->status = bytes_append(writer->out, data, length, writer->error);
}

void writer_string(Writer *writer, const char *string)
{
    writer_bytes(writer, string, strlen(string));
}

void writer_format(Writer *writer, const char *format, ...)
{
    if (writer->status) return;
    va_list arguments;
    va_start(arguments, format);
    writer->status = bytes_append_arguments(writer->out, writer->error, format, arguments);
    va_end(arguments);
}

void writer_repeat(Writer *writer, const char *string, size_t times)
{
    for (size_t i = 0; i < times && !writer->status; i++) writer_string(writer, string);
}

void writer_markup(Writer *writer, const char *text, size_t length, bool quotes)
{
    size_t written = 0;
    for (size_t i = 0; i < length; i++) {
        const char *reference = text[i] == '&'              ? "&amp;"
                                : text[i] == '<'            ? "&lt;"
                                : text[i] == '>'            ? "&gt;"
                                : quotes && text[i] == '"'  ? "&quot;"
                                : quotes && text[i] == '\'' ? "&#39;"
                                                            : NULL;
        if (!reference) continue;
        writer_bytes(writer, text + written, i - written);
        writer_string(writer, reference);
        written = i + 1;
    }
    writer_bytes(writer, text + written, length - written);
}

void writer_fail(Writer *writer, Status status, const char *format, ...)
{
    if (writer->status) return;
    char text[ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    writer->status = error_set(writer->error, status, "%s", text);
}
