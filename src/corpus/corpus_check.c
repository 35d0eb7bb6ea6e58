#include "corpus/corpus_check.h"

#include "base/array.h"
#include "base/string_map.h"

#include <stdlib.h>

// What of two pairs is compared, in the order of CorpusOverlap.
typedef enum Part { PART_PAIR, PART_SOURCE, PART_TARGET } Part;

static uint64_t part_hash(const TextPair *pair, Part part)
{
    // swapped sides must differ; the factor is odd, so that no bit of the source's hash is lost
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t hash = 0;
    TextView source = pair->sides[0], target = pair->sides[1];
    if (part != PART_TARGET) hash = string_hash(source.data, source.length) * factor;
    if (part != PART_SOURCE) hash += string_hash(target.data, target.length);
    return hash;
}

static bool part_equal(const TextPair *a, const TextPair *b, Part part)
{
    return (part == PART_TARGET || text_view_equal(a->sides[0], b->sides[0])) &&
           (part == PART_SOURCE || text_view_equal(a->sides[1], b->sides[1]));
}

// All pairs by the hash of a part, equal hashes in the corpus' order. At 16 bytes a pair it is far
// smaller than a hash table of the texts.
typedef struct HashedPair {
    uint64_t hash;
    size_t pair;
} HashedPair;

static int compare_hashed(const void *a, const void *b)
{
    const HashedPair *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->pair < y->pair ? -1 : x->pair > y->pair;
}

/* Sets *found to flags of the pairs of `corpus` whose part occurs in `others`, or, if that is the
 * same corpus, in an earlier pair of it; *count is how many they are. `corpus`, the smaller one, is
 * sorted, and the other is walked once. *found is freed by memory_free, also after a failure. */
static Status find_repeats(bool **found, size_t *count, const TextCorpus *corpus,
                           const TextCorpus *others, Part part, Error *error)
{
    bool same = others == corpus;
    FREED HashedPair *hashed = NULL;
    *count = 0;
    *found = NULL;
    TRY(array_new(&hashed, corpus->count, "comparing sentences", error));
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        hashed[i] = (HashedPair){part_hash(&pair, part), i};
    }
    qsort(hashed, corpus->count, sizeof *hashed, compare_hashed);
    TRY(array_new(found, corpus->count, "comparing sentences", error));
    for (size_t i = 0; i < others->count; i++) {
        if (same && (*found)[i]) continue; // the pair that it repeats has found all the rest
        TextPair pair = text_corpus_pair(others, i);
        uint64_t hash = part_hash(&pair, part);
        size_t at;
        array_search(at, 0, corpus->count, hashed[at].hash < hash);
        for (; at < corpus->count && hashed[at].hash == hash; at++) {
            size_t place = hashed[at].pair;
            TextPair other = text_corpus_other_pair(corpus, place);
            if ((*found)[place] || (same && place <= i)) continue;
            (*found)[place] = part_equal(&pair, &other, part);
            *count += (*found)[place];
        }
    }
    return STATUS_OK;
}

Status corpus_check_duplicates(TextCorpus *corpus, bool remove, size_t *count, Error *error)
{
    FREED bool *repeats = NULL;
    TRY(find_repeats(&repeats, count, corpus, corpus, PART_PAIR, error));
    if (remove && *count) TRY(text_corpus_take(corpus, repeats, NULL, error));
    return STATUS_OK;
}

Status corpus_check_overlap(const TextCorpus *corpus, const TextCorpus *held_out,
                            CorpusOverlap *overlap, Error *error)
{
    size_t *counts[] = {&overlap->pairs, &overlap->sources, &overlap->targets};
    for (Part part = PART_PAIR; part <= PART_TARGET; part++) {
        FREED bool *found = NULL;
        TRY(find_repeats(&found, counts[part], held_out, corpus, part, error));
    }
    return STATUS_OK;
}
