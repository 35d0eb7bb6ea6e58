#include "base/array.h"

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum { MIN_CAPACITY = 16 };

Status array_grow(void *items, size_t *capacity, size_t needed, size_t size, const char *purpose,
                  Error *error)
{
    size_t grown = *capacity + *capacity / 2;
    if (grown < needed) grown = needed; // also where the sum has overflowed
    if (grown < MIN_CAPACITY) grown = MIN_CAPACITY;
    // *items is a pointer of the caller's type: reading it as a void * would break aliasing rules
    void *old, *moved;
    memcpy(&old, items, sizeof old);
    moved = memory_resize(old, grown, size);
    if (!moved) {
        size_t bytes;
        if (__builtin_mul_overflow(grown, size, &bytes)) bytes = SIZE_MAX;
        return error_memory(error, bytes, purpose);
    }
    memcpy(items, &moved, sizeof moved);
    *capacity = grown;
    return STATUS_OK;
}
