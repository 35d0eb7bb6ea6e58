#include "align/pair_alignments.h"

#include "base/array.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

static const char purpose[] = "the alignments of a corpus";

// Makes room for a pair and fills its place, whose links are still to be written.
static Status reserve_pair(PairAlignments *alignments, const Units *source, const Units *target,
                           size_t links, Error *error)
{
    size_t bounds = alignments->bound_count + 2 * (source->count + target->count);
    TRY(array_reserve(&alignments->pairs, &alignments->capacity, alignments->count + 1, purpose,
                      error));
    TRY(array_reserve(&alignments->bounds, &alignments->bound_capacity, bounds, purpose, error));
    TRY(array_reserve(&alignments->links, &alignments->link_capacity,
                      alignments->link_count + links, purpose, error));
    alignments->pairs[alignments->count] = (PairAlignment){.bounds = alignments->bound_count,
                                                           .links = alignments->link_count,
                                                           .sources = (uint32_t)source->count,
                                                           .targets = (uint32_t)target->count,
                                                           .link_count = (uint32_t)links};
    return STATUS_OK;
}

static void add_bounds(PairAlignments *alignments, const Units *units)
{
    uint32_t *bounds = alignments->bounds + alignments->bound_count;
    if (!units->count) return;
    memcpy(bounds, units->begins, units->count * sizeof *bounds);
    memcpy(bounds + units->count, units->ends, units->count * sizeof *bounds);
    alignments->bound_count += 2 * units->count;
}

// Counts the pair that was reserved, with its units.
static void add_pair(PairAlignments *alignments, const Units *source, const Units *target)
{
    add_bounds(alignments, source);
    add_bounds(alignments, target);
    alignments->link_count += alignments->pairs[alignments->count++].link_count;
}

Status pair_alignments_add(PairAlignments *alignments, const Units *source, const Units *target,
                           const Links *links, Error *error)
{
    assert(!alignments->weights);
    TRY(reserve_pair(alignments, source, target, links->count, error));
    if (links->count)
        memcpy(alignments->links + alignments->link_count, links->items,
               links->count * sizeof *links->items);
    add_pair(alignments, source, target);
    return STATUS_OK;
}

static size_t count_linked(const SoftAlignment *soft)
{
    size_t count = 0;
    for (size_t i = 0; i < soft->targets * soft->sources; i++)
        count += soft->weights[i] >= MIN_SOFT_LINK;
    return count;
}

Status pair_alignments_add_soft(PairAlignments *alignments, const Units *source,
                                const Units *target, const SoftAlignment *soft, Error *error)
{
    assert(soft->sources == source->count && soft->targets == target->count);
    size_t count = count_linked(soft), at = alignments->link_count;
    // one more, so that an array shows that the alignments are soft
    TRY(array_reserve(&alignments->weights, &alignments->weight_capacity, at + count + 1, purpose,
                      error));
    TRY(reserve_pair(alignments, source, target, count, error));
    for (size_t i = 0; i < soft->targets * soft->sources; i++) {
        if (soft->weights[i] < MIN_SOFT_LINK) continue;
        alignments->links[at] =
            (Link){(uint32_t)(i % soft->sources), (uint32_t)(i / soft->sources)};
        alignments->weights[at++] = soft->weights[i];
    }
    add_pair(alignments, source, target);
    return STATUS_OK;
}

void pair_alignments_free(PairAlignments *alignments)
{
    memory_free(alignments->pairs);
    memory_free(alignments->bounds);
    memory_free(alignments->links);
    memory_free(alignments->weights);
    *alignments = (PairAlignments){0};
}

static Status project_soft(SubwordLinks *out, SoftAlignment *soft, const Links *links,
                           const float *weights, SoftSide source, SoftSide target, Error *error)
{
    out->count = 0;
    TRY(soft_alignment_clear(soft, target.units->count, source.units->count, error));
    for (size_t i = 0; i < links->count; i++)
        soft->weights[links->items[i].target * soft->sources + links->items[i].source] = weights[i];
    return subword_links_set_soft(out, soft, source, target, error);
}

Status pair_alignments_project(SubwordLinks *out, SoftAlignment *scratch,
                               const PairAlignments *alignments, size_t number, SoftSide source,
                               SoftSide target, Error *error)
{
    out->count = 0;
    if (number >= alignments->count) return STATUS_OK;
    const PairAlignment *pair = &alignments->pairs[number];
    uint32_t *bounds = alignments->bounds + pair->bounds, *rest = bounds + 2 * pair->sources;
    // views of what is stored
    const Units sources = {bounds, bounds + pair->sources, pair->sources, 0};
    const Units targets = {rest, rest + pair->targets, pair->targets, 0};
    const Links links = {alignments->links + pair->links, pair->link_count, 0};
    source.units = &sources;
    target.units = &targets;
    if (alignments->weights)
        return project_soft(out, scratch, &links, alignments->weights + pair->links, source, target,
                            error);
    return subword_links_set(out, &links, source, target, error);
}
