#include "io/line_reader.h"

#include "base/array.h"
#include "base/utf8_sequence.h"
#include "io/byte_stream.h"
#include "io/text_encoding.h"

enum { CHUNK_SIZE = 1 << 16 };

// Where the next line begins.
typedef struct LinePlace {
    size_t start; // in the buffer
    size_t lines; // before it
    bool cut;     // the last of them was cut: what comes up to the next LF is its rest
} LinePlace;

struct LineReader {
    ByteStream *stream;
    Bytes buffer;
    size_t scanned;       // from place.start up to there, the buffer holds no LF
    size_t received;      // bytes of the stream so far, as UTF-8
    const char *encoding; // NULL: UTF-8, or not known
    bool settled;         // bytes that are not ASCII have said so
    TextDecoder *decoder; // NULL: none
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
    FREED_BY(line_reader_close_at) LineReader *reader = NULL;
    TRY(array_new(&reader, 1, "a file to read", error));
    reader->limit = LINE_LIMIT;
    TRY(byte_stream_open(&reader->stream, path, error));
    *out = memory_take(&reader);
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
    size_t ahead = reader->buffer.length - reader->place.start;
    if (share < 0 || reader->received == 0) return share;
    return share * (1 - (double)ahead / (double)reader->received);
}

void line_reader_close(LineReader *reader)
{
    if (!reader) return;
    byte_stream_close(reader->stream);
    text_decoder_close(reader->decoder);
    bytes_free(&reader->buffer);
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
    Bytes *buffer = &reader->buffer;
    size_t used = reader->marked ? reader->mark.start : reader->place.start;
    if (used > 0) {
        memmove(buffer->data, buffer->data + used, buffer->length - used);
        buffer->length -= used;
        reader->scanned -= used;
        reader->place.start -= used;
        reader->mark.start = 0;
    }
    return bytes_reserve(buffer, buffer->length + CHUNK_SIZE, &reader->failure);
}

// Tells the encoding by the first bytes that are not ASCII.
static Status settle_encoding(LineReader *reader, const char *bytes, size_t length, Error *error)
{
    if (reader->settled) return STATUS_OK;
    for (size_t i = 0; i < length; i++)
        reader->settled |= !bytes[i] || (unsigned char)bytes[i] >= 0x80;
    if (!reader->settled) return STATUS_OK;
    const char *encoding = reader->received == 0 ? text_encoding_guess(bytes, length)
                                                 : text_encoding_guess_later(bytes, length);
    if (encoding) TRY(text_decoder_open(&reader->decoder, encoding, error));
    if (reader->decoder) reader->encoding = encoding;
    return STATUS_OK;
}

// Takes the bytes behind those of the buffer, which may be none at the end, decoded if need be.
static Status take(LineReader *reader, size_t length, Error *error)
{
    Bytes *buffer = &reader->buffer;
    const char *bytes = buffer->data + buffer->length;
    TRY(settle_encoding(reader, bytes, length, error));
    if (reader->decoder)
        return text_decoder_append(reader->decoder, buffer, bytes, length,
                                   byte_stream_ended(reader->stream), error);
    buffer->length += length;
    return STATUS_OK;
}

// Reads a chunk, of which the decoder may hold back all; false if there was none. An error is kept
// in reader->failure and ends the stream.
static bool read_chunk(LineReader *reader, bool wait)
{
    size_t got = 0;
    Bytes *buffer = &reader->buffer;
    if (make_room(reader) == STATUS_OK)
        (void)byte_stream_read(reader->stream, buffer->data + buffer->length,
                               buffer->capacity - buffer->length - 1, wait, &got, &reader->failure);
    size_t before = buffer->length;
    if (!reader->failure.status) (void)take(reader, got, &reader->failure);
    reader->received += buffer->length - before;
    reader->ended = reader->failure.status || byte_stream_ended(reader->stream);
    return got > 0;
}

// The LF of the next line if it has been read, else NULL.
static char *find_line_end(LineReader *reader)
{
    char *data = reader->buffer.data;
    const size_t length = reader->buffer.length;
    if (reader->scanned == length) return NULL;
    char *end = memchr(data + reader->scanned, '\n', length - reader->scanned);
    reader->scanned = end ? (size_t)(end - data) : length;
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
    const Bytes *buffer = &reader->buffer;
    if (place->lines == 0)
        place->start +=
            utf8_mark_length(bytes_text(buffer) + place->start, buffer->length - place->start);
    if (!end && place->start == buffer->length) return STATUS_OK;

    char *text = buffer->data + place->start;
    size_t length = reader->scanned - place->start;
    place->start = reader->scanned += end != NULL;
    if (end && length > 0 && text[length - 1] == '\r') length--;
    bool cut = place->cut || length > reader->limit;
    if (length > reader->limit) length = utf8_whole_length(text, reader->limit);
    *line = (Line){text, length, ++place->lines, cut};
    *more = true;
    return STATUS_OK;
}
