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

// vsnprintf may cut within a UTF-8 sequence: removes what is left of one.
static void drop_cut_sequence(char *text)
{
    size_t end = strlen(text), lead = end;
    while (lead > 0 && end - lead < 4 && ((unsigned char)text[lead - 1] & 0xc0) == 0x80) lead--;
    if (lead == 0) return;
    unsigned char first = (unsigned char)text[lead - 1];
    size_t wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    if (wanted > end - lead + 1) text[lead - 1] = '\0';
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
    if (length >= (int)sizeof error->text) drop_cut_sequence(error->text);
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
