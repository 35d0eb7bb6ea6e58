// The lines of a file as strings, one at a time, for metrics, which read up to a NUL.
#ifndef REGARD_CLI_EVALUATE_TEXT_LINES_H
#define REGARD_CLI_EVALUATE_TEXT_LINES_H

#include "io/line_reader.h"

#include "base/bytes.h"

/* Start from {0}, end with text_lines_close. `line` is the current one; a NUL in it is read as
 * U+FFFD, like every other byte that is not text. */
typedef struct TextLines {
    LineReader *reader; // NULL until it is opened
    Bytes line;
    size_t count; // read so far
} TextLines;

// Opens `path`, or standard input for `-`.
Status text_lines_open(TextLines *lines, const char *path, Error *error);

// Reads the next line; *more = false at the end.
Status text_lines_next(TextLines *lines, bool *more, Error *error);

void text_lines_close(TextLines *lines);

#endif
