#include "io/line_reader.h"

#include "base/array.h"
#include "base/memory.h"
#include "io/byte_stream.h"
#include "io/text_encoding.h"

#include <string.h>

enum { CHUNK_SIZE = 1 << 16 };

// Where the next line begins.
typedef struct LinePlace {
    size_t start; // in the buffer
    size_t lines; // before it
    bool cut;     // the last of them was cut: what comes up to the next LF is its rest
} LinePlace;

struct LineReader {
    ByteStream *stream;
    char *buffer;
    size_t capacity;
    size_t scanned;       // buffer[place.start … scanned) holds no LF
    size_t length;        // bytes in the buffer
    size_t received;      // bytes of the stream so far, as UTF-8
    const char *encoding; // NULL: UTF-8, or not known
    bool settled;         // bytes that are not ASCII have said so
    TextDecoder *decoder; // NULL: none
    char *raw;            // (raw_length) bytes to be decoded
    size_t raw_length, raw_capacity;
    LinePlace place;
    LinePlace mark; // from where on all is kept, if it is `marked`
    bool marked;
    size_t limit;  // of a line's bytes
    bool cuts;     // lines that are longer are cut
    bool ended;    // the stream has no more
    Error failure; // what ended it early, if its status is set
};

Status line_reader_open(LineReader **out, const char *path, Error *error)
{
    LineReader *reader;
    TRY(array_new(&reader, 1, "a file to read", error));
    reader->limit = LINE_LIMIT;
    Status status = byte_stream_open(&reader->stream, path, error);
    if (status) {
        memory_free(reader);
        return status;
    }
    *out = reader;
    return STATUS_OK;
}

const char *line_reader_name(const LineReader *reader)
{
    return byte_stream_name(reader->stream);
}

const char *line_reader_encoding(const LineReader *reader)
{
    return reader->encoding;
}

double line_reader_share(const LineReader *reader)
{
    double share = byte_stream_share(reader->stream);
    size_t ahead = reader->length - reader->place.start;
    if (share < 0 || reader->received == 0) return share;
    return share * (1 - (double)ahead / (double)reader->received);
}

void line_reader_close(LineReader *reader)
{
    if (!reader) return;
    byte_stream_close(reader->stream);
    text_decoder_close(reader->decoder);
    memory_free(reader->raw);
    memory_free(reader->buffer);
    memory_free(reader);
}

void line_reader_cut_long(LineReader *reader, size_t limit)
{
    reader->limit = limit;
    reader->cuts = true;
}

void line_reader_mark(LineReader *reader)
{
    reader->mark = reader->place;
    reader->marked = true;
}

void line_reader_return(LineReader *reader)
{
    reader->place = reader->mark;
    reader->scanned = reader->mark.start;
}

size_t line_reader_since_mark(const LineReader *reader)
{
    return reader->place.start - reader->mark.start;
}

// Moves the bytes that are still needed to the front and makes room for another chunk.
static Status make_room(LineReader *reader)
{
    size_t used = reader->marked ? reader->mark.start : reader->place.start;
    if (used > 0) {
        memmove(reader->buffer, reader->buffer + used, reader->length - used);
        reader->scanned -= used;
        reader->length -= used;
        reader->place.start -= used;
        reader->mark.start = 0;
    }
    return array_reserve(&reader->buffer, &reader->capacity, reader->length + CHUNK_SIZE, "a line",
                         &reader->failure);
}

// Tells the encoding by the first bytes that are not ASCII.
static Status settle_encoding(LineReader *reader, const char *bytes, size_t length, Error *error)
{
    bool ascii = true, first = reader->received == 0;
    for (size_t i = 0; i < length; i++) ascii = ascii && bytes[i] && (unsigned char)bytes[i] < 0x80;
    if (reader->settled || ascii) return STATUS_OK;
    reader->settled = true;
    const char *encoding =
        first ? text_encoding_guess(bytes, length) : text_encoding_guess_later(bytes, length);
    if (encoding) TRY(text_decoder_open(&reader->decoder, encoding, error));
    if (reader->decoder) reader->encoding = encoding;
    return STATUS_OK;
}

/* Decodes the last *got bytes of the buffer, which may be none at the end; *got is then how many they
 * have become. */
