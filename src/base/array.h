/* Arrays: of a fixed size, or growing with a pointer, a count and a capacity in the structure of
 * their owner.
 *
 *     return array_add(&links->items, &links->count, &links->capacity, "links", error, link);
 *
 * Start from NULL and 0, end with memory_free(items), which comes with this header. */
#pragma once

#include "base/memory.h"
#include "base/status.h"

/* Sets the pointer at `items` to `count` new elements, all bytes 0, freed by memory_free. On
 * STATUS_MEMORY, whose message has the `purpose`, it is NULL. */
#define array_new(items, count, purpose, error)                                                    \
    array_new_sized((items), (count), sizeof **(items), (purpose), (error))

Status array_new_sized(void *items, size_t count, size_t size, const char *purpose, Error *error);

/* Makes room for `needed` elements in all. `items` is the address of a pointer to elements of any
 * type. The capacity grows by half at least, so that appending one by one costs linear time; new
 * elements are not set. On STATUS_MEMORY, whose message has the `purpose`, nothing has changed. */
#define array_reserve(items, capacity, needed, purpose, error)                                     \
    array_reserve_sized((items), (capacity), (needed), sizeof **(items), (purpose), (error))

// Adds an element to `count`: STATUS_OK, or what array_reserve says.
#define array_add(items, count, capacity, purpose, error, ...)                                     \
    (array_reserve((items), (capacity), *(count) + 1, (purpose), (error))                          \
         ? STATUS_MEMORY                                                                           \
         : ((void)((*(items))[(*(count))++] = __VA_ARGS__), STATUS_OK))

/* Grows the array whose first element the pointer at `items` points to. */
Status array_grow(void *items, size_t *capacity, size_t needed, size_t size, const char *purpose,
                  Error *error);

static inline Status array_reserve_sized(void *items, size_t *capacity, size_t needed, size_t size,
                                         const char *purpose, Error *error)
{
    if (needed <= *capacity) return STATUS_OK;
    return array_grow(items, capacity, needed, size, purpose, error);
}

/* Puts an item into a list of at most `most`, the best first, behind all that are at least as good, if
 * there is room. `is_better` says whether the item is better than that at `place` - 1. */
#define array_keep_best(items, count, most, place, item, is_better)                                \
    do {                                                                                           \
        (place) = *(count);                                                                        \
        while ((place) > 0 && (is_better)) (place)--;                                              \
        if ((place) == (most)) break;                                                              \
        if (*(count) < (most)) ++*(count);                                                         \
        for (size_t keep_at = *(count)-1; keep_at > (place); keep_at--)                            \
            (items)[keep_at] = (items)[keep_at - 1];                                               \
        (items)[place] = (item);                                                                   \
    } while (0)

/* Sets `place`, by binary search, to the first place from `begin` on whose element does not come
 * before what is looked for, or to `end`. `is_before` says of the element at `place` whether it
 * does, as the first do and no others. */
#define array_search(place, begin, end, is_before)                                                 \
    do {                                                                                           \
        size_t search_low = (begin), search_high = (end);                                          \
        while (search_low < search_high) {                                                         \
            (place) = search_low + (search_high - search_low) / 2;                                 \
            if (is_before)                                                                         \
                search_low = (place) + 1;                                                          \
            else                                                                                   \
                search_high = (place);                                                             \
        }                                                                                          \
        (place) = search_low;                                                                      \
    } while (0)
