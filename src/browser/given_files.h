/* Files in memory: where models are opened and saved by their paths, which is what io/file_content.h and
 * io/file_writer.h do elsewhere, these are read and written. One that JavaScript has given is read once, one
 * that was written any number of times. */
#pragma once

#include "base/bytes.h"

enum { MAX_GIVEN_FILES = 64 };

/* From now on until it is read, `path` names these bytes. Both are taken over, memory of base/memory.h, the bytes
 * aligned. */
Status given_file_add(char *path, char *data, size_t size, Error *error);

// The bytes of a file, until it is read, written or removed; none if there is none.
TextView given_file_view(const char *path);
