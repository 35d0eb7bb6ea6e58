#include "metrics/ngrams.h"

#include "base/array.h"
#include "text/pair_map.h"

/* An n-gram is an (n-1)-gram and a last symbol. So from labels that say which (n-1)-gram begins at
 * each position, the labels of the n-grams follow by looking up pairs of numbers: no n-gram is
 * hashed or compared as a whole. The one 0-gram has label 0. */
typedef struct GramCount {
    uint32_t here; // in the reference being read
    uint32_t most; // in a reference
} GramCount;

// The n-grams of all references.
typedef struct Grams {
    PairMap labels; // (label of the (n-1)-gram, symbol) → label: the index into `counts`
    GramCount *counts;
} Grams;

static void grams_free(Grams *grams)
{
    pair_map_free(&grams->labels);
    memory_free(grams->counts);
}

// Enters a reference's n-grams; turns the labels of its (n-1)-grams into those of its n-grams.
static void add_reference(Grams *grams, SymbolText reference, size_t n, int32_t *labels)
{
    size_t total = ngrams_total(reference.length, n);
    for (size_t i = 0; i < total; i++) {
        int32_t symbol = (int32_t)reference.symbols[i + n - 1];
        labels[i] = (int32_t)pair_map_enter(&grams->labels, labels[i], symbol);
        GramCount *count = &grams->counts[labels[i]];
        if (++count->here > count->most) count->most = count->here;
    }
    for (size_t i = 0; i < total; i++) grams->counts[labels[i]].here = 0;
}

/* Matches a hypothesis' n-grams, each of which uses up one of the references'. `labels` as above,
 * with PAIR_MAP_NONE where no reference has the n-gram. */
static size_t take_matches(Grams *grams, SymbolText hypothesis, size_t n, int32_t *labels)
{
    size_t total = ngrams_total(hypothesis.length, n), matches = 0;
    for (size_t i = 0; i < total; i++) {
        if (labels[i] == PAIR_MAP_NONE) continue;
        int32_t symbol = (int32_t)hypothesis.symbols[i + n - 1];
        labels[i] = (int32_t)pair_map_find(&grams->labels, labels[i], symbol);
        if (labels[i] == PAIR_MAP_NONE || !grams->counts[labels[i]].most) continue;
        grams->counts[labels[i]].most--;
        matches++;
    }
    return matches;
}

Status ngrams_matches(SymbolText hypothesis, const SymbolText *references, size_t count,
                      size_t orders, size_t *matches, Error *error)
{
    size_t total = 0;
    memset(matches, 0, orders * sizeof *matches);
    for (size_t r = 0; r < count; r++) total += references[r].length;
    if (total > UINT32_MAX / 4 || hypothesis.length > UINT32_MAX / 4)
        return error_set(error, STATUS_ARGUMENT,
                         "a sentence has more than 2^30 words or characters; split it into lines");
    if (!total || !hypothesis.length) return STATUS_OK;

    FREED_BY(grams_free) Grams grams = {0};
    FREED int32_t *labels = NULL;
    TRY(array_new(&grams.counts, total, "n-grams", error));
    TRY(array_new(&labels, hypothesis.length + total, "n-grams", error));
    TRY(pair_map_reserve(&grams.labels, total, "n-grams", error));
    for (size_t n = 1; n <= orders; n++) {
        int32_t *reference_labels = labels + hypothesis.length;
        for (size_t r = 0; r < count; r++) {
            add_reference(&grams, references[r], n, reference_labels);
            reference_labels += references[r].length;
        }
        matches[n - 1] = take_matches(&grams, hypothesis, n, labels);
        if (!matches[n - 1]) break; // longer n-grams cannot match either
        memset(grams.counts, 0, grams.labels.count * sizeof *grams.counts);
        pair_map_clear(&grams.labels);
    }
    return STATUS_OK;
}
