#define _GNU_SOURCE
#include "io/byte_stream.h"

#include "base/memory.h"
#include "io/input_file.h"
#include "io/unpacker.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

enum {
    RAW_SIZE = 1 << 16,
    FREE_SIZE = 1 << 24, // bytes that a file may unpack to in any case
    MAX_RATIO = 200, // beyond: text is 3 to 10 times its packed size, but gzip allows 1032 times
};

struct ByteStream {
    InputFile file;
    char *name;
    bool detected;            // whether it is packed is known
    const Unpacker *unpacker; // NULL if it is not
    void *unpacking;          // its state
    bool between_members;     // no byte of the next member has been seen
    bool output_waits;        // the unpacker has more output
    bool raw_end;             // read(2) has returned 0
    bool starved;             // a read would have blocked
    bool ended;
    off_t begin;             // where reading began
    size_t received;         // bytes that read(2) has given
    size_t packed, unpacked; // bytes so far, packed and of what is in it
    size_t raw_start;        // raw[raw_start … raw_length) has been read but not used
    size_t raw_length;
    unsigned char raw[RAW_SIZE];
};

Status byte_stream_open(ByteStream **out, const char *path, Error *error)
{
    bool standard_input = strcmp(path, "-") == 0;
    const char *name = standard_input ? "standard input" : path;
    FREED ByteStream *stream = memory_new(1, sizeof *stream);
    FREED char *kept = memory_copy_string(name, strlen(name));
    if (!stream || !kept) return error_memory(error, sizeof *stream, "a file to read");
    TRY(input_file_open(&stream->file, name, O_NOCTTY, standard_input ? STDIN_FILENO : -1, error));
    if (S_ISREG(stream->file.opened.st_mode))
        stream->begin = lseek(stream->file.descriptor, 0, SEEK_CUR);
    stream->name = memory_take(&kept);
    *out = memory_take(&stream);
    return STATUS_OK;
}

const char *byte_stream_name(const ByteStream *stream)
{
    return stream->name;
}

double byte_stream_share(const ByteStream *stream)
{
    off_t size = stream->file.opened.st_size - stream->begin;
    if (!S_ISREG(stream->file.opened.st_mode) || size <= 0) return -1;
    size_t used = stream->received - (stream->raw_length - stream->raw_start);
    return used < (size_t)size ? (double)used / (double)size : 1;
}

void byte_stream_close(ByteStream *stream)
{
    if (!stream) return;
    if (stream->unpacking) stream->unpacker->close(stream->unpacking);
    if (stream->file.descriptor != STDIN_FILENO) close(stream->file.descriptor);
    memory_free(stream->name);
    memory_free(stream);
}

bool byte_stream_ended(const ByteStream *stream)
{
    return stream->ended;
}

// Appends the bytes of one read(2); without `wait`, sets `starved` if it would block.
static Status read_raw(ByteStream *stream, bool wait, Error *error)
{
    size_t got;
    struct pollfd wanted = {.fd = stream->file.descriptor, .events = POLLIN};
    stream->starved = !wait && poll(&wanted, 1, 0) == 0; // if poll fails, read(2) reports the error
    if (stream->starved) return STATUS_OK;
    if (stream->raw_start == stream->raw_length) stream->raw_start = stream->raw_length = 0;
    TRY(input_file_read(&stream->file, stream->raw + stream->raw_length,
                        RAW_SIZE - stream->raw_length, &got, stream->name, error));
    stream->raw_length += got;
    stream->received += got;
    stream->raw_end = got == 0;
    return STATUS_OK;
}

// Whether a zip file is a document of an office program: its first entry has one of their names.
static bool is_office_document(const ByteStream *stream)
{
    static const char *const names[] = {
        "mimetypeapplication/vnd.", "[Content_Types].xml", "_rels/", "docProps/", "xl/", "word/"};
    enum { NAME_AT = 30 };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (stream->raw_length >= NAME_AT + strlen(names[i]) &&
            !memcmp(stream->raw + NAME_AT, names[i], strlen(names[i])))
            return true;
    return false;
}

static Status start_unpacking(ByteStream *stream, Error *error)
{
    const Unpacker *unpacker = stream->unpacker;
    if (!unpacker->library && is_office_document(stream))
        return error_set(error, STATUS_ARGUMENT,
                         "%s: is a document of an office program, not text; save a spreadsheet as "
                         "CSV (UTF-8), or text as plain text (UTF-8), and give that file",
                         stream->name);
    if (!unpacker->library)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: is %s, an archive of files; unpack it with %s and name one of them",
                         stream->name, unpacker->name, unpacker->command);
    if (!unpacker->open)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: is %s, and this regard was built without its library; install %s and "
                         "build it again, or unpack the file with %s",
                         stream->name, unpacker->name, unpacker->library, unpacker->command);
    stream->unpacking = unpacker->open();
    if (!stream->unpacking) return error_memory(error, (size_t)1 << 15, unpacker->name);
    stream->between_members = true;
    return STATUS_OK;
}

