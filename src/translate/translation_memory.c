#include "translate/translation_memory.h"

#include "align/aligner_tokens.h"
#include "base/array.h"
#include "base/string_map.h"
#include "text/normalise.h"

#include <pthread.h>

#define NO_WORD UINT32_MAX

enum { WIDTH = MAX_MEMORY_TOKENS + 1 };
enum { SIMILAR = 7, OF = 10 }; // LEAST_SIMILARITY

typedef struct Entry {
    size_t begin, count; // its tokens in `ids`
    char *target;        // owned; NULL: it is none
    size_t target_length;
} Entry;

// The entries that have a word, each once, in order.
typedef struct Postings {
    uint32_t *entries;
    size_t count, capacity;
} Postings;

struct TranslationMemory {
    pthread_mutex_t lock;
    StringMap sources, words; // entry i is of the i-th source, and so are postings of words
    Entry *entries;
    uint32_t *visits; // of each entry the last search that has looked at it
    Postings *postings;
    bool *wanted; // of each word: the text that is looked for has it
    uint32_t *ids;
    size_t entry_capacity, visit_capacity, posting_capacity, wanted_capacity;
    size_t id_count, id_capacity;
    uint32_t visit;
    AlignerTokens tokens;              // scratch, like the rest
    uint32_t text[MAX_MEMORY_TOKENS];  // the text that is looked for
    uint16_t distances[WIDTH * WIDTH]; // of the beginnings of two texts
};

Status translation_memory_new(TranslationMemory **memory, Error *error)
{
    TRY(array_new(memory, 1, "a memory", error));
    pthread_mutex_init(&(*memory)->lock, NULL);
    return STATUS_OK;
}

void translation_memory_free(TranslationMemory *memory)
{
    if (!memory) return;
    for (size_t i = 0; i < memory->sources.count; i++) memory_free(memory->entries[i].target);
    for (size_t i = 0; i < memory->words.count; i++) memory_free(memory->postings[i].entries);
    string_map_free(&memory->sources);
    string_map_free(&memory->words);
    memory_free(memory->entries);
    memory_free(memory->visits);
    memory_free(memory->postings);
    memory_free(memory->wanted);
    memory_free(memory->ids);
    aligner_tokens_free(&memory->tokens);
    pthread_mutex_destroy(&memory->lock);
    memory_free(memory);
}

// Adds a word to the lists, and an entry to the word's.
static Status post(TranslationMemory *memory, TextView word, uint32_t entry, Error *error)
{
    size_t words = memory->words.count;
    TRY(array_reserve(&memory->postings, &memory->posting_capacity, words + 1, "a memory", error));
    TRY(array_reserve(&memory->wanted, &memory->wanted_capacity, words + 1, "a memory", error));
    bool added = false;
    const StringMapEntry *found =
        string_map_put(&memory->words, word.data, word.length, (int64_t)words, &added);
    if (!found) return error_memory(error, word.length, "a memory");
    Postings *postings = &memory->postings[found->value];
    if (added) {
        *postings = (Postings){0};
        memory->wanted[words] = false;
    }
    memory->ids[memory->id_count++] = (uint32_t)found->value;
    if (postings->count > 0 && postings->entries[postings->count - 1] == entry) return STATUS_OK;
    return array_add(&postings->entries, &postings->count, &postings->capacity, "a memory", error,
                     entry);
}

// Adds the tokens of the entry that is the last.
static Status index_tokens(TranslationMemory *memory, TextView source, Error *error)
{
    const size_t last = memory->sources.count - 1;
    AlignerTokens *tokens = &memory->tokens;
    TRY(aligner_tokens_set(tokens, source.data, source.length, error));
    if (tokens->places.count > MAX_MEMORY_TOKENS) return STATUS_OK;
    TRY(array_reserve(&memory->ids, &memory->id_capacity, memory->id_count + tokens->places.count,
                      "a memory", error));
    memory->entries[last].begin = memory->id_count;
    for (size_t i = 0; i < tokens->places.count; i++)
        TRY(post(memory, aligner_tokens_spelling(tokens, i), (uint32_t)last, error));
    memory->entries[last].count = tokens->places.count;
    return STATUS_OK;
}

