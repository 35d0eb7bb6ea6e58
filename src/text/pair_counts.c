#include "text/pair_counts.h"

#include "base/memory.h"

#include <string.h>

/* A growable array with room for one more element, or NULL. Places are 32 bits wide, so more than
 * that many elements count as too much memory. */
static void *with_room(void *data, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) return data;
    if (count >= PAIR_NOWHERE - 1) return NULL;
    size_t grown = memory_grown(*capacity, count + 1);
    void *moved = memory_resize(data, grown, size);
    if (moved) *capacity = grown;
    return moved;
}

static Status fail_for_memory(const PairCounts *counts, Error *error)
{
    return error_memory(error, 2 * counts->occurrence_count * sizeof *counts->occurrences,
                        "counting pairs of subwords");
}

// The pair's place in `pairs`, made if need be.
static Status find_or_make(PairCounts *counts, int32_t left, int32_t right, uint32_t *place,
                           Error *error)
{
    int64_t found = pair_map_find(&counts->index, left, right);
    *place = (uint32_t)found;
    if (found != PAIR_MAP_NONE) return STATUS_OK;
    PairCount *pairs =
        with_room(counts->pairs, counts->pair_count, &counts->pair_capacity, sizeof *pairs);
    if (!pairs) return fail_for_memory(counts, error);
    counts->pairs = pairs;
    *place = (uint32_t)counts->pair_count;
    if (!pair_map_put(&counts->index, left, right, *place)) return fail_for_memory(counts, error);
    counts->pairs[counts->pair_count++] = (PairCount){
        .left = left, .right = right, .rank = -1, .first = PAIR_NOWHERE, .last = PAIR_NOWHERE};
    return STATUS_OK;
}

Status pair_counts_add(PairCounts *counts, int32_t left, int32_t right, uint64_t weight,
                       uint32_t place, Error *error)
{
    uint32_t at;
    Status status = find_or_make(counts, left, right, &at, error);
    if (status) return status;
    PairOccurrence *occurrences = with_room(counts->occurrences, counts->occurrence_count,
                                            &counts->occurrence_capacity, sizeof *occurrences);
    if (!occurrences) return fail_for_memory(counts, error);
    counts->occurrences = occurrences;
    uint32_t *changed = with_room(counts->changed, counts->changed_count, &counts->changed_capacity,
                                  sizeof *changed);
    if (!changed) return fail_for_memory(counts, error);
    counts->changed = changed;

    PairCount *pair = &counts->pairs[at];
    uint32_t occurrence = (uint32_t)counts->occurrence_count++;
    counts->occurrences[occurrence] = (PairOccurrence){place, PAIR_NOWHERE};
    if (pair->last == PAIR_NOWHERE)
        pair->first = occurrence;
    else
        counts->occurrences[pair->last].next = occurrence;
    pair->last = occurrence;
    pair->count += weight;
    if (!pair->changed) counts->changed[counts->changed_count++] = at;
    pair->changed = true;
    return STATUS_OK;
}

void pair_counts_subtract(PairCounts *counts, int32_t left, int32_t right, uint64_t weight)
{
    counts->pairs[pair_map_find(&counts->index, left, right)].count -= weight;
}

static bool comes_before(const PairCounts *counts, PairWaiting a, PairWaiting b)
{
    if (a.priority != b.priority) return a.priority > b.priority;
    const PairCount *one = &counts->pairs[a.pair], *other = &counts->pairs[b.pair];
    int order = strcmp(vocabulary_spelling(counts->vocabulary, one->left),
                       vocabulary_spelling(counts->vocabulary, other->left));
    if (!order)
        order = strcmp(vocabulary_spelling(counts->vocabulary, one->right),
                       vocabulary_spelling(counts->vocabulary, other->right));
    return order < 0;
}

static void queue_push(PairCounts *counts, PairWaiting item)
{
    PairWaiting *queue = counts->queue;
    size_t at = counts->queue_count++;
    for (; at > 0 && comes_before(counts, item, queue[(at - 1) / 2]); at = (at - 1) / 2)
        queue[at] = queue[(at - 1) / 2];
    queue[at] = item;
}

static PairWaiting queue_pop(PairCounts *counts)
{
    PairWaiting *queue = counts->queue;
    PairWaiting first = queue[0], item = queue[--counts->queue_count];
    size_t at = 0, count = counts->queue_count;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && comes_before(counts, queue[child + 1], queue[child])) child++;
        if (!comes_before(counts, queue[child], item)) break;
        queue[at] = queue[child];
        at = child;
    }
    queue[at] = item;
    return first;
}

// A rule that exists is applied wherever its pair turns up again, as it would be when encoding.
static uint64_t priority_of(const PairCount *pair)
{
    if (!pair->count || pair->refused) return 0;
    return pair->rank >= 0 ? UINT64_MAX - (uint64_t)pair->rank : pair->count;
}

Status pair_counts_queue(PairCounts *counts, Error *error)
{
    for (size_t i = 0; i < counts->changed_count; i++) {
        PairCount *pair = &counts->pairs[counts->changed[i]];
        pair->changed = false;
        uint64_t priority = priority_of(pair);
        if (priority <= pair->queued)
            continue; // it waits with more and is put right when its turn comes
        PairWaiting *queue =
            with_room(counts->queue, counts->queue_count, &counts->queue_capacity, sizeof *queue);
        if (!queue) return fail_for_memory(counts, error);
        counts->queue = queue;
        pair->queued = priority;
        queue_push(counts, (PairWaiting){priority, counts->changed[i]});
    }
    counts->changed_count = 0;
    return STATUS_OK;
}

PairCount *pair_counts_next(PairCounts *counts)
{
    while (counts->queue_count) {
        PairWaiting item = queue_pop(counts);
        PairCount *pair = &counts->pairs[item.pair];
        if (item.priority != pair->queued) continue; // it was queued again with more
        pair->queued = 0;
        uint64_t priority = priority_of(pair);
        if (priority == item.priority) return pair;
        if (!priority) continue;
        pair->queued = priority; // it became rarer while it waited; its old place is free
        queue_push(counts, (PairWaiting){priority, item.pair});
    }
    return NULL;
}

void pair_counts_free(PairCounts *counts)
{
    pair_map_free(&counts->index);
    memory_free(counts->pairs);
    memory_free(counts->occurrences);
    memory_free(counts->changed);
    memory_free(counts->queue);
    *counts = (PairCounts){0};
}
