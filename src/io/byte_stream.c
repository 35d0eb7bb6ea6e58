#define _GNU_SOURCE
#include "io/byte_stream.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { RAW_SIZE = 1 << 16 };

typedef enum Coding { CODING_UNKNOWN, CODING_PLAIN, CODING_GZIP } Coding;

struct ByteStream {
    int descriptor;
    struct stat opened; // the file when it was opened
    char *name;
    Coding coding;
    z_stream inflater;    // set up if coding is CODING_GZIP
    bool between_members; // no byte of the next gzip member has been seen
    bool output_waits;    // the inflater has more output
    bool raw_end;         // read(2) has returned 0
    bool starved;         // a read would have blocked
    bool ended;
    size_t raw_start; // raw[raw_start … raw_length) has been read but not used
    size_t raw_length;
    unsigned char raw[RAW_SIZE];
};

Status byte_stream_open(ByteStream **out, const char *path, Error *error)
{
    bool standard_input = strcmp(path, "-") == 0;
    const char *name = standard_input ? "standard input" : path;
    int descriptor = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return error_set(error, STATUS_IO,
                         "%s: cannot be opened: %s; check the name and its permissions", name,
                         strerror(errno));
    struct stat info;
    Status status = STATUS_OK;
    ByteStream *stream = NULL;
    if (fstat(descriptor, &info))
        status = error_set(error, STATUS_IO, "%s: cannot be read: %s", name, strerror(errno));
    else if (S_ISDIR(info.st_mode))
        status = error_set(error, STATUS_IO, "%s: is a directory; name a file in it", name);
    else if (!(stream = memory_new(1, sizeof *stream)) ||
             !(stream->name = memory_copy_string(name, strlen(name))))
        status = error_memory(error, sizeof *stream, "a file to read");
    if (status) {
        memory_free(stream);
        if (!standard_input) close(descriptor);
        return status;
    }
    stream->descriptor = descriptor;
    stream->opened = info;
    *out = stream;
    return STATUS_OK;
}

const char *byte_stream_name(const ByteStream *stream)
{
    return stream->name;
}

void byte_stream_close(ByteStream *stream)
{
    if (!stream) return;
    if (stream->coding == CODING_GZIP) inflateEnd(&stream->inflater);
    if (stream->descriptor != STDIN_FILENO) close(stream->descriptor);
    memory_free(stream->name);
    memory_free(stream);
}

bool byte_stream_ended(const ByteStream *stream)
{
    return stream->ended;
}

static bool must_wait(const ByteStream *stream)
{
    struct pollfd wanted = {.fd = stream->descriptor, .events = POLLIN};
    return poll(&wanted, 1, 0) == 0; // if poll fails, read(2) reports the error
}

/* Appends the bytes of one read(2); without `wait`, sets `starved` if it would block. Another
 * program may have made the descriptor non-blocking (programs on a terminal share it): then poll(2)
 * waits. */
static Status read_raw(ByteStream *stream, bool wait, Error *error)
{
    stream->starved = !wait && must_wait(stream);
    if (stream->starved) return STATUS_OK;
    if (stream->raw_start == stream->raw_length) stream->raw_start = stream->raw_length = 0;
    for (;;) {
        ssize_t got = read(stream->descriptor, stream->raw + stream->raw_length,
                           RAW_SIZE - stream->raw_length);
        if (got > 0) stream->raw_length += (size_t)got;
        if (got == 0) stream->raw_end = true;
        if (got >= 0) return STATUS_OK;
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wanted = {.fd = stream->descriptor, .events = POLLIN};
            (void)poll(&wanted, 1, -1);
        } else if (errno != EINTR) {
            return error_set(error, STATUS_IO, "%s: cannot be read: %s", stream->name,
                             strerror(errno));
        }
    }
}

// Looks at the first bytes; waits for a second only if the first is gzip's.
static Status detect_coding(ByteStream *stream, bool wait, Error *error)
{
    while (!stream->raw_end &&
           (stream->raw_length == 0 || (stream->raw_length == 1 && stream->raw[0] == 0x1f))) {
        Status status = read_raw(stream, wait, error);
        if (status || stream->starved) return status;
    }
    if (stream->raw_length < 2 || stream->raw[0] != 0x1f || stream->raw[1] != 0x8b) {
        stream->coding = CODING_PLAIN;
        return STATUS_OK;
    }
    // 15: the largest window; + 16: only a gzip header
    if (inflateInit2(&stream->inflater, 15 + 16) != Z_OK)
        return error_memory(error, (size_t)1 << 15, "gzip");
    stream->coding = CODING_GZIP;
    stream->between_members = true;
    return STATUS_OK;
}

