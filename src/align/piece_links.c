#include "align/piece_links.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

static size_t units_at(const SoftSide *side, size_t piece, size_t *first)
{
    return units_of_piece(side->units, piece ? side->ends[piece - 1] : 0, side->ends[piece], first);
}

static Status append(PieceLinks *links, size_t source, size_t target, Error *error)
{
    if (links->count == links->capacity) {
        size_t capacity = memory_grown(links->capacity, links->count + 1);
        PieceLink *items = memory_resize(links->items, capacity, sizeof *items);
        if (!items) return error_memory(error, capacity * sizeof *items, "a guide's links");
        links->items = items;
        links->capacity = capacity;
    }
    links->items[links->count++] = (PieceLink){(uint16_t)source, (uint16_t)target};
    return STATUS_OK;
}

/* Marks the source units that are linked to the target units first … first + count − 1; false if there are none. */
static bool mark(PieceLinks *links, const Links *given, size_t sources, size_t first, size_t count)
{
    bool any = false;
    memset(links->linked, 0, sources * sizeof *links->linked);
    for (size_t i = 0; i < given->count; i++) {
        Link link = given->items[i];
        if (link.target < first || link.target - first >= count) continue;
        assert(link.source < sources);
        links->linked[link.source] = any = true;
    }
    return any;
}

/* Links a target piece to the pieces of all marked source units. */
static Status link_piece(PieceLinks *links, const SoftSide *source, size_t target, Error *error)
{
    Status status = STATUS_OK;
    size_t first = 0;
    for (size_t piece = 0; piece < source->pieces && !status; piece++) {
        size_t count = units_at(source, piece, &first);
        bool linked = false;
        for (size_t unit = first; unit < first + count; unit++) linked |= links->linked[unit];
        if (linked) status = append(links, piece, target, error);
    }
    return status;
}

Status piece_links_set(PieceLinks *links, const Links *given, SoftSide source, SoftSide target,
                       Error *error)
{
    assert(source.pieces <= PIECE_LINK_MOST && target.pieces <= PIECE_LINK_MOST);
    size_t sources = source.units->count, first = 0;
    links->count = 0;
    if (given->count == 0) return STATUS_OK;
    if (sources > links->linked_capacity) {
        bool *linked = memory_resize(links->linked, sources, sizeof *linked);
        if (!linked) return error_memory(error, sources * sizeof *linked, "a guide's links");
        links->linked = linked;
        links->linked_capacity = sources;
    }
    Status status = STATUS_OK;
    for (size_t piece = 0; piece < target.pieces && !status; piece++) {
        size_t count = units_at(&target, piece, &first);
        if (mark(links, given, sources, first, count))
            status = link_piece(links, &source, piece, error);
    }
    if (status) links->count = 0;
    return status;
}

void piece_links_free(PieceLinks *links)
{
    memory_free(links->items);
    memory_free(links->linked);
    *links = (PieceLinks){0};
}
