/* The only file in a zip archive. Folders, and what macOS adds (`__MACOSX/…`, `.DS_Store`), do not
 * count. */
#ifndef REGARD_IO_ZIP_ENTRY_H
#define REGARD_IO_ZIP_ENTRY_H

#include "base/bytes.h"

#include <stddef.h>

typedef struct ZipEntry ZipEntry;

/* Opens the archive that `descriptor` is, which stays open; `name` is for messages. STATUS_FORMAT if
 * it is not complete, or has no file or several (with their names); STATUS_ARGUMENT if the program
 * was built without minizip, or for a pipe, as the list of files is at the end. */
Status zip_entry_open(ZipEntry **entry, int descriptor, const char *name, Error *error);

/* Reads up to `capacity` bytes; *length = 0 at the end. STATUS_FORMAT if it is damaged or encrypted,
 * also if only its checksum is wrong. */
Status zip_entry_read(ZipEntry *entry, char *out, size_t capacity, size_t *length, Error *error);

/* Appends the name of the only file in the archive at `path`; fails as zip_entry_open, and with
 * STATUS_IO where there is no such file. */
Status zip_entry_find_name(Bytes *out, const char *path, Error *error);

// NULL is allowed.
void zip_entry_close(ZipEntry *entry);

#endif
