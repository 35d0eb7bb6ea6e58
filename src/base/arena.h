/* Memory for one batch: sized beforehand, allocated in order, released all at once.
 *
 * The same layout function runs twice: over a measuring arena, which only counts and returns NULL,
 * and then over a real one of that size. So sizes are computed in one place and no kernel
 * allocates:
 *
 *     TRY(arena_lay_out(&arena, acts_layout(&acts, &arena, batch), error));
 *
 * The arena grows only between batches. */
#pragma once

#include "base/status.h"

typedef struct Arena {
    char *memory;    // NULL while measuring, and before the first reserve
    size_t capacity; // bytes
    size_t used;     // bytes taken, each allocation rounded up to 64
    size_t high;     // the largest `used` so far: what a layout with releases in between needs
    bool measuring;
} Arena;

// An arena that only counts.
static inline Arena arena_measuring(void)
{
    return (Arena){.capacity = SIZE_MAX, .measuring = true};
}

/* Empties the arena and makes sure that it holds `bytes`. Everything taken before is gone. On
 * STATUS_MEMORY the arena is empty and still valid. */
Status arena_reserve(Arena *arena, size_t bytes, Error *error);

// Empties the arena, which only counts until arena_reserve.
static inline void arena_measure(Arena *arena)
{
    arena->used = arena->high = 0;
    arena->measuring = true;
}

/* Calls `layout`, which takes from the arena, over the arena measuring and then over as much as that
 * has come to. STATUS_OK, or what arena_reserve says. */
#define arena_lay_out(arena, layout, error)                                                        \
    (arena_measure(arena), (layout),                                                               \
     arena_reserve((arena), (arena)->high, (error)) ? STATUS_MEMORY : ((layout), STATUS_OK))

/* `count` elements of `size` bytes on a 64-byte boundary, not set; NULL when measuring. Taking
 * more than was reserved is a programming error (an assertion). A measured total that overflows
 * saturates at SIZE_MAX, which arena_reserve refuses. */
void *arena_take(Arena *arena, size_t count, size_t size);

// Gives back everything taken since `used` had the value `mark`.
static inline void arena_release(Arena *arena, size_t mark)
{
    assert(mark <= arena->used);
    arena->used = mark;
}

void arena_free(Arena *arena);
