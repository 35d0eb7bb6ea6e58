#include "text/subword_pairs.h"

#include "base/array.h"
#include "base/memory.h"

#include <string.h>

static const char PURPOSE[] = "counting pairs of subwords";

// The pair's index in `pairs`, where it is added if it is new.
static Status find_or_add(SubwordPairs *counts, int32_t left, int32_t right, uint32_t *index,
                          Error *error)
{
    int64_t found = pair_map_find(&counts->index, left, right);
    *index = (uint32_t)found;
    if (found != PAIR_MAP_NONE) return STATUS_OK;
    TRY(array_reserve(&counts->pairs, &counts->pair_capacity, counts->pair_count + 1, PURPOSE,
                      error));
    *index = (uint32_t)counts->pair_count;
    TRY(pair_map_put(&counts->index, left, right, *index, PURPOSE, error));
    counts->pairs[counts->pair_count++] = (SubwordPair){
        .left = left, .right = right, .rank = -1, .first = PAIR_NOWHERE, .last = PAIR_NOWHERE};
    return STATUS_OK;
}

Status subword_pairs_add(SubwordPairs *counts, int32_t left, int32_t right, uint64_t weight,
                         uint32_t place, Error *error)
{
    uint32_t at;
    size_t occurrences = counts->occurrence_count;
    if (occurrences >= PAIR_NOWHERE) // beyond 32-bit indices
        return error_memory(error, 2 * occurrences * sizeof *counts->occurrences, PURPOSE);
    TRY(find_or_add(counts, left, right, &at, error));
    TRY(array_reserve(&counts->occurrences, &counts->occurrence_capacity, occurrences + 1, PURPOSE,
                      error));
    TRY(array_reserve(&counts->changed, &counts->changed_capacity, counts->changed_count + 1,
                      PURPOSE, error));

    SubwordPair *pair = &counts->pairs[at];
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

void subword_pairs_subtract(SubwordPairs *counts, int32_t left, int32_t right, uint64_t weight)
{
    counts->pairs[pair_map_find(&counts->index, left, right)].count -= weight;
}

static bool comes_before(const SubwordPairs *counts, QueuedPair a, QueuedPair b)
{
    if (a.priority != b.priority) return a.priority > b.priority;
    const SubwordPair *one = &counts->pairs[a.pair], *other = &counts->pairs[b.pair];
    int order = strcmp(vocabulary_spelling(counts->vocabulary, one->left),
                       vocabulary_spelling(counts->vocabulary, other->left));
    if (!order)
        order = strcmp(vocabulary_spelling(counts->vocabulary, one->right),
                       vocabulary_spelling(counts->vocabulary, other->right));
    return order < 0;
}

static void queue_push(SubwordPairs *counts, QueuedPair item)
{
    QueuedPair *queue = counts->queue;
    size_t at = counts->queue_count++;
    for (; at > 0 && comes_before(counts, item, queue[(at - 1) / 2]); at = (at - 1) / 2)
        queue[at] = queue[(at - 1) / 2];
    queue[at] = item;
}

static QueuedPair queue_pop(SubwordPairs *counts)
{
    QueuedPair *queue = counts->queue;
    QueuedPair first = queue[0], item = queue[--counts->queue_count];
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

// An existing rule is applied wherever its pair occurs again, as in encoding.
static uint64_t priority_of(const SubwordPair *pair)
{
    if (!pair->count || pair->refused) return 0;
    return pair->rank >= 0 ? UINT64_MAX - (uint64_t)pair->rank : pair->count;
}

Status subword_pairs_queue(SubwordPairs *counts, Error *error)
{
    for (size_t i = 0; i < counts->changed_count; i++) {
        SubwordPair *pair = &counts->pairs[counts->changed[i]];
        pair->changed = false;
        uint64_t priority = priority_of(pair);
        if (priority <= pair->queued)
            continue; // queued with a higher priority, which is corrected when its turn comes
        TRY(array_reserve(&counts->queue, &counts->queue_capacity, counts->queue_count + 1, PURPOSE,
                          error));
        pair->queued = priority;
        queue_push(counts, (QueuedPair){priority, counts->changed[i]});
    }
    counts->changed_count = 0;
    return STATUS_OK;
}

SubwordPair *subword_pairs_next(SubwordPairs *counts)
{
    while (counts->queue_count) {
        QueuedPair item = queue_pop(counts);
        SubwordPair *pair = &counts->pairs[item.pair];
        if (item.priority != pair->queued) continue; // it was queued again with a higher priority
        pair->queued = 0;
        uint64_t priority = priority_of(pair);
        if (priority == item.priority) return pair;
        if (!priority) continue;
        pair->queued = priority; // it became rarer in the meantime
        queue_push(counts, (QueuedPair){priority, item.pair});
    }
    return NULL;
}

void subword_pairs_free(SubwordPairs *counts)
{
    pair_map_free(&counts->index);
    memory_free(counts->pairs);
    memory_free(counts->occurrences);
    memory_free(counts->changed);
    memory_free(counts->queue);
    *counts = (SubwordPairs){0};
}