static Status decode(LineReader *reader, size_t *got, Error *error)
{
    TRY(settle_encoding(reader, reader->buffer + reader->length, *got, error));
    if (!reader->decoder) return STATUS_OK;
    size_t length = reader->raw_length + *got;
    TRY(array_reserve(&reader->raw, &reader->raw_capacity, length, "a line", error));
    if (*got > 0) memcpy(reader->raw + reader->raw_length, reader->buffer + reader->length, *got);
    TRY(array_reserve(&reader->buffer, &reader->capacity,
                      reader->length + text_decoder_room(length), "a line", error));
    reader->raw_length = length;
    *got = text_decoder_read(reader->decoder, reader->buffer + reader->length,
                             text_decoder_room(length), reader->raw, &reader->raw_length,
                             byte_stream_ended(reader->stream));
    memmove(reader->raw, reader->raw + length - reader->raw_length, reader->raw_length);
    return STATUS_OK;
}

// Reads a chunk, of which the decoder may hold back all; false if there was none. An error is kept
// in reader->failure and ends the stream.
static bool read_chunk(LineReader *reader, bool wait)
{
    size_t got = 0;
    if (make_room(reader) == STATUS_OK)
        (void)byte_stream_read(reader->stream, reader->buffer + reader->length,
                               reader->capacity - reader->length, wait, &got, &reader->failure);
    const bool some = got > 0;
    if (!reader->failure.status && decode(reader, &got, &reader->failure)) got = 0;
    reader->length += got;
    reader->received += got;
    reader->ended = reader->failure.status || byte_stream_ended(reader->stream);
    return some;
}

// The LF of the next line if it has been read, else NULL.
static char *find_line_end(LineReader *reader)
{
    if (reader->scanned == reader->length) return NULL;
    char *end = memchr(reader->buffer + reader->scanned, '\n', reader->length - reader->scanned);
    reader->scanned = end ? (size_t)(end - reader->buffer) : reader->length;
    if (!reader->place.cut) return end;
    bool at_mark = line_reader_since_mark(reader) == 0; // the rest of a cut line is not kept
    reader->place.start = reader->scanned += end != NULL;
    reader->place.cut = !end;
    if (at_mark) reader->mark = reader->place;
    return end ? find_line_end(reader) : NULL;
}

static bool too_long(const LineReader *reader)
{
    return reader->scanned - reader->place.start > reader->limit;
}

bool line_reader_would_block(LineReader *reader)
{
    while (!find_line_end(reader) && !too_long(reader) && !reader->ended)
        if (!read_chunk(reader, false)) return !reader->ended;
    return false;
}

// How much of a line that is too long is left when it is cut between characters.
static size_t cut_length(const char *text, size_t limit)
{
    size_t length = limit;
    while (length > limit - 3 && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    return length;
}

Status line_reader_next(LineReader *reader, Line *line, bool *more, Error *error)
{
    char *end;
    while (!(end = find_line_end(reader)) && !too_long(reader) && !reader->ended)
        (void)read_chunk(reader, true);
    *more = false;
    if (too_long(reader) && !reader->cuts)
        return error_set(
            error, STATUS_FORMAT,
            "%s:%zu: is longer than %d MiB; a line is one sentence: is this a text file?",
            line_reader_name(reader), reader->place.lines + 1, LINE_LIMIT >> 20);
    if (!end && reader->failure.status) {
        if (error) *error = reader->failure;
        return reader->failure.status;
    }
    LinePlace *place = &reader->place;
    place->cut = too_long(reader) && !end;
    if (place->lines == 0 && reader->length - place->start >= 3 &&
        memcmp(reader->buffer + place->start, "\xef\xbb\xbf", 3) == 0)
        place->start += 3; // a byte-order mark
    if (!end && place->start == reader->length) return STATUS_OK;

    char *text = reader->buffer + place->start;
    size_t length = reader->scanned - place->start;
    place->start = reader->scanned += end != NULL;
    if (end && length > 0 && text[length - 1] == '\r') length--;
    bool cut = place->cut || length > reader->limit;
    if (length > reader->limit) length = cut_length(text, reader->limit);
    *line = (Line){text, length, ++place->lines, cut};
    *more = true;
    return STATUS_OK;
}
