/* Files that JavaScript has put into memory: where models are opened by their paths, which is what io/file_content.h
 * does elsewhere, these are read. */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { MAX_GIVEN_FILES = 64 };

/* From now on until it is read, `path` names these bytes. Both are taken over, memory of base/memory.h, the bytes
 * aligned. */
Status given_file_add(char *path, char *data, size_t size, Error *error);
