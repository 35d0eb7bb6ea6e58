/* Allocation whose sizes cannot overflow. All heap memory comes from here and is freed by
 * memory_free. */
#pragma once

#include <stddef.h>
#include <string.h>

// `count` elements of `size` bytes, zeroed; NULL if that is too much. A count of 0 gives a valid
// pointer.
void *memory_new(size_t count, size_t size) __attribute__((warn_unused_result));

/* `old` (may be NULL) resized to `count` elements of `size` bytes; NULL if that is too much, and
 * then `old` is still valid. New bytes are not set. */
void *memory_resize(void *old, size_t count, size_t size) __attribute__((warn_unused_result));

/* `count` elements of `size` bytes on a 64-byte boundary (a cache line, and the width of an AVX-512
 * register), not set; NULL if that is too much. Freed by memory_free. */
void *memory_aligned(size_t count, size_t size) __attribute__((warn_unused_result));

/* As memory_aligned, for large blocks that are used as a whole. From 1 MB on they are in the
 * system's large pages, if it has any: these are made 2 MB at a time, in a fraction of the time
 * that small pages take, which are made one by one at their first use, and there are fewer TLB
 * misses. The size is rounded up to whole pages. */
void *memory_in_large_pages(size_t count, size_t size) __attribute__((warn_unused_result));

// A copy of `length` bytes with a NUL after it; NULL if out of memory.
char *memory_copy_string(const char *string, size_t length) __attribute__((warn_unused_result));

// Frees what the functions above returned; NULL is allowed.
void memory_free(void *memory);

// Of a local pointer, which begins with NULL: freed however its scope is left (FREED_BY).
#define FREED __attribute__((cleanup(memory_free_at)))

static inline void memory_free_at(void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory); // a pointer of the caller's type
    memory_free(memory);
}

// What a pointer that is FREED or FREED_BY points to, for whoever frees it from now on.
static inline void *memory_take(void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    memset(pointer, 0, sizeof memory);
    return memory;
}
