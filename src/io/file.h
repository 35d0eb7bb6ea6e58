/* Writes a file so that the old one is never lost: to a temporary name beside it, which is fsync'ed
 * and then renamed over it. */
#ifndef REGARD_IO_FILE_H
#define REGARD_IO_FILE_H

#include "base/status.h"

#include <stddef.h>

typedef struct FileWriter FileWriter;

// Opens a temporary file beside `path`, which itself stays as it is until file_writer_commit.
Status file_writer_open(FileWriter **writer, const char *path, Error *error);

Status file_writer_write(FileWriter *writer, const void *data, size_t bytes, Error *error);

/* Flushes to disk, renames over the path and frees the writer. On failure the temporary file is
 * removed and the file at the path is as it was. */
Status file_writer_commit(FileWriter *writer, Error *error);

// Removes the temporary file and frees the writer; NULL is allowed.
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
