#include "text/bpe_learn.h"

#include "base/memory.h"
#include "text/chunks.h"
#include "text/pair_counts.h"
#include "text/utf8.h"
#include "text/vocabulary_build.h"

#include <stdlib.h>

/* A character or a pair seen only once teaches nothing: the character is left to its bytes, the
 * pair stays apart. */
enum { MIN_SEEN = 2, CODE_POINTS = 0x110000 };

struct BpeLearner {
    StringMap chunks; // chunk → how often it was seen
    Bytes spaced;     // a text with the space before it
};

// One symbol of the text that is being merged: a subword and its neighbours in the same chunk.
typedef struct Place {
    int32_t id;        // -1 once merged into the one before
    uint32_t previous; // or PAIR_NOWHERE
    uint32_t next;
    uint32_t chunk; // its place in the learner's chunks, which has the weight
} Place;

typedef struct Learning {
    const BpeLearner *learner;
    Vocabulary *vocabulary;
    PairCounts counts;
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

/* The alphabet, as the header says. Its limit only touches small vocabularies of Han: `size` 8000
 * has room for 3870 characters. */
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

// Lays one chunk out in places, linking neighbours that are both in the alphabet, and counts its
// pairs.
static Status lay_out_chunk(Learning *learning, uint32_t chunk, Error *error)
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
            Status status = pair_counts_add(&learning->counts, left->id, id, (uint64_t)entry->value,
                                            previous, error);
            if (status) return status;
        }
        previous = place;
    }
    return STATUS_OK;
}

static Status lay_out(Learning *learning, Error *error)
{
    const StringMap *chunks = &learning->learner->chunks;
    size_t bytes = 0; // no fewer than characters
    for (size_t i = 0; i < chunks->count; i++) bytes += chunks->entries[i].length;
    if (bytes >= PAIR_NOWHERE)
        return error_set(error, STATUS_ARGUMENT,
                         "the text has %zu bytes of different words, too many for one vocabulary: "
                         "learn it from a part of the text",
                         bytes);
    learning->places = memory_new(bytes, sizeof *learning->places);
    if (!learning->places)
        return error_memory(error, bytes * sizeof *learning->places, "learning a vocabulary");
    Status status = STATUS_OK;
    for (size_t i = 0; i < chunks->count && !status; i++)
        status = lay_out_chunk(learning, (uint32_t)i, error);
    return status;
}

// Joins the symbol at `place` with its next one, and counts the pairs this unmakes and makes.
static Status join(Learning *learning, uint32_t place, int32_t result, Error *error)
{
    PairCounts *counts = &learning->counts;
    Place *places = learning->places, *left = &places[place], *right = &places[left->next];
    uint64_t weight = (uint64_t)learning->learner->chunks.entries[left->chunk].value;
    uint32_t before = left->previous, after = right->next;
    Status status = STATUS_OK;
    if (before != PAIR_NOWHERE) {
        pair_counts_subtract(counts, places[before].id, left->id, weight);
        status = pair_counts_add(counts, places[before].id, result, weight, before, error);
    }
    if (after != PAIR_NOWHERE && !status) {
        pair_counts_subtract(counts, right->id, places[after].id, weight);
        status = pair_counts_add(counts, result, places[after].id, weight, place, error);
        places[after].previous = place;
    }
    left->id = result;
    left->next = after;
    right->id = -1;
    return status;
}

/* Joins a pair wherever it stands. Its list cannot grow meanwhile: every pair that is made has the
 * result in it, which is longer than either of these two. */
static Status join_everywhere(Learning *learning, PairCount *pair, int32_t result, Error *error)
{
    PairCounts *counts = &learning->counts;
    int32_t left = pair->left, right = pair->right;
    uint32_t occurrence = pair->first;
    size_t index = (size_t)(pair - counts->pairs);
    Status status = STATUS_OK;
    while (occurrence != PAIR_NOWHERE && !status) {
        uint32_t place = counts->occurrences[occurrence].place;
        occurrence = counts->occurrences[occurrence].next;
        const Place *at = &learning->places[place];
        if (at->id == left && at->next != PAIR_NOWHERE && learning->places[at->next].id == right)
            status = join(learning, place, result, error);
    }
    pair = &counts->pairs[index]; // they may have moved
    pair->first = pair->last = PAIR_NOWHERE;
    pair->count = 0;
    return status;
}

// Merges the most frequent pair again and again until the vocabulary has `size` subwords or the text
// gives out.
static Status learn_merges(Learning *learning, size_t size, Error *error)
{
    Vocabulary *vocabulary = learning->vocabulary;
    Status status = STATUS_OK;
    while (!status && vocabulary_size(vocabulary) < size &&
           vocabulary->rules.count < VOCABULARY_MAX_SIZE) {
        status = pair_counts_queue(&learning->counts, error);
        PairCount *pair = status ? NULL : pair_counts_next(&learning->counts);
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
        if (!status) status = join_everywhere(learning, pair, result, error);
    }
    return status;
}

Status bpe_learner_finish(BpeLearner *learner, size_t size, Vocabulary **vocabulary, Error *error)
{
    *vocabulary = NULL;
    if (size < VOCABULARY_MIN_SIZE || size > VOCABULARY_MAX_SIZE)
        return error_set(error, STATUS_ARGUMENT,
                         "a vocabulary of %zu subwords cannot be learned: choose %d to %d", size,
                         VOCABULARY_MIN_SIZE, VOCABULARY_MAX_SIZE);
    Learning learning = {.learner = learner};
    Status status = vocabulary_new(&learning.vocabulary, error);
    learning.counts.vocabulary = learning.vocabulary;
    if (!status) status = choose_alphabet(&learning, size, error);
    if (!status) status = lay_out(&learning, error);
    if (!status) status = learn_merges(&learning, size, error);
    pair_counts_free(&learning.counts);
    memory_free(learning.places);
    if (status)
        vocabulary_free(learning.vocabulary);
    else
        *vocabulary = learning.vocabulary;
    return status;
}
