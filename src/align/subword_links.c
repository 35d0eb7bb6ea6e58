#include "align/subword_links.h"

#include "base/array.h"

#include <math.h>

// parts (units): 1 / (subwords of the unit)
static void set_parts(double *parts, const SoftSide *source)
{
    size_t units = source->units->count, first = 0;
    memset(parts, 0, units * sizeof *parts);
    for (size_t subword = 0; subword < source->subwords; subword++) {
        const Span numbers = soft_side_units(source, subword, &first);
        for (size_t unit = numbers.begin; unit < numbers.end; unit++) parts[unit] += 1;
    }
    for (size_t unit = 0; unit < units; unit++)
        if (parts[unit] > 0) parts[unit] = 1 / parts[unit];
}

/* weights (source.subwords) of the links of one target subword, which has the units of these numbers.
 * Returns their sum. */
static double share_weights(double *weights, const double *parts, const SoftAlignment *soft,
                            const SoftSide *source, Span targets)
{
    double total = 0;
    size_t first = 0;
    for (size_t subword = 0; subword < source->subwords; subword++) {
        const Span sources = soft_side_units(source, subword, &first);
        weights[subword] = 0;
        for (size_t t = targets.begin; t < targets.end; t++)
            for (size_t s = sources.begin; s < sources.end; s++) {
                float weight = soft->weights[t * soft->sources + s];
                if (weight >= MIN_SOFT_LINK) weights[subword] += (double)weight * parts[s];
            }
        total += weights[subword];
    }
    return total;
}

// Links with weights of sum `total`, or if that is 0 all of weight 1.
static Status append(SubwordLinks *links, const double *weights, double total, size_t sources,
                     size_t target, Error *error)
{
    TRY(array_reserve(&links->items, &links->capacity, links->count + sources, "a guide's links",
                      error));
    for (size_t subword = 0; subword < sources; subword++) {
        long weight =
            total > 0 ? lround(weights[subword] / total * UINT16_MAX) : weights[subword] > 0;
        if (weight > 0)
            links->items[links->count++] =
                (SubwordLink){(uint16_t)subword, (uint16_t)target, (uint16_t)weight};
    }
    return STATUS_OK;
}

// The links of an alignment whose links are `hard`, all of the same weight, or not.
static Status project(SubwordLinks *links, const SoftAlignment *soft, bool hard, SoftSide source,
                      SoftSide target, Error *error)
{
    assert(source.subwords <= MAX_SUBWORD_LINK && target.subwords <= MAX_SUBWORD_LINK);
    assert(soft->sources == source.units->count && soft->targets == target.units->count);
    size_t units = source.units->count, first = 0;
    links->count = 0;
    if (!units || !target.units->count) return STATUS_OK;
    TRY(array_reserve(&links->weights, &links->weights_capacity, units + source.subwords,
                      "a guide's links", error));
    double *parts = links->weights, *weights = parts + units;
    Status status = STATUS_OK;
    set_parts(parts, &source);
    for (size_t subword = 0; subword < target.subwords && !status; subword++) {
        const Span numbers = soft_side_units(&target, subword, &first);
        double total = share_weights(weights, parts, soft, &source, numbers);
        if (total > 0)
            status = append(links, weights, hard ? 0 : total, source.subwords, subword, error);
    }
    if (status) links->count = 0;
    return status;
}

Status subword_links_set(SubwordLinks *links, const Links *given, SoftSide source, SoftSide target,
                         Error *error)
{
    SoftAlignment *linked = &links->linked;
    links->count = 0;
    if (given->count == 0) return STATUS_OK;
    TRY(soft_alignment_clear(linked, target.units->count, source.units->count, error));
    for (size_t i = 0; i < given->count; i++) {
        Link link = given->items[i];
        assert(link.source < linked->sources && link.target < linked->targets);
        linked->weights[link.target * linked->sources + link.source] = 1;
    }
    return project(links, linked, true, source, target, error);
}

Status subword_links_set_soft(SubwordLinks *links, const SoftAlignment *soft, SoftSide source,
                              SoftSide target, Error *error)
{
    return project(links, soft, false, source, target, error);
}

void subword_links_free(SubwordLinks *links)
{
    memory_free(links->weights);
    memory_free(links->items);
    soft_alignment_free(&links->linked);
    *links = (SubwordLinks){0};
}
