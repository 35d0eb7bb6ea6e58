/* Allocation whose sizes cannot overflow. Everything on the heap comes from here and goes back
 * through memory_free. */
#ifndef REGARD_BASE_MEMORY_H
#define REGARD_BASE_MEMORY_H

#include <stddef.h>

// `count` elements of `size` bytes, zeroed; NULL if that is too much. A count of 0 gives a valid
// pointer.
void *memory_new(size_t count, size_t size) __attribute__((warn_unused_result));

/* `old` (may be NULL) resized to `count` elements of `size` bytes; NULL if that is too much, and
 * then `old` is still valid. New bytes are not set. */
void *memory_resize(void *old, size_t count, size_t size) __attribute__((warn_unused_result));

/* `count` elements of `size` bytes on a 64-byte boundary (a cache line, and the width of an AVX-512
 * register), not set; NULL if that is too much. Freed by memory_free. */
void *memory_aligned(size_t count, size_t size) __attribute__((warn_unused_result));

/* As memory_aligned, for what is filled and read as a whole. From 1 MB on it lies in the large pages of
 * the system, where there are such: made in 2 MB at once, they take a fraction of the time that small
 * ones take, each of which is made when it is first touched, and walking over them misses fewer
 * translations of addresses. Rounded up to whole ones. */
void *memory_in_large_pages(size_t count, size_t size) __attribute__((warn_unused_result));

// A copy of `length` bytes with a NUL behind it; NULL if out of memory.
char *memory_copy_string(const char *string, size_t length) __attribute__((warn_unused_result));

// Frees what the functions above returned; NULL is allowed.
void memory_free(void *memory);

// The capacity a growable array takes next so that it holds `needed`: half as much again, at
// least 16.
size_t memory_grown(size_t capacity, size_t needed);

#endif
