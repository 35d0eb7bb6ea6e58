#include "align/symmetrize.h"

#include "base/array.h"
#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

const char *const symmetrization_names[] = {"intersection", "union", "grow-diag-final-and", NULL};

// The union, and which of its links have been chosen so far.
typedef struct Growth {
    const Links *united;
    bool *chosen;                        // (united->count)
    bool *source_linked, *target_linked; // (sources), (targets): the units of chosen links
} Growth;

static Status growth_new(Growth *growth, const Links *united, Error *error)
{
    size_t sources = 0, targets = 0;
    for (size_t i = 0; i < united->count; i++) {
        Link link = united->items[i];
        if (link.source >= sources) sources = (size_t)link.source + 1;
        if (link.target >= targets) targets = (size_t)link.target + 1;
    }
    size_t bytes = united->count + sources + targets; // far below SIZE_MAX: each fits in memory
    growth->united = united;
    TRY(array_new(&growth->chosen, bytes, "joining two alignments", error));
    growth->source_linked = growth->chosen + united->count;
    growth->target_linked = growth->source_linked + sources;
    return STATUS_OK;
}

static void choose(Growth *growth, size_t place)
{
    Link link = growth->united->items[place];
    growth->chosen[place] = true;
    growth->source_linked[link.source] = growth->target_linked[link.target] = true;
}

static void choose_intersection(Growth *growth, const Links *forward, const Links *reverse)
{
    for (size_t i = 0; i < growth->united->count; i++) {
        Link link = growth->united->items[i];
        if (links_contain(forward, link) && links_contain(reverse, link)) choose(growth, i);
    }
}

// The place in the union of the link at this distance; the count if there is none.
static size_t neighbour(const Links *united, Link link, int down, int right)
{
    int64_t source = (int64_t)link.source + down, target = (int64_t)link.target + right;
    if (source < 0 || target < 0 || source > UINT32_MAX || target > UINT32_MAX)
        return united->count;
    return links_find(united, (Link){(uint32_t)source, (uint32_t)target});
}

// Adds the neighbours of one chosen link; returns whether there were any.
static bool grow_around(Growth *growth, Link link)
{
    static const int steps[8][2] = {{-1, 0},  {0, -1}, {1, 0},  {0, 1},
                                    {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    bool grown = false;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        size_t place = neighbour(growth->united, link, steps[i][0], steps[i][1]);
        if (place == growth->united->count || growth->chosen[place]) continue;
        Link near = growth->united->items[place];
        if (growth->source_linked[near.source] && growth->target_linked[near.target]) continue;
        choose(growth, place);
        grown = true;
    }
    return grown;
}

static void grow_diag(Growth *growth)
{
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < growth->united->count; i++)
            if (growth->chosen[i]) grown |= grow_around(growth, growth->united->items[i]);
    }
}

static void final_and(Growth *growth, const Links *direction)
{
    for (size_t i = 0; i < direction->count; i++) {
        Link link = direction->items[i];
        if (!growth->source_linked[link.source] && !growth->target_linked[link.target])
            choose(growth, links_find(growth->united, link));
    }
}

static Status unite(Links *links, const Links *forward, const Links *reverse, Error *error)
{
    const Links *both[] = {forward, reverse};
    Status status = STATUS_OK;
    links_clear(links);
    for (size_t n = 0; n < 2; n++)
        for (size_t i = 0; i < both[n]->count && !status; i++)
            status = links_append(links, both[n]->items[i].source, both[n]->items[i].target, error);
    if (status) links_clear(links);
    links_sort(links);
    return status;
}

Status links_symmetrize(Links *links, Symmetrization way, const Links *forward,
                        const Links *reverse, Error *error)
{
    assert(links != forward && links != reverse);
    Status status = unite(links, forward, reverse, error);
    if (status || way == SYMMETRIZE_UNION) return status;
    Growth growth;
    status = growth_new(&growth, links, error);
    if (status) {
        links_clear(links);
        return status;
    }
    choose_intersection(&growth, forward, reverse);
    if (way == SYMMETRIZE_GROW_DIAG_FINAL_AND) {
        grow_diag(&growth);
        final_and(&growth, forward);
        final_and(&growth, reverse);
    }
    size_t kept = 0;
    for (size_t i = 0; i < links->count; i++)
        if (growth.chosen[i]) links->items[kept++] = links->items[i];
    links->count = kept;
    memory_free(growth.chosen);
    return STATUS_OK;
}

Status links_transpose(Links *transposed, const Links *links, Error *error)
{
    assert(transposed != links);
    Status status = STATUS_OK;
    links_clear(transposed);
    for (size_t i = 0; i < links->count && !status; i++)
        status = links_append(transposed, links->items[i].target, links->items[i].source, error);
    if (status) links_clear(transposed);
    links_sort(transposed);
    return status;
}