// Looks at the first bytes; waits for more only while they may still begin a packed file.
static Status detect_packing(ByteStream *stream, bool wait, Error *error)
{
    bool undecided = true;
    for (;;) {
        stream->unpacker = unpacker_find(stream->raw, stream->raw_length, &undecided);
        if (!undecided || stream->raw_end) break;
        Status status = read_raw(stream, wait, error);
        if (status || stream->starved) return status;
    }
    if (stream->unpacker) TRY(start_unpacking(stream, error));
    stream->detected = true;
    return STATUS_OK;
}

static Status read_plain(ByteStream *stream, char *out, size_t capacity, bool wait, size_t *length,
                         Error *error)
{
    if (stream->raw_start == stream->raw_length && !stream->raw_end)
        TRY(read_raw(stream, wait, error));
    size_t there = stream->raw_length - stream->raw_start;
    *length = there < capacity ? there : capacity;
    if (*length) memcpy(out, stream->raw + stream->raw_start, *length);
    stream->raw_start += *length;
    return STATUS_OK;
}

// Unpacks the available raw bytes once; *length is the bytes that gives.
static Status unpack_once(ByteStream *stream, char *out, size_t capacity, size_t *length,
                          Error *error)
{
    const Unpacker *unpacker = stream->unpacker;
    UnpackBuffers buffers = {.in = stream->raw + stream->raw_start,
                             .in_left = stream->raw_length - stream->raw_start,
                             .out = out,
                             .out_left = capacity};
    UnpackResult result = unpacker->step(stream->unpacking, &buffers);
    stream->packed += stream->raw_length - stream->raw_start - buffers.in_left;
    stream->raw_start = stream->raw_length - buffers.in_left;
    stream->output_waits = buffers.out_left == 0 && !buffers.ended;
    stream->between_members = buffers.ended;
    *length = capacity - buffers.out_left;
    stream->unpacked += *length;
    if (result == UNPACK_MEMORY) return error_memory(error, (size_t)1 << 15, unpacker->name);
    if (result == UNPACK_BROKEN)
        return error_set(error, STATUS_FORMAT,
                         "%s: is broken %s (%s); get the file again, or rescue what you can with "
                         "%s",
                         stream->name, unpacker->name, buffers.detail, unpacker->command);
    if (stream->unpacked <= FREE_SIZE || stream->unpacked / MAX_RATIO <= stream->packed)
        return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: is %s that unpacks to more than %d times its size, as no text does; "
                     "if it is right, unpack it with %s first",
                     stream->name, unpacker->name, MAX_RATIO, unpacker->command);
}

static Status read_packed(ByteStream *stream, char *out, size_t capacity, bool wait, size_t *length,
                          Error *error)
{
    while (*length == 0) {
        while (stream->between_members && stream->raw_start < stream->raw_length &&
               stream->raw[stream->raw_start] == 0) // padding
            stream->raw_start++;
        if (stream->raw_start == stream->raw_length && !stream->output_waits) {
            if (stream->raw_end && stream->between_members) return STATUS_OK;
            if (stream->raw_end)
                return error_set(error, STATUS_FORMAT,
                                 "%s: is %s that was cut off; get the file again", stream->name,
                                 stream->unpacker->name);
            Status status = read_raw(stream, wait, error);
            if (status || stream->starved) return status;
            continue;
        }
        TRY(unpack_once(stream, out, capacity, length, error));
    }
    return STATUS_OK;
}

Status byte_stream_read(ByteStream *stream, char *out, size_t capacity, bool wait, size_t *length,
                        Error *error)
{
    *length = 0;
    stream->starved = false;
    Status status = stream->detected ? STATUS_OK : detect_packing(stream, wait, error);
    if (status || stream->starved) return status;
    status = stream->unpacker ? read_packed(stream, out, capacity, wait, length, error)
                              : read_plain(stream, out, capacity, wait, length, error);
    if (status || *length > 0 || stream->starved) return status;
    stream->ended = true;
    bool stays = S_ISREG(stream->file.opened.st_mode) && stream->file.descriptor != STDIN_FILENO;
    if (!stays || input_file_is_unchanged(&stream->file)) return STATUS_OK;
    return error_set(error, STATUS_IO,
                     "%s: changed while it was read; try again when it is complete", stream->name);
}
