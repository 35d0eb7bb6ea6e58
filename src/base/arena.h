/* Memory for one batch: sized before it, handed out in order, released all at once.
 *
 * The same layout function is run twice. First over a measuring arena, which hands out NULL and
 * only counts; then over a real one of that size. So sizes are computed in one place, no kernel
 * allocates, and nothing is guessed:
 *
 *     Arena measure = arena_measuring();
 *     acts_layout(&acts, &measure, batch);
 *     arena_reserve(&arena, measure.high, error);   // grows only between batches
 *     acts_layout(&acts, &arena, batch);
 */
#ifndef REGARD_BASE_ARENA_H
#define REGARD_BASE_ARENA_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Arena {
    char *memory;    // NULL while measuring, and before the first reserve
    size_t capacity; // bytes
    size_t used;     // bytes handed out, each piece rounded up to 64
    size_t
        high; // the largest `used` ever: what a layout needs, even if it releases pieces on its way
    bool measuring;
} Arena;

// An arena that only counts.
Arena arena_measuring(void);

/* Empties the arena and makes sure that it holds `bytes`. Everything handed out before is gone. On
 * STATUS_MEMORY the arena is empty and still valid. */
Status arena_reserve(Arena *arena, size_t bytes, Error *error);

/* `count` elements of `size` bytes on a 64-byte boundary, not set; NULL when measuring. Asking for
 * more than was reserved is a mistake of the caller (an assertion). A measured total that overflows
 * saturates at SIZE_MAX, so that arena_reserve refuses it. */
void *arena_take(Arena *arena, size_t count, size_t size);

// Gives back everything taken since `used` had the value `mark`.
void arena_release(Arena *arena, size_t mark);

void arena_free(Arena *arena);

#endif
