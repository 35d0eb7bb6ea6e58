#include "text/bpe_merge.h"

#include "base/array.h"

Status merge_rules_add(MergeRules *rules, MergeRule rule, Error *error)
{
    TRY(array_reserve(&rules->list, &rules->capacity, rules->count + 1, "the merges", error));
    TRY(pair_map_reserve(&rules->ranks, rules->count + 1, "the merges", error));
    (void)pair_map_enter(&rules->ranks, rule.left, rule.right); // its rank is the rules' number
    rules->list[rules->count++] = rule;
    return STATUS_OK;
}

void merge_rules_free(MergeRules *rules)
{
    memory_free(rules->list);
    pair_map_free(&rules->ranks);
    *rules = (MergeRules){0};
}

Status symbols_add(Symbols *symbols, int32_t id, size_t end, Error *error)
{
    TRY(array_reserve(&symbols->data, &symbols->capacity, symbols->count + 1, "a text's subwords",
                      error));
    uint32_t place = (uint32_t)symbols->count++, previous = place ? place - 1 : SYMBOL_NONE;
    symbols->data[place] = (Symbol){id, (uint32_t)end, previous, SYMBOL_NONE};
    if (place) symbols->data[previous].next = place;
    return STATUS_OK;
}

static void heap_push(Symbols *symbols, uint64_t item)
{
    uint64_t *heap = symbols->heap;
    size_t at = symbols->heap_count++;
    for (; at > 0 && item < heap[(at - 1) / 2]; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = item;
}

static uint64_t heap_pop(Symbols *symbols)
{
    uint64_t *heap = symbols->heap;
    uint64_t least = heap[0], item = heap[--symbols->heap_count];
    size_t at = 0, count = symbols->heap_count;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && heap[child + 1] < heap[child]) child++;
        if (item <= heap[child]) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
    return least;
}

// The rank of the rule for the symbol at `place` and the next one, or PAIR_MAP_NONE.
static int64_t rank_at(const Symbols *symbols, const MergeRules *rules, uint32_t place)
{
    const Symbol *symbol = &symbols->data[place];
    if (symbol->id < 0 || symbol->next == SYMBOL_NONE) return PAIR_MAP_NONE;
    return pair_map_find(&rules->ranks, symbol->id, symbols->data[symbol->next].id);
}

static void push_candidate(Symbols *symbols, const MergeRules *rules, uint32_t place)
{
    int64_t rank = rank_at(symbols, rules, place);
    if (rank != PAIR_MAP_NONE) heap_push(symbols, (uint64_t)rank << 32 | place);
}

// Merges the symbol at `place` with the next one.
static void merge(Symbols *symbols, uint32_t place, int32_t result)
{
    Symbol *left = &symbols->data[place], *right = &symbols->data[left->next];
    left->id = result;
    left->end = right->end;
    left->next = right->next;
    if (right->next != SYMBOL_NONE) symbols->data[right->next].previous = place;
    right->id = -1;
}

Status symbols_merge(Symbols *symbols, const MergeRules *rules, Error *error)
{
    // n symbols give at most n - 1 candidates at first and two more for each of at most n - 1
    // merges: with room for 3n no push can fail
    symbols->heap_count = 0;
    TRY(array_reserve(&symbols->heap, &symbols->heap_capacity, 3 * symbols->count,
                      "a text's subwords", error));
    for (uint32_t place = 0; place < symbols->count; place++) push_candidate(symbols, rules, place);

    while (symbols->heap_count) {
        uint64_t candidate = heap_pop(symbols);
        uint32_t place = (uint32_t)candidate;
        int64_t rank = (int64_t)(candidate >> 32);
        // an unchanged rank means an unchanged pair, as every pair has its own
        if (rank_at(symbols, rules, place) != rank) continue;
        merge(symbols, place, rules->list[rank].result);
        push_candidate(symbols, rules, place);
        uint32_t previous = symbols->data[place].previous;
        if (previous != SYMBOL_NONE) push_candidate(symbols, rules, previous);
    }

    size_t kept = 0;
    for (size_t i = 0; i < symbols->count; i++)
        if (symbols->data[i].id >= 0) symbols->data[kept++] = symbols->data[i];
    symbols->count = kept;
    return STATUS_OK;
}

void symbols_free(Symbols *symbols)
{
    memory_free(symbols->data);
    memory_free(symbols->heap);
    *symbols = (Symbols){0};
}
