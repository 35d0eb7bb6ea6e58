/* A file or standard input, line by line, plain or compressed (byte_stream.h).
 *
 * Only LF ends a line: U+2028, U+0085, form feeds and NULs are part of it. One CR before the LF is
 * removed, as is a UTF-8 byte-order mark at the start of the file. Text after the last LF is a line
 * too. Text in UTF-16 or Windows-1252 is read as such (text_encoding.h); otherwise bytes that are not
 * UTF-8 stay as they are. */
#pragma once

#include "base/status.h"

// Most bytes of a line without its LF. A longer line is not text and would fill the memory: it is an
// error, or cut where line_reader_cut_long has been called.
enum { LINE_LIMIT = 1 << 26 };

typedef struct LineReader LineReader;

typedef struct Line {
    const char *text; // `length` bytes without a NUL after them; valid until the reader's next call
    size_t length;
    size_t number; // counted from 1
    bool cut;      // the line was longer
} Line;

// Opens `path`; `-` is standard input. Errors: the file is missing, unreadable or a directory.
Status line_reader_open(LineReader **reader, const char *path, Error *error);

/* From now on lines over `limit` bytes, at most LINE_LIMIT, are cut there, between characters, and the rest
 * is skipped: for verbs that answer every line. */
void line_reader_cut_long(LineReader *reader, size_t limit);

/* Reads the next line; *more = false at the end. Blocks only until a whole line has arrived.
 * Errors: a line over LINE_LIMIT (with its number), a broken or cut-off compressed file (after the lines
 * before it). Later calls return the same error again. */
Status line_reader_next(LineReader *reader, Line *line, bool *more, Error *error);

/* Whether line_reader_next would block. Reads whatever has arrived; an error is kept for
 * line_reader_next, which then does not block. */
bool line_reader_would_block(LineReader *reader);

/* From the next line on, all that is read is kept, so that line_reader_return can go back to that
 * line: until the place is marked anew, as often as wanted. */
void line_reader_mark(LineReader *reader);
void line_reader_return(LineReader *reader);

// How many bytes the lines have that were read since.
size_t line_reader_since_mark(const LineReader *reader);

// The share of the file (byte_stream_share) up to the last line returned.
double line_reader_share(const LineReader *reader);

// The encoding of what has been read, if it is told to be another than UTF-8; else NULL.
const char *line_reader_encoding(const LineReader *reader);

// The name that messages use: the path, or "standard input".
const char *line_reader_name(const LineReader *reader);

void line_reader_close(LineReader *reader); // NULL is allowed
FREES_POINTER(LineReader, line_reader_close)
