/* The file of `translate --prefix`: what the translation of each line of input must begin with, in
 * the line with the same number. */
#ifndef REGARD_CLI_PREFIX_FILE_H
#define REGARD_CLI_PREFIX_FILE_H

#include "base/bytes.h"
#include "io/line_reader.h"

// Start from {0}, end with prefix_file_close. One that was never opened has no prefixes.
typedef struct PrefixFile {
    LineReader *reader;
    Bytes text;      // of the prefixes read, one after another
    TextView *views; // (count, room for as many as given on opening)
    size_t count;
} PrefixFile;

// At most `most` prefixes are kept at a time.
Status prefix_file_open(PrefixFile *file, const char *path, size_t most, Error *error);

// Reads one more; STATUS_FORMAT if there is none.
Status prefix_file_next(PrefixFile *file, Error *error);

// Those read since the last call of prefix_file_forget; NULL if the file was never opened.
const TextView *prefix_file_views(PrefixFile *file);

void prefix_file_forget(PrefixFile *file);

// STATUS_FORMAT if there are more prefixes than the `lines` of the input.
Status prefix_file_finish(PrefixFile *file, size_t lines, Error *error);

void prefix_file_close(PrefixFile *file);

#endif
