/* Writing a file so that the old one is never lost: to a temporary name beside it, fsync'ed,
 * renamed over it. */
#ifndef REGARD_IO_FILE_H
#define REGARD_IO_FILE_H

#include "base/status.h"

#include <stddef.h>

typedef struct FileWriter FileWriter;

/* Opens a temporary file beside `path`. The path itself is not touched before file_writer_commit.
 */
Status file_writer_open(FileWriter **writer, const char *path, Error *error);

Status file_writer_write(FileWriter *writer, const void *data, size_t bytes, Error *error);

/* Flushes to disk and renames over the path. The writer is freed whether this succeeds or not; on
 * failure the temporary file is removed and what stood at the path before still stands there. */
Status file_writer_commit(FileWriter *writer, Error *error);

// Gives up: removes the temporary file and frees the writer. NULL is allowed.
void file_writer_abandon(FileWriter *writer);

/* A whole file mapped read-only; `data` is NULL for an empty file. Directories and devices are
 * refused. */
typedef struct FileMap {
    const char *data;
    size_t size;
} FileMap;

Status file_map(FileMap *map, const char *path, Error *error);
void file_unmap(FileMap *map);

#endif
