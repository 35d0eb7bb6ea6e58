/* Writes a file so that the old one is never lost: under a temporary name beside it, which is
 * fsync'ed and then renamed over it.
 *
 * The temporary name, PATH.xxxxxxxx.tmp, is new, never a link, and locked while it is written; those
 * that a killed program has left are removed when the same path is written again. The new file has
 * the old one's permissions and, if possible, its owner. Where the path is a link, the file that it
 * names is replaced, not the link. */
#pragma once

#include "base/status.h"

typedef struct FileWriter FileWriter;

// Opens a temporary file beside `path`, which itself stays as it is until file_writer_commit.
Status file_writer_open(FileWriter **writer, const char *path, Error *error);

Status file_writer_write(FileWriter *writer, const void *data, size_t bytes, Error *error);

// The temporary name, where everything written so far can be read.
const char *file_writer_temporary(const FileWriter *writer);

/* Flushes to disk, renames over the path and frees the writer. On failure the temporary file is
 * removed and the file at the path is as it was. */
Status file_writer_commit(FileWriter *writer, Error *error);

// Writes a file that is all there at once.
Status file_write(const char *path, const void *data, size_t bytes, Error *error);

/* STATUS_ARGUMENT if there is a regular file at the path: "PATH: exists; `otherwise`", which says what
 * the user can do. For those who replace a file only if they are asked to. */
Status file_refuse_existing(const char *path, const char *otherwise, Error *error);

// Whether two paths name one file that exists.
bool file_is_same(const char *path, const char *other);

// Removes the temporary file and frees the writer; NULL is allowed.
void file_writer_abandon(FileWriter *writer);

// Fails as file_writer_open would: what cannot be written is found out before long work, not after it.
static inline Status file_writer_try(const char *path, Error *error)
{
    FileWriter *writer;
    TRY(file_writer_open(&writer, path, error));
    file_writer_abandon(writer);
    return STATUS_OK;
}
