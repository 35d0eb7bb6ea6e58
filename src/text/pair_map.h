/* A hash table from a pair of ids, both ≥ 0, to a number. */
#pragma once

#include "base/status.h"

enum { PAIR_MAP_NONE = -1 };

typedef struct PairMapSlot {
    int32_t left;
    int32_t right;
    int64_t value; // PAIR_MAP_NONE if the slot is empty
} PairMapSlot;

// Start from `PairMap map = {0};`, end with pair_map_free.
typedef struct PairMap {
    PairMapSlot *slots; // open addressing; slot_count is a power of two
    size_t slot_count;
    size_t count;
} PairMap;

// The value of a pair, or PAIR_MAP_NONE.
int64_t pair_map_find(const PairMap *map, int32_t left, int32_t right);

/* Makes room for `count` pairs in all, so that pair_map_enter can add them. On STATUS_MEMORY, whose
 * message has the `purpose`, the map is as it was. */
Status pair_map_reserve(PairMap *map, size_t count, const char *purpose, Error *error);

// The value of a pair, which is entered if it is new, with the number of pairs before it.
int64_t pair_map_enter(PairMap *map, int32_t left, int32_t right);

// Removes all pairs and keeps the room.
void pair_map_clear(PairMap *map);

void pair_map_free(PairMap *map);
