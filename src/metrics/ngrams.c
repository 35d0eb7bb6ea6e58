#include "metrics/ngrams.h"

#include "base/memory.h"

#include <string.h>

/* An n-gram is an (n-1)-gram and a last symbol. So from labels that say which (n-1)-gram begins at
 * each position, the labels of the n-grams follow by looking up pairs of numbers: no n-gram is
 * hashed or compared as a whole. The label of an n-gram is 1 + its slot in the table. */
enum { LABEL_UNKNOWN = 0, LABEL_EMPTY_GRAM = 1 };

typedef struct Slot {
    uint32_t prefix; // label of the (n-1)-gram; LABEL_UNKNOWN if the slot is empty
    uint32_t symbol;
    uint32_t here; // count in the reference being read
    uint32_t most; // highest count in a reference
} Slot;

typedef struct Table {
    Slot *slots;
    size_t mask;
} Table;

// The slot of a pair, or the empty one where it would go.
static size_t find_slot(const Table *table, uint32_t prefix, uint32_t symbol)
{
    uint64_t hash = ((uint64_t)prefix << 32 | symbol) * 0x9e3779b97f4a7c15u;
    size_t place = (size_t)(hash ^ hash >> 32) & table->mask;
    while (table->slots[place].prefix &&
           (table->slots[place].prefix != prefix || table->slots[place].symbol != symbol))
        place = (place + 1) & table->mask;
    return place;
}

// Enters a reference's n-grams; turns the labels of its (n-1)-grams into those of its n-grams.
static void add_reference(Table *table, SymbolText reference, size_t n, uint32_t *labels)
{
    size_t total = ngrams_total(reference.length, n);
    for (size_t i = 0; i < total; i++) {
        uint32_t symbol = reference.symbols[i + n - 1];
        size_t place = find_slot(table, labels[i], symbol);
        Slot *slot = &table->slots[place];
        slot->prefix = labels[i];
        slot->symbol = symbol;
        if (++slot->here > slot->most) slot->most = slot->here;
        labels[i] = (uint32_t)place + 1;
    }
    for (size_t i = 0; i < total; i++) table->slots[labels[i] - 1].here = 0;
}

/* Matches a hypothesis' n-grams, each of which uses up one of the references'. `labels` as above,
 * with LABEL_UNKNOWN where no reference has the n-gram. */
static size_t take_matches(Table *table, SymbolText hypothesis, size_t n, uint32_t *labels)
{
    size_t total = ngrams_total(hypothesis.length, n), matches = 0;
    for (size_t i = 0; i < total; i++) {
        if (labels[i] == LABEL_UNKNOWN) continue;
        size_t place = find_slot(table, labels[i], hypothesis.symbols[i + n - 1]);
        Slot *slot = &table->slots[place];
        labels[i] = slot->prefix ? (uint32_t)place + 1 : LABEL_UNKNOWN;
        if (!slot->most) continue;
        slot->most--;
        matches++;
    }
    return matches;
}

Status ngrams_matches(SymbolText hypothesis, const SymbolText *references, size_t count,
                      size_t orders, size_t *matches, Error *error)
{
    size_t total = 0, slot_count = 16;
    memset(matches, 0, orders * sizeof *matches);
    for (size_t r = 0; r < count; r++) total += references[r].length;
    if (total > UINT32_MAX / 4 || hypothesis.length > UINT32_MAX / 4)
        return error_set(error, STATUS_ARGUMENT,
                         "a sentence has more than 2^30 words or characters; split it into lines");
    if (!total || !hypothesis.length) return STATUS_OK;
    while (slot_count < 2 * total) slot_count *= 2;

    size_t label_count = total + hypothesis.length;
    uint32_t *labels = memory_new(label_count, sizeof *labels);
    Table table = {memory_new(slot_count, sizeof *table.slots), slot_count - 1};
    Status status = STATUS_OK;
    if (!labels || !table.slots) {
        size_t bytes = slot_count * sizeof *table.slots + label_count * sizeof *labels;
        status = error_memory(error, bytes, "n-grams");
        goto done;
    }
    for (size_t i = 0; i < label_count; i++) labels[i] = LABEL_EMPTY_GRAM;
    for (size_t n = 1; n <= orders; n++) {
        if (n > 1) memset(table.slots, 0, slot_count * sizeof *table.slots);
        uint32_t *reference_labels = labels + hypothesis.length;
        for (size_t r = 0; r < count; r++) {
            add_reference(&table, references[r], n, reference_labels);
            reference_labels += references[r].length;
        }
        matches[n - 1] = take_matches(&table, hypothesis, n, labels);
        if (!matches[n - 1]) break; // longer n-grams cannot match either
    }
done:
    memory_free(labels);
    memory_free(table.slots);
    return status;
}

size_t ngrams_total(size_t length, size_t n)
{
    return length >= n ? length - n + 1 : 0;
}
