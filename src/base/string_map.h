/* A hash table from byte strings to 64-bit numbers. Keys are copied. Insertion order is kept: entry
 * i is the i-th key inserted, so walking a table gives the same order on every machine. */
#pragma once

#include "base/status.h"

typedef struct StringMapEntry {
    const char *key; // `length` bytes, then a NUL; may contain NULs; owned by the map
    size_t length;
    int64_t value;
    uint64_t hash;
} StringMapEntry;

// Start from `StringMap map = {0};`, end with string_map_free.
typedef struct StringMap {
    StringMapEntry *entries; // in the order of insertion
    size_t count;
    size_t capacity;
    uint32_t *slots; // open addressing; 0 is empty, else 1 + the entry's index
    size_t slot_count;
} StringMap;

// The entry of a key, or NULL. The pointer is valid until the next insertion.
StringMapEntry *string_map_find(const StringMap *map, const char *key, size_t length);

/* The entry of a key, inserted with `value` if it is new, which *added (may be NULL) tells. NULL if
 * out of memory; the map is then unchanged. */
StringMapEntry *string_map_put(StringMap *map, const char *key, size_t length, int64_t value,
                               bool *added);

void string_map_free(StringMap *map);

// FNV-1a with a final mix: the same on every machine, used wherever text must be hashed
// reproducibly.
uint64_t string_hash(const char *key, size_t length);
