/* Applies byte-pair merges to a chunk: of all neighbours that have a rule, those with the earliest
 * rule first, from left to right, until no rule applies. */
#pragma once

#include "base/status.h"
#include "text/pair_map.h"

typedef struct MergeRule {
    int32_t left;
    int32_t right;
    int32_t result;
} MergeRule;

// Start from `MergeRules rules = {0};`, end with merge_rules_free.
typedef struct MergeRules {
    MergeRule *list; // (count) in the order learned; the index is the rank
    size_t count;
    size_t capacity;
    PairMap ranks; // (left, right) → rank
} MergeRules;

// Adds a rule for a pair that has none yet. On STATUS_MEMORY the rules can only be freed.
Status merge_rules_add(MergeRules *rules, MergeRule rule, Error *error);

void merge_rules_free(MergeRules *rules);

typedef struct Symbol {
    int32_t id;        // -1 once merged into the previous one
    uint32_t end;      // where it ends in the text, in bytes
    uint32_t previous; // or SYMBOL_NONE
    uint32_t next;     // or SYMBOL_NONE
} Symbol;

#define SYMBOL_NONE UINT32_MAX

// The symbols of a chunk. Start from {0}, reuse from chunk to chunk, end with symbols_free.
typedef struct Symbols {
    Symbol *data; // (count)
    size_t count;
    size_t capacity;
    uint64_t *heap; // candidates, smallest first: rank of the rule << 32 | index of the left symbol
    size_t heap_count;
    size_t heap_capacity;
} Symbols;

// Appends a symbol that ends at byte `end` of the text, to symbols that have not been merged.
Status symbols_add(Symbols *symbols, int32_t id, size_t end, Error *error);

/* Merges and closes the gaps: `data` then holds the `count` subwords. O(n log n) for n symbols, so
 * a chunk may be as long as a text. */
Status symbols_merge(Symbols *symbols, const MergeRules *rules, Error *error);

void symbols_free(Symbols *symbols);
