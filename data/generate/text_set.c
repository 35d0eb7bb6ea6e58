#include "text_set.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The slot of a text, or the empty one it belongs into. FNV-1a.
static size_t slot_of(const TextSet *set, const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *at = text; *at; at++) hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    size_t slot = (size_t)(hash >> 20) % TEXT_SET_SLOTS;
    while (set->texts[slot] && strcmp(set->texts[slot], text) != 0)
        slot = (slot + 1) % TEXT_SET_SLOTS;
    return slot;
}

bool text_set_has(const TextSet *set, const char *text)
{
    return set->texts[slot_of(set, text)] != NULL;
}

bool text_set_add(TextSet *set, const char *text)
{
    size_t slot = slot_of(set, text);
    if (set->texts[slot]) return false;
    char *copy = set->count < TEXT_SET_SLOTS / 2 ? malloc(strlen(text) + 1) : NULL;
    if (!copy) {
        fprintf(stderr, "generate: no room for more texts\n");
        exit(1);
    }
    set->texts[slot] = strcpy(copy, text);
    set->count++;
    return true;
}

void text_set_free(TextSet *set)
{
    for (size_t i = 0; i < TEXT_SET_SLOTS; i++) free(set->texts[i]);
    *set = (TextSet){0};
}
