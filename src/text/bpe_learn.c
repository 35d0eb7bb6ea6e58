#include "text/bpe_learn.h"

#include "base/array.h"
#include "text/chunks.h"
#include "text/utf8.h"
#include "text/vocabulary_build.h"

#include <stdlib.h>

/* What is seen only once teaches nothing: such a character is spelt in bytes, such a pair is not
 * merged. */
enum { MIN_SEEN = 2, CODE_POINTS = 0x110000 };
#define PAIR_NOWHERE UINT32_MAX

typedef struct SubwordPair {
    int32_t left;
    int32_t right;
    uint64_t count;
    uint32_t first, last; // of its occurrences
} SubwordPair;

typedef struct PairOccurrence {
    uint32_t place; // of the left subword
    uint32_t next;  // occurrence of the same pair, or PAIR_NOWHERE
} PairOccurrence;

typedef struct QueuedPair {
    uint64_t count; // when it was queued
    uint32_t pair;
} QueuedPair;

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

/* What has been learned so far, and the pairs of neighbouring subwords in the text: how often and
 * where each occurs, by frequency. Counts are weighted: an occurrence in a chunk seen n times counts n.
 * A pair's list may name places that it has left since, so each place is checked.
 *
 * All occurrences of a pair come about in one merge, that of the later of its subwords, since a
 * subword is always made in the same way: it is queued once, behind that merge, and its count only
 * falls from then on. */
typedef struct Learning {
    const BpeLearner *learner;
    Vocabulary *vocabulary;
    Place *places; // (place_count)
    size_t place_count;
    PairMap index;      // (left, right) → index into `pairs`
    SubwordPair *pairs; // (pair_count)
    size_t pair_count, pair_capacity;
    PairOccurrence *occurrences; // (occurrence_count)
    size_t occurrence_count, occurrence_capacity;
    QueuedPair *queue; // (queue_count) a heap; the first comes next
    size_t queue_count, queue_capacity;
    size_t seen_count; // of the pairs, those that have been queued
} Learning;

static void learning_free(Learning *learning)
{
    vocabulary_free(learning->vocabulary);
    memory_free(learning->places);
    pair_map_free(&learning->index);
    memory_free(learning->pairs);
    memory_free(learning->occurrences);
    memory_free(learning->queue);
}

typedef struct CharacterCount {
    uint32_t code_point;
    uint64_t count;
} CharacterCount;

static const char PURPOSE[] = "counting pairs of subwords";

// Adds an occurrence of a pair at `place`, which counts `weight`.
static Status add_pair(Learning *learning, int32_t left, int32_t right, uint64_t weight,
                       uint32_t place, Error *error)
{
    size_t count = learning->pair_count, occurrences = learning->occurrence_count;
    TRY(array_reserve(&learning->pairs, &learning->pair_capacity, count + 1, PURPOSE, error));
    TRY(pair_map_reserve(&learning->index, count + 1, PURPOSE, error));
    TRY(array_reserve(&learning->occurrences, &learning->occurrence_capacity, occurrences + 1,
                      PURPOSE, error));
    uint32_t occurrence = (uint32_t)learning->occurrence_count++;
    learning->occurrences[occurrence] = (PairOccurrence){place, PAIR_NOWHERE};
    size_t at = (size_t)pair_map_enter(&learning->index, left, right);
    SubwordPair *pair = &learning->pairs[at];
    if (at == count) {
        *pair = (SubwordPair){.left = left, .right = right, .first = occurrence};
        learning->pair_count++;
    } else {
        learning->occurrences[pair->last].next = occurrence;
    }
    pair->last = occurrence;
    pair->count += weight;
    return STATUS_OK;
}

// Subtracts `weight` from the count of a pair that was added.
static void subtract_pair(Learning *learning, int32_t left, int32_t right, uint64_t weight)
{
    learning->pairs[pair_map_find(&learning->index, left, right)].count -= weight;
}

static bool comes_before(const Learning *learning, QueuedPair a, QueuedPair b)
{
    if (a.count != b.count) return a.count > b.count;
    const SubwordPair *one = &learning->pairs[a.pair], *other = &learning->pairs[b.pair];
    int order = strcmp(vocabulary_spelling(learning->vocabulary, one->left),
                       vocabulary_spelling(learning->vocabulary, other->left));
    if (!order)
        order = strcmp(vocabulary_spelling(learning->vocabulary, one->right),
                       vocabulary_spelling(learning->vocabulary, other->right));
    return order < 0;
}

static void queue_push(Learning *learning, QueuedPair item)
{
    QueuedPair *queue = learning->queue;
    size_t at = learning->queue_count++;
    for (; at > 0 && comes_before(learning, item, queue[(at - 1) / 2]); at = (at - 1) / 2)
        queue[at] = queue[(at - 1) / 2];
    queue[at] = item;
}