static Status add(TranslationMemory *memory, TextView source, TextView target, Error *error)
{
    size_t count = memory->sources.count;
    bool added = false;
    TRY(array_reserve(&memory->entries, &memory->entry_capacity, count + 1, "a memory", error));
    TRY(array_reserve(&memory->visits, &memory->visit_capacity, count + 1, "a memory", error));
    FREED char *copy = memory_copy_string(target.data, target.length);
    if (!copy) return error_memory(error, target.length, "a memory");
    const StringMapEntry *found =
        string_map_put(&memory->sources, source.data, source.length, (int64_t)count, &added);
    if (!found) return error_memory(error, source.length, "a memory");
    if (added) {
        memory->entries[count] = (Entry){0};
        memory->visits[count] = memory->visit;
        TRY(index_tokens(memory, source, error));
    }
    Entry *entry = &memory->entries[found->value];
    memory_free(entry->target);
    entry->target = memory_take(&copy);
    entry->target_length = target.length;
    return STATUS_OK;
}

Status translation_memory_add(TranslationMemory *memory, TextView source, TextView target,
                              Error *error)
{
    FREED_BY(bytes_free) Bytes first = {0}, second = {0};
    TRY(normalise(&first, source.data, source.length, NULL, error));
    TRY(normalise(&second, target.data, target.length, NULL, error));
    if (first.length == 0 || second.length == 0) return STATUS_OK;
    pthread_mutex_lock(&memory->lock);
    Status status = add(memory, bytes_view(&first), bytes_view(&second), error);
    pthread_mutex_unlock(&memory->lock);
    return status;
}

/* Sets distances (n + 1, m + 1), a row having WIDTH places: how many tokens must be put in, left out
 * or replaced to make the first i of a the first j of b (Levenshtein 1966). Returns the last. */
static size_t edit_distance(uint16_t *distances, const uint32_t *a, size_t n, const uint32_t *b,
                            size_t m)
{
    for (size_t j = 0; j <= m; j++) distances[j] = (uint16_t)j;
    for (size_t i = 1; i <= n; i++) {
        const uint16_t *above = distances + (i - 1) * WIDTH;
        uint16_t *row = distances + i * WIDTH;
        row[0] = (uint16_t)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned least = above[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            if (above[j] + 1U < least) least = above[j] + 1U;
            if (row[j - 1] + 1U < least) least = row[j - 1] + 1U;
            row[j] = (uint16_t)least;
        }
    }
    return distances[n * WIDTH + m];
}

// Follows the distances back from the end.
static void set_partners(int32_t *partners, const uint16_t *distances, const uint32_t *a, size_t n,
                         const uint32_t *b, size_t m)
{
    for (size_t i = n, j = m; i > 0;) {
        const uint16_t *here = distances + i * WIDTH + j;
        bool same = j > 0 && a[i - 1] == b[j - 1];
        if (j > 0 && *here == here[-WIDTH - 1] + !same) {
            partners[--i] = same ? (int32_t)j - 1 : -1;
            j--;
        } else if (*here == here[-WIDTH] + 1) {
            partners[--i] = -1;
        } else {
            j--;
        }
    }
}

// A source that is like the text.
typedef struct Near {
    size_t entry, distance, longer; // `longer` is max(n, m); 0: there is none
} Near;

// Compares an entry with the text, of n tokens, and takes it if none before was nearer.
static void compare(TranslationMemory *memory, Near *best, uint32_t place, size_t n)
{
    const Entry *entry = &memory->entries[place];
    const uint32_t *ids = memory->ids + entry->begin;
    size_t m = entry->count, longer = n > m ? n : m, shared = 0;
    if (memory->visits[place] == memory->visit || !entry->target) return;
    memory->visits[place] = memory->visit;
    if (OF * (n < m ? n : m) < SIMILAR * longer) return;
    for (size_t i = 0; i < m; i++) shared += memory->wanted[ids[i]];
    if (OF * shared < SIMILAR * longer) return;
    size_t distance = edit_distance(memory->distances, ids, m, memory->text, n);
    if (OF * distance > (OF - SIMILAR) * longer) return;
    size_t ours = distance * best->longer, theirs = best->distance * longer;
    if (best->longer > 0 && (ours > theirs || (ours == theirs && place < best->entry))) return;
    *best = (Near){place, distance, longer};
}

