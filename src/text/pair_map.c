#include "text/pair_map.h"

#include "base/memory.h"

// The pair's slot, or the empty one where it belongs. The product's high bits are the well-mixed
// ones.
static size_t find_slot(const PairMapSlot *slots, size_t slot_count, int32_t left, int32_t right)
{
    uint64_t hash = ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * 0x9E3779B97F4A7C15u;
    size_t slot = (size_t)(hash ^ hash >> 32) & (slot_count - 1);
    while (slots[slot].value != PAIR_MAP_NONE &&
           (slots[slot].left != left || slots[slot].right != right))
        slot = (slot + 1) & (slot_count - 1);
    return slot;
}

int64_t pair_map_find(const PairMap *map, int32_t left, int32_t right)
{
    if (!map->slot_count) return PAIR_MAP_NONE;
    return map->slots[find_slot(map->slots, map->slot_count, left, right)].value;
}

Status pair_map_reserve(PairMap *map, size_t count, const char *purpose, Error *error)
{
    size_t slot_count = map->slot_count ? map->slot_count : 64;
    while (slot_count < 2 * count) slot_count *= 2; // at most half of the slots are used
    if (slot_count == map->slot_count) return STATUS_OK;
    PairMapSlot *slots = memory_new(slot_count, sizeof *slots);
    if (!slots) return error_memory(error, slot_count * sizeof *slots, purpose);
    for (size_t i = 0; i < slot_count; i++) slots[i].value = PAIR_MAP_NONE;
    for (size_t i = 0; i < map->slot_count; i++) {
        PairMapSlot old = map->slots[i];
        if (old.value != PAIR_MAP_NONE)
            slots[find_slot(slots, slot_count, old.left, old.right)] = old;
    }
    memory_free(map->slots);
    map->slots = slots;
    map->slot_count = slot_count;
    return STATUS_OK;
}

int64_t pair_map_enter(PairMap *map, int32_t left, int32_t right)
{
    PairMapSlot *slot = &map->slots[find_slot(map->slots, map->slot_count, left, right)];
    if (slot->value != PAIR_MAP_NONE) return slot->value;
    assert(left >= 0 && right >= 0 && 2 * map->count < map->slot_count);
    *slot = (PairMapSlot){left, right, (int64_t)map->count++};
    return slot->value;
}

void pair_map_clear(PairMap *map)
{
    // every value becomes -1, PAIR_MAP_NONE
    if (map->slot_count) memset(map->slots, 0xFF, map->slot_count * sizeof *map->slots);
    map->count = 0;
}

void pair_map_free(PairMap *map)
{
    memory_free(map->slots);
    *map = (PairMap){0};
}
