#include "base/status.h"

#include "base/utf8_sequence.h"

#include <stdarg.h>
#include <stdio.h>

const char *status_sentence(Status status)
{
    switch (status) {
#define STATUS_CASE(name, sentence)                                                                \
    case name:                                                                                     \
        return sentence;
        STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

Status error_set(Error *error, Status status, const char *format, ...)
{
    if (!error) return status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    if (length < 0) error->text[0] = '\0';
    if (length >= (int)sizeof error->text) // which may have cut a character
        error->text[utf8_whole_length(error->text, sizeof error->text - 1)] = '\0';
    utf8_make_harmless(error->text, strlen(error->text), false);
    return status;
}

Status error_memory(Error *error, size_t bytes, const char *purpose)
{
    if (bytes == 0)
        return error_set(error, STATUS_MEMORY,
                         "out of memory for %s; use a smaller model, batch or corpus", purpose);
    return error_set(error, STATUS_MEMORY,
                     "out of memory: %zu bytes for %s; use a smaller model, batch or corpus", bytes,
                     purpose);
}
