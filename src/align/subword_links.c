#include "align/subword_links.h"

#include "base/array.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

// Marks the source units linked to the target units first … first+count-1; false if there are none.
static bool mark(SubwordLinks *links, const Links *given, size_t sources, size_t first,
                 size_t count)
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

// Links a target subword to the subwords of all marked source units.
static Status link_subword(SubwordLinks *links, const SoftSide *source, size_t target, Error *error)
{
    TRY(array_reserve(&links->items, &links->capacity, links->count + source->subwords,
                      "a guide's links", error));
    size_t first = 0;
    for (size_t subword = 0; subword < source->subwords; subword++) {
        size_t count = soft_side_units(source, subword, &first);
        bool linked = false;
        for (size_t unit = first; unit < first + count; unit++) linked |= links->linked[unit];
        if (linked)
            links->items[links->count++] = (SubwordLink){(uint16_t)subword, (uint16_t)target};
    }
    return STATUS_OK;
}

Status subword_links_set(SubwordLinks *links, const Links *given, SoftSide source, SoftSide target,
                         Error *error)
{
    assert(source.subwords <= MAX_SUBWORD_LINK && target.subwords <= MAX_SUBWORD_LINK);
    size_t sources = source.units->count, first = 0;
    links->count = 0;
    if (given->count == 0) return STATUS_OK;
    Status status =
        array_reserve(&links->linked, &links->linked_capacity, sources, "a guide's links", error);
    for (size_t subword = 0; subword < target.subwords && !status; subword++) {
        size_t count = soft_side_units(&target, subword, &first);
        if (mark(links, given, sources, first, count))
            status = link_subword(links, &source, subword, error);
    }
    if (status) links->count = 0;
    return status;
}

void subword_links_free(SubwordLinks *links)
{
    memory_free(links->items);
    memory_free(links->linked);
    *links = (SubwordLinks){0};
}
