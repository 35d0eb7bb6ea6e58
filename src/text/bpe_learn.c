#include "text/bpe_learn.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/chunks.h"
#include "text/pair_map.h"
#include "text/utf8.h"
#include "text/vocabulary_build.h"

#include <stdlib.h>
#include <string.h>

/* What is seen only once teaches nothing: such a character is spelt in bytes, such a pair is not
 * merged. */
enum { MIN_SEEN = 2, CODE_POINTS = 0x110000 };
#define PAIR_NOWHERE UINT32_MAX

typedef struct SubwordPair {
    int32_t left;
    int32_t right;
    uint64_t count;
    uint64_t queued;      // the priority it is queued with, 0 if it is not
    int64_t rank;         // of the rule that merges it, -1 if there is none
    uint32_t first, last; // of its occurrences, or PAIR_NOWHERE
    bool changed;         // its count rose since it was queued
    bool refused;         // it may not be merged
} SubwordPair;

typedef struct PairOccurrence {
    uint32_t place; // of the left subword
    uint32_t next;  // occurrence of the same pair, or PAIR_NOWHERE
} PairOccurrence;

typedef struct QueuedPair {
    uint64_t priority;
    uint32_t pair;
} QueuedPair;

/* The pairs of neighbouring subwords in a text: how often and where each occurs, by frequency.
 * Counts are weighted: an occurrence in a chunk seen n times counts n. A pair's list may name
 * places that it has left since, so each place is checked. Start with the vocabulary, whose
 * spellings break ties, and all else 0. */
typedef struct SubwordPairs {
    const Vocabulary *vocabulary;
    PairMap index;      // (left, right) → index into `pairs`
    SubwordPair *pairs; // (pair_count)
    size_t pair_count, pair_capacity;
    PairOccurrence *occurrences; // (occurrence_count)
    size_t occurrence_count, occurrence_capacity;
    uint32_t *changed; // (changed_count) pairs to queue
    size_t changed_count, changed_capacity;
    QueuedPair *queue; // (queue_count) a heap; the first comes next
    size_t queue_count, queue_capacity;
} SubwordPairs;

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

static const char PURPOSE[] = "counting pairs of subwords";

// The pair's index in `pairs`, where it is added if it is new.
static Status find_or_add(SubwordPairs *counts, int32_t left, int32_t right, uint32_t *index,
                          Error *error)
{
    const size_t count = counts->pair_count;
    TRY(array_reserve(&counts->pairs, &counts->pair_capacity, count + 1, PURPOSE, error));
    TRY(pair_map_reserve(&counts->index, count + 1, PURPOSE, error));
    *index = (uint32_t)pair_map_enter(&counts->index, left, right);
    if (*index < count) return STATUS_OK;
    counts->pairs[counts->pair_count++] = (SubwordPair){
        .left = left, .right = right, .rank = -1, .first = PAIR_NOWHERE, .last = PAIR_NOWHERE};
    return STATUS_OK;
}

