/* A whole file in memory. It is read, not mapped: a mapped file that another program cuts or writes
 * over would change under its reader, or end the program. */
#ifndef REGARD_IO_FILE_CONTENT_H
#define REGARD_IO_FILE_CONTENT_H

#include "base/status.h"

#include <stddef.h>

typedef struct FileContent {
    char *data; // on a 64-byte boundary; NULL for an empty file
    size_t size;
} FileContent;

/* Reads a regular file. STATUS_IO if it cannot be read or is changed meanwhile; then there is
 * nothing to free. */
Status file_content_read(FileContent *content, const char *path, Error *error);

void file_content_free(FileContent *content);

#endif
