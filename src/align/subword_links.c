#include "align/subword_links.h"

#include "base/array.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
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
            links->items[links->count++] = (SubwordLink){(uint16_t)subword, (uint16_t)target, 1};
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

// parts (units): 1 / (subwords of the unit)
static void set_parts(double *parts, const SoftSide *source)
{
    size_t units = source->units->count, first = 0;
    memset(parts, 0, units * sizeof *parts);
    for (size_t subword = 0; subword < source->subwords; subword++) {
        size_t count = soft_side_units(source, subword, &first);
        for (size_t unit = first; unit < first + count; unit++) parts[unit] += 1;
    }
    for (size_t unit = 0; unit < units; unit++)
        if (parts[unit] > 0) parts[unit] = 1 / parts[unit];
}

/* weights (source.subwords) of the links of one target subword, whose units are `count` from
 * `first` on. Returns their sum. */
static double share_weights(double *weights, const double *parts, const SoftAlignment *soft,
                            const SoftSide *source, size_t first, size_t count)
{
    double total = 0;
    size_t unit_first = 0;
    for (size_t subword = 0; subword < source->subwords; subword++) {
        size_t units = soft_side_units(source, subword, &unit_first);
        weights[subword] = 0;
        for (size_t t = first; t < first + count; t++)
            for (size_t s = unit_first; s < unit_first + units; s++) {
                float weight = soft->weights[t * soft->sources + s];
                if (weight >= MIN_SOFT_LINK) weights[subword] += (double)weight * parts[s];
            }
        total += weights[subword];
    }
    return total;
}

static Status append_weighted(SubwordLinks *links, const double *weights, double total,
                              size_t sources, size_t target, Error *error)
{
    TRY(array_reserve(&links->items, &links->capacity, links->count + sources, "a guide's links",
                      error));
    for (size_t subword = 0; subword < sources; subword++) {
        uint16_t weight = (uint16_t)lround(weights[subword] / total * UINT16_MAX);
        if (weight > 0)
            links->items[links->count++] =
                (SubwordLink){(uint16_t)subword, (uint16_t)target, weight};
    }
    return STATUS_OK;
}

Status subword_links_set_soft(SubwordLinks *links, const SoftAlignment *soft, SoftSide source,
                              SoftSide target, Error *error)
{
    assert(source.subwords <= MAX_SUBWORD_LINK && target.subwords <= MAX_SUBWORD_LINK);
    assert(soft->sources == source.units->count && soft->targets == target.units->count);
    size_t units = source.units->count, first = 0;
    links->count = 0;
    if (!units || !target.units->count) return STATUS_OK;
    Status status = array_reserve(&links->weights, &links->weights_capacity,
                                  units + source.subwords, "a guide's links", error);
    if (status) return status;
    double *parts = links->weights, *weights = parts + units;
    set_parts(parts, &source);
    for (size_t subword = 0; subword < target.subwords && !status; subword++) {
        size_t count = soft_side_units(&target, subword, &first);
        double total = share_weights(weights, parts, soft, &source, first, count);
        if (total > 0)
            status = append_weighted(links, weights, total, source.subwords, subword, error);
    }
    if (status) links->count = 0;
    return status;
}

void subword_links_free(SubwordLinks *links)
{
    memory_free(links->weights);
    memory_free(links->items);
    memory_free(links->linked);
    *links = (SubwordLinks){0};
}