static QueuedPair queue_pop(Learning *learning)
{
    QueuedPair *queue = learning->queue;
    QueuedPair first = queue[0], item = queue[--learning->queue_count];
    size_t at = 0, count = learning->queue_count;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && comes_before(learning, queue[child + 1], queue[child])) child++;
        if (!comes_before(learning, queue[child], item)) break;
        queue[at] = queue[child];
        at = child;
    }
    queue[at] = item;
    return first;
}

// Queues the pairs that have come about since the last call, before next_pair.
static Status queue_pairs(Learning *learning, Error *error)
{
    size_t most = learning->queue_count + learning->pair_count - learning->seen_count;
    TRY(array_reserve(&learning->queue, &learning->queue_capacity, most, PURPOSE, error));
    for (size_t *i = &learning->seen_count; *i < learning->pair_count; ++*i)
        if (learning->pairs[*i].count >= MIN_SEEN)
            queue_push(learning, (QueuedPair){learning->pairs[*i].count, (uint32_t)*i});
    return STATUS_OK;
}

/* Takes the most frequent pair from the queue, ties by the left and then the right subword's
 * spelling; NULL if none is left that was seen often enough. */
static const SubwordPair *next_pair(Learning *learning)
{
    while (learning->queue_count) {
        QueuedPair item = queue_pop(learning);
        const SubwordPair *pair = &learning->pairs[item.pair];
        if (pair->count < MIN_SEEN) continue;
        if (pair->count == item.count) return pair;
        queue_push(learning, (QueuedPair){pair->count, item.pair}); // it has become rarer
    }
    return NULL;
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
    FREED CharacterCount *counts = memory_new(CODE_POINTS, sizeof *counts);
    if (!counts) return error_memory(error, CODE_POINTS * sizeof *counts, "counting characters");
    count_characters(&learning->learner->chunks, counts);
    size_t seen = 0, most = (size - TOKEN_FIRST) / 2;
    for (uint32_t c = 0; c < CODE_POINTS; c++)
        if (c != ' ' && counts[c].count >= MIN_SEEN && vocabulary_admits(c))
            counts[seen++] = (CharacterCount){c, counts[c].count};
    qsort(counts, seen, sizeof *counts, compare_characters);
    for (size_t i = 0; i < seen && i + 1 < most; i++)
        TRY(vocabulary_add_character(learning->vocabulary, counts[i].code_point, error));
    return STATUS_OK;
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
            TRY(add_pair(learning, left->id, id, (uint64_t)entry->value, previous, error));
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
    // of pairs there are fewer occurrences than bytes at first, and each merge makes two
    if (bytes >= PAIR_NOWHERE / 3)
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
    Place *places = learning->places, *left = &places[place], *right = &places[left->next];
    uint64_t weight = (uint64_t)learning->learner->chunks.entries[left->chunk].value;
    uint32_t before = left->previous, after = right->next;
    if (before != PAIR_NOWHERE) {
        subtract_pair(learning, places[before].id, left->id, weight);
        TRY(add_pair(learning, places[before].id, result, weight, before, error));
    }
    if (after != PAIR_NOWHERE) {
        subtract_pair(learning, right->id, places[after].id, weight);
        TRY(add_pair(learning, result, places[after].id, weight, place, error));
        places[after].previous = place;
    }
    left->id = result;
    left->next = after;
    right->id = -1;
    return STATUS_OK;
}

/* Merges a pair wherever it occurs. Its list cannot grow meanwhile: every new pair contains the
 * result, which is longer than either half. */
static Status merge_everywhere(Learning *learning, SubwordPair pair, int32_t result, Error *error)
{
    for (uint32_t i = pair.first; i != PAIR_NOWHERE; i = learning->occurrences[i].next) {
        uint32_t place = learning->occurrences[i].place;
        const Place *at = &learning->places[place];
        if (at->id == pair.left && at->next != PAIR_NOWHERE &&
            learning->places[at->next].id == pair.right)
            TRY(merge(learning, place, result, error));
    }
    return STATUS_OK;
}

// Merges the most frequent pair until the vocabulary has `size` subwords or no pair is left.
static Status learn_merges(Learning *learning, size_t size, Error *error)
{
    Vocabulary *vocabulary = learning->vocabulary;
    const SubwordPair *pair;
    while (vocabulary_size(vocabulary) < size) {
        int32_t result;
        TRY(queue_pairs(learning, error));
        if (!(pair = next_pair(learning))) break;
        if (vocabulary_merge_fault(vocabulary, pair->left, pair->right)) continue;
        TRY(vocabulary_add_merge(vocabulary, pair->left, pair->right, &result, error));
        TRY(merge_everywhere(learning, *pair, result, error));
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
    FREED_BY(learning_free) Learning learning = {.learner = learner};
    TRY(vocabulary_new(&learning.vocabulary, error));
    TRY(choose_alphabet(&learning, size, error));
    TRY(add_chunks(&learning, error));
    TRY(learn_merges(&learning, size, error));
    *vocabulary = memory_take(&learning.vocabulary);
    return STATUS_OK;
}
