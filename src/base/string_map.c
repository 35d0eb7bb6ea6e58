#include "base/string_map.h"

#include "base/array.h"

uint64_t string_hash(const char *key, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a (Fowler, Noll, Vo)
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)key[i]) * 0x100000001b3u;
    hash ^= hash >> 32; // its low bits alone are weak, and the slots use only those
    hash *= 0xd6e8feb86659fd93u;
    return hash ^ hash >> 32;
}

static size_t find_slot(const StringMap *map, const char *key, size_t length, uint64_t hash)
{
    size_t slot = (size_t)hash & (map->slot_count - 1);
    while (map->slots[slot]) {
        const StringMapEntry *entry = &map->entries[map->slots[slot] - 1];
        if (entry->hash == hash && entry->length == length && !memcmp(entry->key, key, length))
            break;
        slot = (slot + 1) & (map->slot_count - 1);
    }
    return slot;
}

StringMapEntry *string_map_find(const StringMap *map, const char *key, size_t length)
{
    if (!map->slot_count) return NULL;
    size_t slot = find_slot(map, key, length, string_hash(key, length));
    return map->slots[slot] ? &map->entries[map->slots[slot] - 1] : NULL;
}

/* Room for one more: at most two thirds of the slots are ever used. */
static bool make_room(StringMap *map)
{
    if (array_reserve(&map->entries, &map->capacity, map->count + 1, "", NULL)) return false;
    if (3 * (map->count + 1) <= 2 * map->slot_count) return true;
    size_t slot_count = map->slot_count ? 2 * map->slot_count : 32;
    uint32_t *slots = memory_new(slot_count, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < map->count; i++) {
        size_t slot = (size_t)map->entries[i].hash & (slot_count - 1);
        while (slots[slot]) slot = (slot + 1) & (slot_count - 1);
        slots[slot] = (uint32_t)i + 1;
    }
    memory_free(map->slots);
    map->slots = slots;
    map->slot_count = slot_count;
    return true;
}

StringMapEntry *string_map_put(StringMap *map, const char *key, size_t length, int64_t value,
                               bool *added)
{
    if (added) *added = false;
    uint64_t hash = string_hash(key, length);
    size_t slot = 0, slot_count = map->slot_count;
    if (slot_count) {
        slot = find_slot(map, key, length, hash);
        if (map->slots[slot]) return &map->entries[map->slots[slot] - 1];
    }
    if (map->count >= UINT32_MAX - 1 || !make_room(map)) return NULL;
    char *copy = memory_copy_string(key, length);
    if (!copy) return NULL;
    if (map->slot_count != slot_count) slot = find_slot(map, key, length, hash);
    map->entries[map->count] = (StringMapEntry){copy, length, value, hash};
    map->slots[slot] = (uint32_t)++map->count;
    if (added) *added = true;
    return &map->entries[map->count - 1];
}

void string_map_free(StringMap *map)
{
    for (size_t i = 0; i < map->count; i++) memory_free((void *)(size_t)map->entries[i].key);
    memory_free(map->entries);
    memory_free(map->slots);
    *map = (StringMap){0};
}