static size_t frequency(const TranslationMemory *memory, uint32_t word)
{
    return word == NO_WORD ? 0 : memory->postings[word].count;
}

// Looks through the entries of the text's rarest tokens.
static Near find_near(TranslationMemory *memory, size_t n)
{
    bool used[MAX_MEMORY_TOKENS] = {false};
    Near best = {0};
    memory->visit++;
    for (size_t k = 0; k <= (OF - SIMILAR) * n / OF; k++) {
        size_t rarest = n;
        for (size_t i = 0; i < n; i++)
            if (!used[i] && (rarest == n || frequency(memory, memory->text[i]) <
                                                frequency(memory, memory->text[rarest])))
                rarest = i;
        if (rarest == n) return best;
        used[rarest] = true;
        uint32_t word = memory->text[rarest];
        for (size_t i = 0; i < frequency(memory, word); i++)
            compare(memory, &best, memory->postings[word].entries[i], n);
    }
    return best;
}

static void mark_wanted(TranslationMemory *memory, size_t n, bool wanted)
{
    for (size_t i = 0; i < n; i++)
        if (memory->text[i] != NO_WORD) memory->wanted[memory->text[i]] = wanted;
}

// Sets `memory->text`, n tokens; none of a text that is too long.
static Status read_text(TranslationMemory *memory, TextView text, size_t *n, Error *error)
{
    AlignerTokens *tokens = &memory->tokens;
    *n = 0;
    TRY(aligner_tokens_set(tokens, text.data, text.length, error));
    if (tokens->places.count > MAX_MEMORY_TOKENS) return STATUS_OK;
    for (; *n < tokens->places.count; ++*n) {
        TextView word = aligner_tokens_spelling(tokens, *n);
        const StringMapEntry *found = string_map_find(&memory->words, word.data, word.length);
        memory->text[*n] = found ? (uint32_t)found->value : NO_WORD;
    }
    return STATUS_OK;
}

static Status set_match(MemoryMatch *match, const TranslationMemory *memory, size_t place,
                        Error *error)
{
    const StringMapEntry *source = &memory->sources.entries[place];
    const Entry *entry = &memory->entries[place];
    bytes_clear(&match->source);
    bytes_clear(&match->target);
    TRY(bytes_append(&match->source, source->key, source->length, error));
    return bytes_append(&match->target, entry->target, entry->target_length, error);
}

static Status find(TranslationMemory *memory, TextView text, MemoryMatch *match, Error *error)
{
    const StringMapEntry *same = string_map_find(&memory->sources, text.data, text.length);
    size_t n;
    if (same && memory->entries[same->value].target) {
        TRY(set_match(match, memory, (size_t)same->value, error));
        match->similarity = 1;
        return STATUS_OK;
    }
    TRY(read_text(memory, text, &n, error));
    if (n == 0) return STATUS_OK;
    mark_wanted(memory, n, true);
    Near near = find_near(memory, n);
    mark_wanted(memory, n, false);
    if (near.longer == 0) return STATUS_OK;
    const Entry *entry = &memory->entries[near.entry];
    const uint32_t *ids = memory->ids + entry->begin;
    TRY(set_match(match, memory, near.entry, error));
    (void)edit_distance(memory->distances, ids, entry->count, memory->text, n);
    match->count = entry->count;
    set_partners(match->partners, memory->distances, ids, entry->count, memory->text, n);
    match->similarity =
        near.distance == 0 ? CASE_SIMILARITY : 1 - (double)near.distance / (double)near.longer;
    return STATUS_OK;
}

Status translation_memory_find(TranslationMemory *memory, TextView text, MemoryMatch *match,
                               Error *error)
{
    match->similarity = 0;
    pthread_mutex_lock(&memory->lock);
    Status status = find(memory, text, match, error);
    pthread_mutex_unlock(&memory->lock);
    if (status) match->similarity = 0;
    return status;
}

void memory_match_free(MemoryMatch *match)
{
    bytes_free(&match->source);
    bytes_free(&match->target);
    *match = (MemoryMatch){0};
}
