#include "base/writer.h"

#include <math.h>
#include <stdio.h>

void writer_format(Writer *writer, const char *format, ...)
{
    if (writer->status) return;
    va_list arguments;
    va_start(arguments, format);
    writer->status = bytes_append_arguments(writer->out, writer->error, format, arguments);
    va_end(arguments);
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

void writer_fixed(Writer *writer, double value, int decimals)
{
    long long unit = 1;
    for (int i = 0; i < decimals; i++) unit *= 10;
    const long long scaled = llround(fabs(value) * (double)unit);
    writer_format(writer, "%s%lld.%0*lld", value < 0 && scaled ? "-" : "", scaled / unit, decimals,
                  scaled % unit);
}
