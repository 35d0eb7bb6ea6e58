#include "cli/output.h"

#include "base/utf8_sequence.h"
#include "io/file_writer.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

// Buffered until there are this many bytes, the size of a pipe, which saves system calls.
enum { OUTPUT_CHUNK = 1 << 16 };

// The failure of a write or close, by errno.
static Status write_failure(Output *output, Error *error)
{
    if (errno == EPIPE) {
        output->reader_gone = true;
        return error_set(error, STATUS_INTERRUPTED, "standard output was closed");
    }
    return error_set(error, STATUS_IO, "standard output: %s; the results are incomplete",
                     strerror(errno));
}

// Writes `length` bytes, in as many calls as it takes; a pipe that does not block is waited for.
static Status write_all(Output *output, const char *data, size_t length, Error *error)
{
    while (length > 0) {
        ssize_t written = write(output->descriptor, data, length);
        if (written > 0) {
            data += written;
            length -= (size_t)written;
        } else if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd ready = {.fd = output->descriptor, .events = POLLOUT};
            (void)poll(&ready, 1, -1);
        } else if (written < 0 && errno != EINTR) {
            return write_failure(output, error);
        }
    }
    return STATUS_OK;
}

Status output_flush(Output *output, Error *error)
{
    Status status = write_all(output, output->buffer.data, output->buffer.length, error);
    bytes_clear(&output->buffer);
    return status;
}

// Takes in what has been appended since `start`.
static Status add(Output *output, size_t start, Error *error)
{
    Bytes *buffer = &output->buffer;
    if (output->guarded && buffer->length > start)
        utf8_make_harmless(buffer->data + start, buffer->length - start, true);
    return output->buffer.length >= OUTPUT_CHUNK ? output_flush(output, error) : STATUS_OK;
}

Status output_format(Output *output, Error *error, const char *format, ...)
{
    va_list arguments;
    size_t start = output->buffer.length;
    va_start(arguments, format);
    Status status = bytes_append_arguments(&output->buffer, error, format, arguments);
    va_end(arguments);
    TRY(status);
    return add(output, start, error);
}

Status output_end(Output *output, Writer *writer)
{
    TRY(writer_end(writer));
    return add(output, writer->start, writer->error);
}

Status output_json(Output *output, json_t *json, size_t flags, Error *error)
{
    Writer out = output_start(output, error);
    json_write(&out, json, flags);
    writer_string(&out, "\n");
    return output_end(output, &out);
}

Status output_close(Output *output, Error *error)
{
    Status status = output_flush(output, error);
    bytes_free(&output->buffer);
    // after EINTR the descriptor is closed all the same, on Linux
    if (close(output->descriptor) != 0 && errno != EINTR && !status)
        status = write_failure(output, error);
    return status;
}

Status output_file_check(const char *path, const char *flag, bool read, bool overwrite,
                         Error *error)
{
    char otherwise[128];
    if (read)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: is both read and written; name another file with --%s", path, flag);
    (void)snprintf(otherwise, sizeof otherwise, "--overwrite replaces it, --%s names another file",
                   flag);
    return overwrite ? STATUS_OK : file_refuse_existing(path, otherwise, error);
}

void report_error(const char *verb, const Error *error)
{
    fprintf(stderr, "regard%s%s: %s\n", verb ? " " : "", verb ? verb : "", error->text);
}

void report_notes(const char *verb, const char *notes)
{
    while (*notes) {
        Error shown; // for its harmless line
        int length = (int)strcspn(notes, "\n");
        (void)error_set(&shown, STATUS_OK, "%.*s", length, notes);
        report_error(verb, &shown);
        notes += length + (notes[length] == '\n');
    }
}

void report_warning(const char *verb, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    Error warning;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)error_set(&warning, STATUS_OK, "warning: %s", text); // which makes it one line
    report_error(verb, &warning);
}
