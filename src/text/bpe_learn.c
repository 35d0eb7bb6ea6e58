#include "text/bpe_learn.h"

#include "base/memory.h"
#include "text/chunks.h"
#include "text/subword_pairs.h"
#include "text/utf8.h"
#include "text/vocabulary_build.h"

#include <stdlib.h>

/* What is seen only once teaches nothing: such a character is spelt in bytes, such a pair is not
 * merged. */
enum { MIN_SEEN = 2, CODE_POINTS = 0x110000 };

struct BpeLearner {
    StringMap chunks; // chunk → count
    Bytes spaced;     // a text with a space before it
};

// A symbol of the text being merged: a subword and its neighbours in the same chunk.
typedef struct Place {
    int32_t id;        // -1 once merged into the one before
    uint32_t previous; // or PAIR_NOWHERE
    uint32_t next;
    uint32_t chunk; // index into the learner's chunks, whose count is the weight
} Place;

typedef struct Learning {
    const BpeLearner *learner;
    Vocabulary *vocabulary;
    SubwordPairs counts;
    Place *places; // (place_count)
    size_t place_count;
} Learning;

typedef struct CharacterCount {
    uint32_t code_point;
    uint64_t count;
} CharacterCount;

Status bpe_learner_new(BpeLearner **learner, Error *error)
{
    *learner = memory_new(1, sizeof **learner);
    return *learner ? STATUS_OK : error_memory(error, sizeof **learner, "learning a vocabulary");
}

void bpe_learner_free(BpeLearner *learner)
{
    if (!learner) return;
    string_map_free(&learner->chunks);
    bytes_free(&learner->spaced);
    memory_free(learner);
}

Status bpe_learner_add(BpeLearner *learner, const char *text, size_t length, Error *error)
{
    if (!length) return STATUS_OK;
    Bytes *spaced = &learner->spaced;
    bytes_clear(spaced);
    Status status = bytes_append_string(spaced, " ", error);
    if (!status) status = bytes_append(spaced, text, length, error);
    for (size_t begin = 0; begin < spaced->length && !status;) {
        size_t end = chunk_end(spaced->data, spaced->length, begin);
        StringMapEntry *entry =
            string_map_put(&learner->chunks, spaced->data + begin, end - begin, 0, NULL);
        if (!entry) return error_memory(error, end - begin, "counting words");
        entry->value++;
        begin = end;
    }
    return status;
}

static int compare_characters(const void *one, const void *other)
{
    const CharacterCount *a = one, *b = other;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return a->code_point < b->code_point ? -1 : a->code_point > b->code_point;
}

// counts[c] (CODE_POINTS) = how often character c was seen
static void count_characters(const StringMap *chunks, uint64_t *counts)
{
    for (size_t i = 0; i < chunks->count; i++) {
        const StringMapEntry *chunk = &chunks->entries[i];
        for (size_t at = 0; at < chunk->length;) {
            uint32_t code_point;
            bool valid;
            at += utf8_decode(chunk->key + at, chunk->length - at, &code_point, &valid);
            if (valid) counts[code_point] += (uint64_t)chunk->value;
        }
    }
}

/* The alphabet by the header's rule. Its limit matters only to small vocabularies with Han: 8,000
 * tokens leave room for 3,870 characters. */
static Status choose_alphabet(Learning *learning, size_t size, Error *error)
{
    uint64_t *counts = memory_new(CODE_POINTS, sizeof *counts);
    if (!counts) return error_memory(error, CODE_POINTS * sizeof *counts, "counting characters");
    count_characters(&learning->learner->chunks, counts);
    size_t seen = 0;
    for (uint32_t c = 0; c < CODE_POINTS; c++)
        seen += c != ' ' && counts[c] >= MIN_SEEN && vocabulary_admits(c);

    CharacterCount *characters = memory_new(seen, sizeof *characters);
    Status status =
        characters ? STATUS_OK : error_memory(error, seen * sizeof *characters, "the alphabet");
    if (!status) {
        size_t filled = 0;
        for (uint32_t c = 0; c < CODE_POINTS; c++)
            if (c != ' ' && counts[c] >= MIN_SEEN && vocabulary_admits(c))
                characters[filled++] = (CharacterCount){c, counts[c]};
        qsort(characters, filled, sizeof *characters, compare_characters);
    }
    size_t most = (size - TOKEN_FIRST) / 2;
    for (size_t i = 0; i < seen && i + 1 < most && !status; i++)
        status = vocabulary_add_character(learning->vocabulary, characters[i].code_point, error);
    memory_free(characters);
    memory_free(counts);
    return status;
}

// Lists a chunk's symbols, links neighbours that are both in the alphabet, and counts their pairs.
static Status add_chunk(Learning *learning, uint32_t chunk, Error *error)
{
    const StringMapEntry *entry = &learning->learner->chunks.entries[chunk];
    uint32_t previous = PAIR_NOWHERE;
    for (size_t at = 0; at < entry->length;) {
        size_t taken;
        int32_t id =
            vocabulary_character(learning->vocabulary, entry->key + at, entry->length - at, &taken);
        at += taken;
        if (id < 0) {
            previous = PAIR_NOWHERE;
            continue;
        }
        uint32_t place = (uint32_t)learning->place_count++;
        learning->places[place] = (Place){id, previous, PAIR_NOWHERE, chunk};
        if (previous != PAIR_NOWHERE) {
            Place *left = &learning->places[previous];
            left->next = place;
            Status status = subword_pairs_add(&learning->counts, left->id, id,
                                              (uint64_t)entry->value, previous, error);
            if (status) return status;
        }
        previous = place;
    }
    return STATUS_OK;
}

