/* A file or standard input, line by line, plain or gzip (byte_stream.h).
 *
 * A line ends at LF and at nothing else: U+2028, U+0085, form feeds and NULs are part of it. One CR
 * before the LF is taken away, as is a UTF-8 byte-order mark at the start of the file. What follows
 * the last LF is a line too unless it is empty. Bytes that are not UTF-8 come through as they are.
 */
#ifndef REGARD_IO_LINE_READER_H
#define REGARD_IO_LINE_READER_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

// The longest line in bytes, its LF not counted. A longer one is an error: it is no text, and would
// fill the memory.
enum { LINE_LIMIT = 1 << 26 };

typedef struct LineReader LineReader;

typedef struct Line {
    const char
        *text; // `length` bytes, then no NUL; belongs to the reader, valid until its next call
    size_t length;
    size_t number; // counted from 1
} Line;

/* Opens `path`, or standard input for `-`. Errors: it is missing, may not be read, is a directory.
 */
Status line_reader_open(LineReader **reader, const char *path, Error *error);

/* Reads the next line; *more = false at the end. Waits only until one whole line is there. Errors:
 * a line over LINE_LIMIT (named), a broken or cut-off gzip (the lines before the break are handed
 * out first). A reader that gave an error gives it again. */
Status line_reader_next(LineReader *reader, Line *line, bool *more, Error *error);

/* Whether line_reader_next would have to wait. Takes in whatever has arrived; an error met by that
 * is kept for line_reader_next, which then does not wait. */
bool line_reader_would_block(LineReader *reader);

// How messages call it: the path, or "standard input".
const char *line_reader_name(const LineReader *reader);

// NULL is allowed.
void line_reader_close(LineReader *reader);

#endif
