/* What clang's analyser cannot know because it sees one file at a time: what never returns STATUS_OK, and what is malloc by
 * another name. tools/lint includes this before every file but the two that define these functions. */
// A file may choose among the C library's interfaces only before its first #include; so all of them are taken.
#define _GNU_SOURCE
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

#define error_memory(...) (error_memory(__VA_ARGS__), STATUS_MEMORY)
#define error_set(error, status, ...) (error_set(error, status, __VA_ARGS__), status)
#define memory_new(count, size) calloc(count, size)
#define memory_resize(old, count, size) realloc(old, (count) * (size))
#define memory_aligned(count, size) malloc((count) * (size))
#define memory_free(memory) free(memory)

#undef _GNU_SOURCE
#undef _POSIX_C_SOURCE