static Status add_chunks(Learning *learning, Error *error)
{
    const StringMap *chunks = &learning->learner->chunks;
    size_t bytes = 0; // at least the number of characters
    for (size_t i = 0; i < chunks->count; i++) bytes += chunks->entries[i].length;
    if (bytes >= PAIR_NOWHERE)
        return error_set(
            error, STATUS_ARGUMENT,
            "the text has %zu bytes of different words, too many to learn a vocabulary; "
            "use a part of the text",
            bytes);
    learning->places = memory_new(bytes, sizeof *learning->places);
    if (!learning->places)
        return error_memory(error, bytes * sizeof *learning->places, "learning a vocabulary");
    Status status = STATUS_OK;
    for (size_t i = 0; i < chunks->count && !status; i++)
        status = add_chunk(learning, (uint32_t)i, error);
    return status;
}

// Merges the symbol at `place` with the next one, and counts the pairs that this removes and makes.
static Status merge(Learning *learning, uint32_t place, int32_t result, Error *error)
{
    SubwordPairs *counts = &learning->counts;
    Place *places = learning->places, *left = &places[place], *right = &places[left->next];
    uint64_t weight = (uint64_t)learning->learner->chunks.entries[left->chunk].value;
    uint32_t before = left->previous, after = right->next;
    Status status = STATUS_OK;
    if (before != PAIR_NOWHERE) {
        subword_pairs_subtract(counts, places[before].id, left->id, weight);
        status = subword_pairs_add(counts, places[before].id, result, weight, before, error);
    }
    if (after != PAIR_NOWHERE && !status) {
        subword_pairs_subtract(counts, right->id, places[after].id, weight);
        status = subword_pairs_add(counts, result, places[after].id, weight, place, error);
        places[after].previous = place;
    }
    left->id = result;
    left->next = after;
    right->id = -1;
    return status;
}

/* Merges a pair wherever it occurs. Its list cannot grow meanwhile: every new pair contains the
 * result, which is longer than either half. */
static Status merge_everywhere(Learning *learning, SubwordPair *pair, int32_t result, Error *error)
{
    SubwordPairs *counts = &learning->counts;
    int32_t left = pair->left, right = pair->right;
    uint32_t occurrence = pair->first;
    size_t index = (size_t)(pair - counts->pairs);
    Status status = STATUS_OK;
    while (occurrence != PAIR_NOWHERE && !status) {
        uint32_t place = counts->occurrences[occurrence].place;
        occurrence = counts->occurrences[occurrence].next;
        const Place *at = &learning->places[place];
        if (at->id == left && at->next != PAIR_NOWHERE && learning->places[at->next].id == right)
            status = merge(learning, place, result, error);
    }
    pair = &counts->pairs[index]; // the array may have moved
    pair->first = pair->last = PAIR_NOWHERE;
    pair->count = 0;
    return status;
}

// Merges the most frequent pair until the vocabulary has `size` subwords or no pair is left.
static Status learn_merges(Learning *learning, size_t size, Error *error)
{
    Vocabulary *vocabulary = learning->vocabulary;
    Status status = STATUS_OK;
    while (!status && vocabulary_size(vocabulary) < size &&
           vocabulary->rules.count < VOCABULARY_MAX_SIZE) {
        status = subword_pairs_queue(&learning->counts, error);
        SubwordPair *pair = status ? NULL : subword_pairs_next(&learning->counts);
        if (!pair || (pair->rank < 0 && pair->count < MIN_SEEN)) break;
        int32_t result;
        if (pair->rank >= 0) {
            result = vocabulary->rules.list[pair->rank].result;
        } else if (vocabulary_merge_fault(vocabulary, pair->left, pair->right)) {
            pair->refused = true;
            continue;
        } else {
            pair->rank = (int64_t)vocabulary->rules.count;
            status = vocabulary_add_merge(vocabulary, pair->left, pair->right, &result, error);
        }
        if (!status) status = merge_everywhere(learning, pair, result, error);
    }
    return status;
}

Status bpe_learner_finish(BpeLearner *learner, size_t size, Vocabulary **vocabulary, Error *error)
{
    *vocabulary = NULL;
    if (size < VOCABULARY_MIN_SIZE || size > VOCABULARY_MAX_SIZE)
        return error_set(error, STATUS_ARGUMENT,
                         "cannot learn a vocabulary of %zu subwords; choose %d to %d", size,
                         VOCABULARY_MIN_SIZE, VOCABULARY_MAX_SIZE);
    Learning learning = {.learner = learner};
    Status status = vocabulary_new(&learning.vocabulary, error);
    learning.counts.vocabulary = learning.vocabulary;
    if (!status) status = choose_alphabet(&learning, size, error);
    if (!status) status = add_chunks(&learning, error);
    if (!status) status = learn_merges(&learning, size, error);
    subword_pairs_free(&learning.counts);
    memory_free(learning.places);
    if (status)
        vocabulary_free(learning.vocabulary);
    else
        *vocabulary = learning.vocabulary;
    return status;
}