static Status read_plain(ByteStream *stream, char *out, size_t capacity, bool wait, size_t *length,
                         Error *error)
{
    if (stream->raw_start == stream->raw_length && !stream->raw_end) {
        Status status = read_raw(stream, wait, error);
        if (status) return status;
    }
    size_t there = stream->raw_length - stream->raw_start;
    *length = there < capacity ? there : capacity;
    if (*length) memcpy(out, stream->raw + stream->raw_start, *length);
    stream->raw_start += *length;
    return STATUS_OK;
}

static void skip_padding(ByteStream *stream)
{
    while (stream->raw_start < stream->raw_length && stream->raw[stream->raw_start] == 0)
        stream->raw_start++;
}

// Inflates the available raw bytes once; *length is the bytes that gives.
static Status inflate_once(ByteStream *stream, char *out, size_t capacity, size_t *length,
                           Error *error)
{
    z_stream *inflater = &stream->inflater;
    inflater->next_in = stream->raw + stream->raw_start;
    inflater->avail_in = (uInt)(stream->raw_length - stream->raw_start);
    inflater->next_out = (Bytef *)out;
    inflater->avail_out = (uInt)(capacity < INT_MAX ? capacity : INT_MAX);
    uInt room = inflater->avail_out;
    int result = inflate(inflater, Z_NO_FLUSH);
    stream->raw_start = stream->raw_length - inflater->avail_in;
    stream->output_waits = inflater->avail_out == 0 && result == Z_OK;
    stream->between_members = false;
    *length = room - inflater->avail_out;
    if (result == Z_STREAM_END) {
        stream->between_members = true;
        result = inflateReset(inflater);
    }
    if (result == Z_MEM_ERROR) return error_memory(error, (size_t)1 << 15, "gzip");
    if (result != Z_OK && result != Z_BUF_ERROR) // Z_BUF_ERROR: it needs more bytes
        return error_set(error, STATUS_FORMAT,
                         "%s: is broken gzip (%s); get the file again, or rescue what you can with "
                         "gzip -dc",
                         stream->name, inflater->msg ? inflater->msg : "not deflated data");
    return STATUS_OK;
}

static Status read_gzip(ByteStream *stream, char *out, size_t capacity, bool wait, size_t *length,
                        Error *error)
{
    while (*length == 0) {
        if (stream->between_members) skip_padding(stream);
        if (stream->raw_start == stream->raw_length && !stream->output_waits) {
            if (stream->raw_end && stream->between_members) return STATUS_OK;
            if (stream->raw_end)
                return error_set(error, STATUS_FORMAT,
                                 "%s: is gzip that was cut off; get the file again", stream->name);
            Status status = read_raw(stream, wait, error);
            if (status || stream->starved) return status;
            continue;
        }
        Status status = inflate_once(stream, out, capacity, length, error);
        if (status) return status;
    }
    return STATUS_OK;
}

// Writing changes the size or the modification time.
static Status check_unchanged(const ByteStream *stream, Error *error)
{
    const struct stat *before = &stream->opened;
    struct stat now;
    if (!S_ISREG(before->st_mode) || stream->descriptor == STDIN_FILENO) return STATUS_OK;
    if (!fstat(stream->descriptor, &now) && now.st_size == before->st_size &&
        now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == before->st_mtim.tv_nsec)
        return STATUS_OK;
    return error_set(error, STATUS_IO,
                     "%s: changed while it was read; try again when it is complete", stream->name);
}

Status byte_stream_read(ByteStream *stream, char *out, size_t capacity, bool wait, size_t *length,
                        Error *error)
{
    *length = 0;
    stream->starved = false;
    if (stream->coding == CODING_UNKNOWN) {
        Status status = detect_coding(stream, wait, error);
        if (status || stream->starved) return status;
    }
    Status status = stream->coding == CODING_GZIP
                        ? read_gzip(stream, out, capacity, wait, length, error)
                        : read_plain(stream, out, capacity, wait, length, error);
    if (status || *length > 0 || stream->starved) return status;
    stream->ended = true;
    return check_unchanged(stream, error);
}