// Adds an occurrence of a pair at `place`, which counts `weight`.
static Status add_pair(SubwordPairs *counts, int32_t left, int32_t right, uint64_t weight,
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

// Subtracts `weight` from the count of a pair that was added.
static void subtract_pair(SubwordPairs *counts, int32_t left, int32_t right, uint64_t weight)
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

// Queues all pairs whose counts rose, before next_pair.
static Status queue_pairs(SubwordPairs *counts, Error *error)
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

/* Takes the pair to merge next from the queue, or NULL if none is left: first pairs that have a
 * rule already, the earliest rule first; then the most frequent pair, ties by the left and then the
 * right subword's spelling. */
static SubwordPair *next_pair(SubwordPairs *counts)
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

static void free_pairs(SubwordPairs *counts)
{
    pair_map_free(&counts->index);
    memory_free(counts->pairs);
    memory_free(counts->occurrences);
    memory_free(counts->changed);
    memory_free(counts->queue);
    *counts = (SubwordPairs){0};
}

Status bpe_learner_new(BpeLearner **learner, Error *error)
{
    return array_new(learner, 1, "learning a vocabulary", error);
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
    TRY(bytes_append_string(spaced, " ", error));
    TRY(bytes_append(spaced, text, length, error));
    for (size_t begin = 0, end; begin < spaced->length; begin = end) {
        end = chunk_end(spaced->data, spaced->length, begin);
        StringMapEntry *entry =
            string_map_put(&learner->chunks, spaced->data + begin, end - begin, 0, NULL);
        if (!entry) return error_memory(error, end - begin, "counting words");
        entry->value++;
    }
    return STATUS_OK;
}

static int compare_characters(const void *one, const void *other)
{
    const CharacterCount *a = one, *b = other;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return a->code_point < b->code_point ? -1 : a->code_point > b->code_point;
}

// Sets how often each character was seen; counts (CODE_POINTS) are those of 0, 1, 2, …
static void count_characters(const StringMap *chunks, CharacterCount *counts)
{
    for (size_t i = 0; i < chunks->count; i++) {
        const StringMapEntry *chunk = &chunks->entries[i];
        for (size_t at = 0; at < chunk->length;) {
            uint32_t code_point;
            bool valid;
            at += utf8_decode(chunk->key + at, chunk->length - at, &code_point, &valid);
            if (valid) counts[code_point].count += (uint64_t)chunk->value;
        }
    }
}

/* The alphabet by the header's rule. Its limit matters only to small vocabularies with Han: 8,000
 * tokens leave room for 3,870 characters. */
static Status choose_alphabet(Learning *learning, size_t size, Error *error)
{
    CharacterCount *counts = memory_new(CODE_POINTS, sizeof *counts);
    if (!counts) return error_memory(error, CODE_POINTS * sizeof *counts, "counting characters");
    count_characters(&learning->learner->chunks, counts);
    size_t seen = 0, most = (size - TOKEN_FIRST) / 2;
    for (uint32_t c = 0; c < CODE_POINTS; c++)
        if (c != ' ' && counts[c].count >= MIN_SEEN && vocabulary_admits(c))
            counts[seen++] = (CharacterCount){c, counts[c].count};
    qsort(counts, seen, sizeof *counts, compare_characters);
    Status status = STATUS_OK;
    for (size_t i = 0; i < seen && i + 1 < most && !status; i++)
        status = vocabulary_add_character(learning->vocabulary, counts[i].code_point, error);
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
            TRY(add_pair(&learning->counts, left->id, id, (uint64_t)entry->value, previous, error));
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
    TRY(array_new(&learning->places, bytes, "learning a vocabulary", error));
    for (size_t i = 0; i < chunks->count; i++) TRY(add_chunk(learning, (uint32_t)i, error));
    return STATUS_OK;
}

// Merges the symbol at `place` with the next one, and counts the pairs that this removes and makes.
static Status merge(Learning *learning, uint32_t place, int32_t result, Error *error)
{
    SubwordPairs *counts = &learning->counts;
    Place *places = learning->places, *left = &places[place], *right = &places[left->next];
    uint64_t weight = (uint64_t)learning->learner->chunks.entries[left->chunk].value;
    uint32_t before = left->previous, after = right->next;
    if (before != PAIR_NOWHERE) {
        subtract_pair(counts, places[before].id, left->id, weight);
        TRY(add_pair(counts, places[before].id, result, weight, before, error));
    }
    if (after != PAIR_NOWHERE) {
        subtract_pair(counts, right->id, places[after].id, weight);
        TRY(add_pair(counts, result, places[after].id, weight, place, error));
        places[after].previous = place;
    }
    left->id = result;
    left->next = after;
    right->id = -1;
    return STATUS_OK;
}

/* Merges a pair wherever it occurs. Its list cannot grow meanwhile: every new pair contains the
 * result, which is longer than either half. */
static Status merge_everywhere(Learning *learning, SubwordPair *pair, int32_t result, Error *error)
{
    SubwordPairs *counts = &learning->counts;
    int32_t left = pair->left, right = pair->right;
    uint32_t occurrence = pair->first;
    size_t index = (size_t)(pair - counts->pairs);
    while (occurrence != PAIR_NOWHERE) {
        uint32_t place = counts->occurrences[occurrence].place;
        occurrence = counts->occurrences[occurrence].next;
        const Place *at = &learning->places[place];
        if (at->id == left && at->next != PAIR_NOWHERE && learning->places[at->next].id == right)
            TRY(merge(learning, place, result, error));
    }
    pair = &counts->pairs[index]; // the array may have moved
    pair->first = pair->last = PAIR_NOWHERE;
    pair->count = 0;
    return STATUS_OK;
}

// Merges the most frequent pair until the vocabulary has `size` subwords or no pair is left.
static Status learn_merges(Learning *learning, size_t size, Error *error)
{
    Vocabulary *vocabulary = learning->vocabulary;
    while (vocabulary_size(vocabulary) < size && vocabulary->rules.count < VOCABULARY_MAX_SIZE) {
        TRY(queue_pairs(&learning->counts, error));
        SubwordPair *pair = next_pair(&learning->counts);
        if (!pair || (pair->rank < 0 && pair->count < MIN_SEEN)) break;
        int32_t result;
        if (pair->rank >= 0) {
            result = vocabulary->rules.list[pair->rank].result;
        } else if (vocabulary_merge_fault(vocabulary, pair->left, pair->right)) {
            pair->refused = true;
            continue;
        } else {
            pair->rank = (int64_t)vocabulary->rules.count;
            TRY(vocabulary_add_merge(vocabulary, pair->left, pair->right, &result, error));
        }
        TRY(merge_everywhere(learning, pair, result, error));
    }
    return STATUS_OK;
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
    free_pairs(&learning.counts);
    memory_free(learning.places);
    if (status)
        vocabulary_free(learning.vocabulary);
    else
        *vocabulary = learning.vocabulary;
    return status;
}
