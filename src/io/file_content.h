/* A whole file in memory. It is read, not mapped: a mapped file that another program cuts or writes
 * over would change under its reader, or end the program. */
#pragma once

#include "io/input_file.h"

typedef struct FileContent {
    char *data; // on a 64-byte boundary; NULL for an empty file
    size_t size;
    size_t done; // bytes read so far
    InputFile file;
    bool open;
} FileContent;

/* Reads a regular file. STATUS_IO if it cannot be read or is changed meanwhile; then there is
 * nothing to free. */
Status file_content_read(FileContent *content, const char *path, Error *error);

/* The same in steps, so that other work can begin with the first bytes: opens the file; reads its
 * first `bytes`, or all if it has fewer; reads the rest and closes it. After a failure it is to be
 * freed. */
Status file_content_open(FileContent *content, const char *path, Error *error);
Status file_content_read_first(FileContent *content, size_t bytes, const char *path, Error *error);
Status file_content_read_rest(FileContent *content, const char *path, Error *error);

void file_content_free(FileContent *content);
