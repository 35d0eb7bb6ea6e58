#include "base/array.h"

enum { MIN_CAPACITY = 16 };

static Status too_many(size_t count, size_t size, const char *purpose, Error *error)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
    return error_memory(error, bytes, purpose);
}

Status array_new_sized(void *items, size_t count, size_t size, const char *purpose, Error *error)
{
    void *made = memory_new(count, size);
    // *items is a pointer of the caller's type: writing it as a void * would break aliasing rules
    memcpy(items, &made, sizeof made);
    return made ? STATUS_OK : too_many(count, size, purpose, error);
}

Status array_grow(void *items, size_t *capacity, size_t needed, size_t size, const char *purpose,
                  Error *error)
{
    size_t grown = *capacity + *capacity / 2;
    if (grown < needed) grown = needed; // also where the sum has overflowed
    if (grown < MIN_CAPACITY) grown = MIN_CAPACITY;
    void *old, *moved; // copied bytewise, as in array_new_sized
    memcpy(&old, items, sizeof old);
    moved = memory_resize(old, grown, size);
    if (!moved) return too_many(grown, size, purpose, error);
    memcpy(items, &moved, sizeof moved);
    *capacity = grown;
    return STATUS_OK;
}
