#include "base/arena.h"

#include "base/memory.h"

Status arena_reserve(Arena *arena, size_t bytes, Error *error)
{
    arena->used = 0;
    arena->measuring = false;
    if (arena->memory && bytes <= arena->capacity) return STATUS_OK;
    memory_free(arena->memory);
    arena->memory = memory_in_large_pages(bytes, 1);
    arena->capacity = arena->memory ? bytes : 0;
    if (!arena->memory) return error_memory(error, bytes, "the activations of a batch");
    return STATUS_OK;
}

void *arena_take(Arena *arena, size_t count, size_t size)
{
    size_t bytes, used;
    bool overflow = __builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - 63;
    bytes = overflow ? SIZE_MAX : (bytes + 63) / 64 * 64;
    if (__builtin_add_overflow(arena->used, bytes, &used)) used = SIZE_MAX;
    assert(arena->measuring || used <= arena->capacity);
    char *taken = arena->measuring ? NULL : arena->memory + arena->used;
    arena->used = used;
    if (used > arena->high) arena->high = used;
    return taken;
}

void arena_free(Arena *arena)
{
    memory_free(arena->memory);
    *arena = (Arena){0};
}
