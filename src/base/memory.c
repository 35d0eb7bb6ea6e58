#define _DEFAULT_SOURCE
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20 };

void *memory_new(size_t count, size_t size)
{
    return calloc(count ? count : 1, size ? size : 1); // calloc checks the product
}

void *memory_resize(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    return realloc(old, bytes ? bytes : 1);
}

void *memory_aligned(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - 64) return NULL;
    bytes = (bytes + 63) / 64 * 64; // aligned_alloc wants a multiple of the boundary
    return aligned_alloc(64, bytes ? bytes : 64);
}

void *memory_in_large_pages(size_t count, size_t size)
{
#ifdef MADV_HUGEPAGE
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    if (bytes < LARGE_PAGE / 2 || bytes > SIZE_MAX - LARGE_PAGE) return memory_aligned(bytes, 1);
    bytes = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *memory = aligned_alloc(LARGE_PAGE, bytes);
    if (memory) (void)madvise(memory, bytes, MADV_HUGEPAGE); // small pages do as well
    return memory;
#else
    return memory_aligned(count, size);
#endif
}

char *memory_copy_string(const char *string, size_t length)
{
    if (length == SIZE_MAX) return NULL;
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    if (length) memcpy(copy, string, length);
    copy[length] = '\0';
    return copy;
}

void memory_free(void *memory)
{
    free(memory);
}
