#include "corpus/corpus_check.h"

#include "base/memory.h"
#include "base/string_map.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

static size_t count_characters(const char *text, size_t length)
{
    size_t characters = 0;
    for (size_t at = 0; at < length; characters++)
        at += utf8_decode(text + at, length - at, &(uint32_t){0}, NULL);
    return characters;
}

static bool lengths_mismatch(double expected, double target)
{
    double least = expected < target ? expected : target;
    double most = expected < target ? target : expected;
    return most > MAX_LENGTH_RATIO * least && most - least >= MIN_LENGTH_DIFFERENCE;
}

LengthMismatches corpus_check_lengths(const TextCorpus *corpus)
{
    LengthMismatches found = {0};
    size_t totals[2] = {0, 0};
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        totals[0] += count_characters(pair.source, pair.source_length);
        totals[1] += count_characters(pair.target, pair.target_length);
    }
    double ratio = totals[0] ? (double)totals[1] / (double)totals[0] : 1;
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        double expected = ratio * (double)count_characters(pair.source, pair.source_length);
        double target = (double)count_characters(pair.target, pair.target_length);
        if (!lengths_mismatch(expected, target)) continue;
        if (found.count++ == 0) found.first = corpus->places[i];
    }
    return found;
}

// What of two pairs is compared.
typedef enum Part { PART_PAIR, PART_SOURCE, PART_TARGET } Part;

static uint64_t part_hash(const TextPair *pair, Part part)
{
    // swapped sides must differ; the factor is odd, so that no bit of the source's hash is lost
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t hash = 0;
    if (part != PART_TARGET) hash = string_hash(pair->source, pair->source_length) * factor;
    if (part != PART_SOURCE) hash += string_hash(pair->target, pair->target_length);
    return hash;
}

static bool part_equal(const TextPair *a, const TextPair *b, Part part)
{
    bool sources =
        a->source_length == b->source_length && !memcmp(a->source, b->source, a->source_length);
    bool targets =
        a->target_length == b->target_length && !memcmp(a->target, b->target, a->target_length);
    return (part == PART_TARGET || sources) && (part == PART_SOURCE || targets);
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

// NULL if out of memory; freed by memory_free.
static HashedPair *hash_pairs(const TextCorpus *corpus, Part part)
{
    HashedPair *hashed = memory_new(corpus->count, sizeof *hashed);
    if (!hashed) return NULL;
    for (size_t i = 0; i < corpus->count; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        hashed[i] = (HashedPair){part_hash(&pair, part), i};
    }
    qsort(hashed, corpus->count, sizeof *hashed, compare_hashed);
    return hashed;
}

// The first place whose hash is not lower.
static size_t first_of_hash(const HashedPair *hashed, size_t count, uint64_t hash)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (hashed[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Whether one of hashed[from … to) equals `pair`; equal hashes do not prove equal texts.
static bool occurs_among(const TextCorpus *corpus, const HashedPair *hashed, size_t from, size_t to,
                         const TextPair *pair, Part part)
{
    uint64_t hash = part_hash(pair, part);
    for (size_t i = from; i < to && hashed[i].hash == hash; i++) {
        TextPair other = text_corpus_pair(corpus, hashed[i].pair);
        if (part_equal(&other, pair, part)) return true;
    }
    return false;
}

static Status remove_pairs(TextCorpus *corpus, const bool *unwanted, Error *error)
{
    TextCorpus kept = {.counts = corpus->counts};
    Status status = STATUS_OK;
    for (size_t i = 0; i < corpus->count && !status; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        if (!unwanted[i]) status = text_corpus_add(&kept, &pair, error);
    }
    if (status) {
        text_corpus_free(&kept);
        return status;
    }
    text_corpus_free(corpus);
    *corpus = kept;
    return STATUS_OK;
}

Status corpus_check_duplicates(TextCorpus *corpus, bool remove, size_t *count, Error *error)
{
    *count = 0;
    HashedPair *hashed = hash_pairs(corpus, PART_PAIR);
    bool *repeats = memory_new(corpus->count, sizeof *repeats);
    Status status = STATUS_OK;
    if (!hashed || !repeats)
        status = error_memory(error, corpus->count * sizeof *hashed, "the search for duplicates");
    for (size_t i = 0, first = 0; i < corpus->count && !status; i++) {
        if (hashed[i].hash != hashed[first].hash) first = i;
        TextPair pair = text_corpus_pair(corpus, hashed[i].pair);
        repeats[hashed[i].pair] = occurs_among(corpus, hashed, first, i, &pair, PART_PAIR);
        *count += repeats[hashed[i].pair];
    }
    if (!status && remove && *count) status = remove_pairs(corpus, repeats, error);
    memory_free(hashed);
    memory_free(repeats);
    return status;
}

static Status count_overlap(const TextCorpus *corpus, const TextCorpus *held_out, Part part,
                            size_t *count, Error *error)
{
    *count = 0;
    HashedPair *hashed = hash_pairs(held_out, part);
    bool *found = memory_new(held_out->count, sizeof *found);
    Status status = STATUS_OK;
    if (!hashed || !found)
        status = error_memory(error, held_out->count * sizeof *hashed, "the validation set");
    // the smaller corpus is sorted, the larger is walked once
    for (size_t i = 0; i < corpus->count && !status; i++) {
        TextPair pair = text_corpus_pair(corpus, i);
        uint64_t hash = part_hash(&pair, part);
        size_t at = first_of_hash(hashed, held_out->count, hash);
        for (; at < held_out->count && hashed[at].hash == hash; at++) {
            TextPair other = text_corpus_pair(held_out, hashed[at].pair);
            if (found[at] || !part_equal(&pair, &other, part)) continue;
            found[at] = true;
            ++*count;
        }
    }
    memory_free(hashed);
    memory_free(found);
    return status;
}

Status corpus_check_overlap(const TextCorpus *corpus, const TextCorpus *held_out,
                            CorpusOverlap *overlap, Error *error)
{
    Status status = count_overlap(corpus, held_out, PART_PAIR, &overlap->pairs, error);
    if (!status) status = count_overlap(corpus, held_out, PART_SOURCE, &overlap->sources, error);
    if (!status) status = count_overlap(corpus, held_out, PART_TARGET, &overlap->targets, error);
    return status;
}
