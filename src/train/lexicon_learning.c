#include "train/lexicon_learning.h"

#include "base/array.h"
#include "base/string_map.h"
#include "text/special_tokens.h"
#include "text/utf8.h"

#include <math.h>
#include <stdlib.h>

// A word is linked to another with this share of the weights of a token's links, at least.
static const double LINKED = 0.25;

// A sentence of a pair, cut into words.
typedef struct Words {
    const uint8_t *edges; // (V) of the side's tokens
    const int32_t *tokens;
    uint32_t *begins; // (count + 1) tokens
    uint32_t *of;     // (tokens) words
    size_t count, capacity;
} Words;

// The words of a side that are linked to one of the other: from `begin` to `end`, if any.
typedef struct Reach {
    uint32_t begin, end;
} Reach;

typedef struct Run {
    const int32_t *tokens; // (count)
    size_t count;
} Run;

typedef struct Learner {
    const TokenCorpus *corpus;
    const Vocabulary *const *vocabularies; // of source and target
    StoreWindow window;
    uint8_t *edges[2];
    Words words[2];
    Reach *reaches[2]; // of each word
    size_t reach_capacities[2];
    double *shares; // (words) of a target token's links
    size_t share_capacity;
    StringMap pairs; // unit and translation, as key_append writes them: c(x, y)
    StringMap units; // c(x) of those that are kept
    StringMap small; // c(x) of words in lower case that are several tokens
    Bytes key, text;
    Subwords subwords[2];
} Learner;

static uint8_t edges_of(const Vocabulary *vocabulary, int32_t token)
{
    size_t length, at = 0;
    const char *text = vocabulary_bytes(vocabulary, token, &length);
    if (token < TOKEN_FIRST || length == 0) return 0;
    const bool space = text[0] == ' ';
    const uint32_t first = utf8_at(text, length, space), last = utf8_before(text, length);
    uint8_t edges = space ? EDGE_SPACE : 0;
    if (!space && utf8_is_letter(first) && !utf8_is_han(first)) edges |= EDGE_BEGINS;
    if (utf8_is_letter(last) && !utf8_is_han(last)) edges |= EDGE_ENDS;
    while (at < length)
        if (utf8_is_letter(utf8_next(text, length, &at))) edges |= EDGE_WORD;
    return edges;
}

// Whether a token has a capital first, and is several tokens in lower case.
static Status is_name(bool *name, const Vocabulary *vocabulary, int32_t token, Error *error)
{
    FREED_BY(bytes_free) Bytes small = {0};
    FREED_BY(subwords_free) Subwords subwords = {0};
    size_t length;
    const char *text = vocabulary_bytes(vocabulary, token, &length);
    const bool spaced = length > 0 && *text == ' ';
    *name = length > spaced && utf8_is_upper(utf8_at(text, length, spaced));
    if (!*name) return STATUS_OK;
    TRY(utf8_append_lowercase(&small, text + spaced, length - spaced, error));
    TRY(vocabulary_encode_part(vocabulary, bytes_text(&small), small.length, spaced, &subwords,
                               error));
    *name = subwords.count > 1;
    return STATUS_OK;
}

static Status set_edges(uint8_t **edges, const Vocabulary *vocabulary, Error *error)
{
    const size_t size = vocabulary_size(vocabulary);
    TRY(array_new(edges, size, "a lexicon", error));
    for (int32_t token = 0; token < (int32_t)size; token++) {
        bool name;
        (*edges)[token] = edges_of(vocabulary, token);
        TRY(is_name(&name, vocabulary, token, error));
        if (name && (*edges)[token]) (*edges)[token] |= EDGE_NAME;
    }
    return STATUS_OK;
}

// Cuts `length` tokens into words.
static Status cut(Words *words, const int32_t *tokens, size_t length, Error *error)
{
    if (words->capacity < length + 1) {
        size_t capacity = words->capacity;
        TRY(array_reserve(&words->begins, &capacity, length + 1, "a lexicon", error));
        TRY(array_reserve(&words->of, &words->capacity, length + 1, "a lexicon", error));
    }
    words->tokens = tokens;
    words->count = 0;
    for (size_t i = 0; i < length; i++) {
        if (i == 0 || !lexicon_joins(words->edges[tokens[i - 1]], words->edges[tokens[i]]))
            words->begins[words->count++] = (uint32_t)i;
        words->of[i] = (uint32_t)words->count - 1;
    }
    words->begins[words->count] = (uint32_t)length;
    return STATUS_OK;
}

// The first word of a text that is more than a space.
static uint32_t first_word(const Words *words)
{
    return words->count > 1 && words->edges[*words->tokens] == EDGE_SPACE;
}

static void reach(Reach *reaches, uint32_t from, uint32_t to)
{
    Reach *own = &reaches[from];
    if (own->begin == own->end) own->begin = own->end = to;
    if (to < own->begin) own->begin = to;
    if (to >= own->end) own->end = to + 1;
}

// Links the word of a target token to those that have a good share of its links' weights; nothing to a space.
static void link_token(Learner *learner, const SubwordLink *links, size_t count)
{
    const uint32_t *of = learner->words[0].of;
    const uint32_t word = learner->words[1].of[links->target];
    double total = 0;
    if (word < first_word(&learner->words[1])) return;
    for (size_t i = 0; i < count; i++) learner->shares[of[links[i].source]] = 0;
    for (size_t i = 0; i < count; i++) {
        learner->shares[of[links[i].source]] += links[i].weight;
        total += links[i].weight;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t source = of[links[i].source];
        if (source < first_word(&learner->words[0]) || learner->shares[source] < LINKED * total)
            continue;
        reach(learner->reaches[0], source, word);
        reach(learner->reaches[1], word, source);
    }
}

static Status link_words(Learner *learner, const TokenPair *pair, Error *error)
{
    // both sides without their </s>
    TRY(cut(&learner->words[0], pair->source, pair->source_length - 1, error));
    TRY(cut(&learner->words[1], pair->target, pair->target_length - 1, error));
    for (size_t side = 0; side < 2; side++) {
        const size_t count = learner->words[side].count;
        TRY(array_reserve(&learner->reaches[side], &learner->reach_capacities[side], count,
                          "a lexicon", error));
        if (count > 0) memset(learner->reaches[side], 0, count * sizeof *learner->reaches[side]);
    }
    TRY(array_reserve(&learner->shares, &learner->share_capacity, learner->words[0].count,
                      "a lexicon", error));
    for (size_t i = 0, end; i < pair->link_count; i = end) {
        for (end = i + 1;
             end < pair->link_count && pair->links[end].target == pair->links[i].target;)
            end++;
        link_token(learner, pair->links + i, end - i);
    }
    return STATUS_OK;
}

// Whether words are a unit: few enough, one of them with a letter, and no space inside.
static bool is_unit(const Words *words, Reach run)
{
    const uint32_t begin = words->begins[run.begin], end = words->begins[run.end];
    uint8_t edges = 0;
    if (end - begin > MAX_UNIT_TOKENS || run.end - run.begin > MAX_UNIT_WORDS) return false;
    for (uint32_t i = begin; i < end; i++) {
        edges |= words->edges[words->tokens[i]];
        if (i > begin && (words->edges[words->tokens[i]] & EDGE_SPACE)) return false;
    }
    return edges & EDGE_WORD;
}

// The first letter of a word, behind its space.
static uint32_t initial_of(const Learner *learner, int32_t token)
{
    size_t length;
    const char *text = vocabulary_bytes(learner->vocabularies[0], token, &length);
    return utf8_at(text, length, length > 1 && *text == ' ');
}

// Whether words of the source are a name of several, of which the first and last have capitals.
static bool is_long_name(const Learner *learner, Reach run)
{
    const Words *words = &learner->words[0];
    const uint32_t begin = words->begins[run.begin], last = words->begins[run.end - 1];
    return begin < last && words->begins[run.end] - begin <= MAX_UNIT_TOKENS &&
           run.end - run.begin <= MAX_UNIT_WORDS &&
           (words->edges[words->tokens[last]] & EDGE_SPACE) &&
           utf8_is_upper(initial_of(learner, words->tokens[begin])) &&
           utf8_is_upper(initial_of(learner, words->tokens[last]));
}

// Whether words are a translation: few enough, and none is linked outside of the unit.
static bool is_translation(const Learner *learner, Reach unit, Reach run)
{
    const Words *words = &learner->words[1];
    if (run.end - run.begin > MAX_UNIT_WORDS ||
        words->begins[run.end] - words->begins[run.begin] > MAX_UNIT_TOKENS)
        return false;
    for (uint32_t word = run.begin; word < run.end; word++) {
        const Reach back = learner->reaches[1][word];
        if (back.begin < back.end && (back.begin < unit.begin || back.end > unit.end)) return false;
    }
    return true;
}

// Whether a source is short, and its first and last token have letters.
static bool is_short(const Words *words)
{
    const uint32_t count = words->begins[words->count];
    return count > 0 && count < MAX_UNIT_TOKENS &&
           (words->edges[words->tokens[first_word(words)]] &
            words->edges[words->tokens[count - 1]] & EDGE_WORD);
}

/* Sets the tokens that words have inside a text: in a script without spaces, the first ones of a text
 * have a space before them that they have nowhere else. Of each side, valid until the next call. */
static Status run_of(Learner *learner, size_t side, Reach reach, Run *run, Error *error)
{
    const Words *words = &learner->words[side];
    Subwords *subwords = &learner->subwords[side];
    Bytes *text = &learner->text;
    const uint32_t begin = words->begins[reach.begin];
    *run = (Run){words->tokens + begin, words->begins[reach.end] - begin};
    if (reach.begin > 0 || run->count == 0 || !(words->edges[*run->tokens] & EDGE_SPACE))
        return STATUS_OK;
    bytes_clear(text);
    TRY(vocabulary_decode(learner->vocabularies[side], run->tokens, run->count, text, error));
    if (!utf8_is_unspaced(utf8_at(bytes_text(text), text->length, 0))) return STATUS_OK;
    TRY(vocabulary_encode_part(learner->vocabularies[side], bytes_text(text), text->length, false,
                               subwords, error));
    *run = (Run){subwords->ids, subwords->count};
    return STATUS_OK;
}

// Appends tokens, after how many they are.
static Status key_append(Bytes *key, Run run, Error *error)
{
    uint16_t tokens[MAX_UNIT_TOKENS + 1] = {(uint16_t)run.count};
    for (size_t i = 0; i < run.count; i++) tokens[i + 1] = (uint16_t)run.tokens[i];
    return bytes_append(key, (const char *)tokens, (run.count + 1) * sizeof *tokens, error);
}

static Status count_key(StringMap *map, const Bytes *key, Error *error)
{
    StringMapEntry *entry = string_map_put(map, bytes_text(key), key->length, 0, NULL);
    if (!entry) return error_memory(error, key->length, "a lexicon");
    entry->value++;
    return STATUS_OK;
}

static Status count_pair(Learner *learner, Run unit, Run translation, Error *error)
{
    if (unit.count > MAX_UNIT_TOKENS || translation.count > MAX_UNIT_TOKENS) return STATUS_OK;
    bytes_clear(&learner->key);
    TRY(key_append(&learner->key, unit, error));
    TRY(key_append(&learner->key, translation, error));
    return count_key(&learner->pairs, &learner->key, error);
}

static Status count_unit(Learner *learner, Reach reach, Reach other, Error *error)
{
    Run unit, translation;
    TRY(run_of(learner, 0, reach, &unit, error));
    TRY(run_of(learner, 1, other, &translation, error));
    return count_pair(learner, unit, translation, error);
}

/* Counts the whole of a short pair: as a unit, unless count_pairs has counted it already, and as a text. */
static Status count_whole(Learner *learner, const TokenPair *pair, bool counted, Error *error)
{
    const Words *source = &learner->words[0], *target = &learner->words[1];
    const Reach whole = {first_word(source), (uint32_t)source->count};
    if (!is_short(source) || pair->link_count == 0 || pair->target_length - 1 > MAX_UNIT_TOKENS)
        return STATUS_OK;
    if (!counted && (is_unit(source, whole) || is_long_name(learner, whole)) &&
        target->count <= MAX_UNIT_WORDS)
        TRY(count_unit(learner, whole, (Reach){0, (uint32_t)target->count}, error));
    return count_pair(learner, (Run){pair->source, pair->source_length},
                      (Run){pair->target, pair->target_length - 1}, error);
}

// Counts the units of a pair with their translations.
static Status count_pairs(Learner *learner, const TokenPair *pair, Error *error)
{
    Reach last = {0};
    bool whole = false; // has been counted
    TRY(link_words(learner, pair, error));
    const uint32_t first = first_word(&learner->words[0]);
    for (size_t word = 0; word < learner->words[1].count; word++) {
        const Reach unit = learner->reaches[1][word];
        if (unit.begin == unit.end || (unit.begin == last.begin && unit.end == last.end)) continue;
        if (!is_unit(&learner->words[0], unit)) continue;
        Reach run = {UINT32_MAX, 0};
        for (uint32_t i = unit.begin; i < unit.end; i++) {
            const Reach own = learner->reaches[0][i];
            if (own.begin == own.end) continue;
            if (own.begin < run.begin) run.begin = own.begin;
            if (own.end > run.end) run.end = own.end;
        }
        if (!is_translation(learner, unit, run)) continue;
        last = unit;
        whole |= unit.begin == first && unit.end == learner->words[0].count;
        TRY(count_unit(learner, unit, run, error));
    }
    return count_whole(learner, pair, whole, error);
}

// Counts a unit, if it is kept.
static Status count_kept(Learner *learner, Run unit, Error *error)
{
    Bytes *key = &learner->key;
    if (unit.count > MAX_UNIT_TOKENS) return STATUS_OK;
    bytes_clear(key);
    TRY(key_append(key, unit, error));
    StringMapEntry *entry = string_map_find(&learner->units, bytes_text(key), key->length);
    if (entry) entry->value++;
    return STATUS_OK;
}

// Counts a word of several tokens in lower case, of which the lexicon says that training has it.
static Status count_word(Learner *learner, Run word, Error *error)
{
    if (word.count < 2 || word.count > MAX_UNIT_TOKENS ||
        !utf8_is_lower(initial_of(learner, *word.tokens)))
        return STATUS_OK;
    bytes_clear(&learner->key);
    TRY(key_append(&learner->key, word, error));
    return count_key(&learner->small, &learner->key, error);
}

// Counts how often the units that are kept occur in the source of a pair.
static Status count_units(Learner *learner, const TokenPair *pair, Error *error)
{
    Words *words = &learner->words[0];
    TRY(cut(words, pair->source, pair->source_length - 1, error));
    if (is_short(words)) {
        const Reach whole = {first_word(words), (uint32_t)words->count};
        const Run name = {words->tokens + words->begins[whole.begin],
                          words->begins[whole.end] - words->begins[whole.begin]};
        TRY(count_kept(learner, (Run){pair->source, pair->source_length}, error));
        // that of a name of several words alone: sentences have it as often as its parts
        if (is_long_name(learner, whole)) TRY(count_kept(learner, name, error));
    }
    for (uint32_t begin = first_word(words); begin < words->count; begin++)
        for (uint32_t end = begin + 1; end <= words->count && end - begin <= MAX_UNIT_WORDS;
             end++) {
            const Reach reach = {begin, end};
            Run unit;
            if (!is_unit(words, reach)) continue;
            TRY(run_of(learner, 0, reach, &unit, error));
            TRY(count_kept(learner, unit, error));
            if (end == begin + 1) TRY(count_word(learner, unit, error));
        }
    return STATUS_OK;
}

static Status visit(Learner *learner, Status (*count)(Learner *, const TokenPair *, Error *),
                    Error *error)
{
    for (size_t i = 0; i < learner->corpus->count; i++) {
        TokenPair pair = {0};
        TRY(token_corpus_view(learner->corpus, &learner->window, &pair, i, error));
        TRY(count(learner, &pair, error));
    }
    return STATUS_OK;
}

// The bytes of a key that are of the unit. Each key is an allocation of its own, and so aligned.
static size_t unit_bytes(const StringMapEntry *pair)
{
    return (*(const uint16_t *)(const void *)pair->key + 1u) * sizeof(uint16_t);
}

// Keeps the units of pairs that occur `least` times or more.
static Status keep_units(Learner *learner, int64_t least, Error *error)
{
    string_map_free(&learner->units);
    learner->units = (StringMap){0};
    for (size_t i = 0; i < learner->pairs.count; i++) {
        const StringMapEntry *pair = &learner->pairs.entries[i];
        if (pair->value >= least &&
            !string_map_put(&learner->units, pair->key, unit_bytes(pair), 0, NULL))
            return error_memory(error, pair->length, "a lexicon");
    }
    return STATUS_OK;
}

// A unit with a translation, of the share p of its occurrences.
typedef struct LexiconPair {
    const uint16_t *unit, *translation; // each after how many tokens it has
    double p;
    bool is_text;  // first of a unit: a text is translated so, too
    bool is_other; // first of a text: a unit is translated so, and says it
} LexiconPair;

static int compare_runs(const uint16_t *a, const uint16_t *b)
{
    for (size_t i = 1; i <= a[0] && i <= b[0]; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return a[0] < b[0] ? -1 : a[0] > b[0];
}

// By unit, the likeliest first.
static int compare_pairs(const void *a, const void *b)
{
    const LexiconPair *x = a, *y = b;
    const int order = compare_runs(x->unit, y->unit);
    if (order != 0) return order;
    if (x->p != y->p) return x->p > y->p ? -1 : 1;
    return compare_runs(x->translation, y->translation);
}

// The pairs that are likely enough, in order.
static Status choose_pairs(LexiconPair **chosen, size_t *count, const Learner *learner,
                           int64_t least, Error *error)
{
    size_t capacity = 0;
    for (size_t i = 0; i < learner->pairs.count; i++) {
        const StringMapEntry *pair = &learner->pairs.entries[i];
        const size_t bytes = unit_bytes(pair);
        if (pair->value < least) continue;
        const StringMapEntry *unit = string_map_find(&learner->units, pair->key, bytes);
        // several target words may have the same unit and translation
        const double p = fmin(1, (double)pair->value / ((double)unit->value + 1));
        if (p < LEXICON_LEAST) continue;
        const uint16_t *tokens = (const void *)pair->key;
        TRY(array_add(chosen, count, &capacity, "a lexicon", error,
                      (LexiconPair){tokens, tokens + bytes / sizeof *tokens, p, false, false}));
    }
    if (*count > 0) qsort(*chosen, *count, sizeof **chosen, compare_pairs);
    return STATUS_OK;
}

// Adds the words that have no pair, without a translation.
static Status add_words(LexiconPair **pairs, size_t *count, const Learner *learner, Error *error)
{
    static const uint16_t nothing[1] = {0};
    const size_t found = *count;
    size_t place, capacity = found;
    for (size_t i = 0; i < learner->small.count; i++) {
        const StringMapEntry *word = &learner->small.entries[i];
        const uint16_t *unit = (const void *)word->key;
        array_search(place, 0, found, compare_runs((*pairs)[place].unit, unit) < 0);
        if (word->value < 2 || (place < found && compare_runs((*pairs)[place].unit, unit) == 0))
            continue;
        TRY(array_add(pairs, count, &capacity, "a lexicon", error,
                      (LexiconPair){unit, nothing, 0, false, false}));
    }
    if (*count > found) qsort(*pairs, *count, sizeof **pairs, compare_pairs);
    return STATUS_OK;
}

// Sets the text of a run, in lower case or as it is.
static Status spell(Bytes *text, const Learner *learner, size_t side, const uint16_t *run,
                    bool lower, Error *error)
{
    FREED_BY(bytes_free) Bytes written = {0};
    int32_t tokens[MAX_UNIT_TOKENS];
    for (size_t i = 0; i < run[0]; i++) tokens[i] = run[i + 1];
    bytes_clear(text);
    TRY(vocabulary_decode(learner->vocabularies[side], tokens, run[0], &written, error));
    return lower ? utf8_append_lowercase(text, bytes_text(&written), written.length, error)
                 : bytes_append(text, bytes_text(&written), written.length, error);
}

// Sets *found to the first pair of a unit with this text, its likeliest translation; NULL if there is none.
static Status find_text(LexiconPair **found, const Learner *learner, const Bytes *text,
                        LexiconPair *pairs, size_t count, Error *error)
{
    FREED_BY(subwords_free) Subwords subwords = {0};
    uint16_t unit[MAX_UNIT_TOKENS + 1];
    size_t place;
    const bool spaced = !utf8_is_unspaced(utf8_at(bytes_text(text), text->length, 0));
    *found = NULL;
    TRY(vocabulary_encode_part(learner->vocabularies[0], bytes_text(text), text->length, spaced,
                               &subwords, error));
    if (subwords.count > MAX_UNIT_TOKENS) return STATUS_OK;
    *unit = (uint16_t)subwords.count;
    for (size_t i = 0; i < subwords.count; i++) unit[i + 1] = (uint16_t)subwords.ids[i];
    array_search(place, 0, count, compare_runs(pairs[place].unit, unit) < 0);
    if (place < count && compare_runs(pairs[place].unit, unit) == 0) *found = &pairs[place];
    return STATUS_OK;
}

/* Marks the texts that are translated like the unit of the same spelling, in any case if the source has
 * none, and these units. */
static Status mark_texts(LexiconPair *pairs, size_t count, const Learner *learner, Error *error)
{
    FREED_BY(bytes_free) Bytes text = {0}, said = {0}, other = {0};
    for (size_t i = 0; i < count; i++) {
        const uint16_t *unit = pairs[i].unit;
        LexiconPair *same;
        if (unit[*unit] != TOKEN_EOS || (i > 0 && compare_runs(pairs[i - 1].unit, unit) == 0))
            continue;
        TRY(spell(&text, learner, 0, unit, false, error));
        TRY(find_text(&same, learner, &text, pairs, count, error));
        if (!same) continue;
        const bool lower = utf8_is_unspaced(utf8_at(bytes_text(&text), text.length, 0));
        TRY(spell(&said, learner, 1, pairs[i].translation, lower, error));
        TRY(spell(&other, learner, 1, same->translation, lower, error));
        pairs[i].is_other = text_view_equal(bytes_view(&said), bytes_view(&other));
        same->is_text |= pairs[i].is_other;
    }
    return STATUS_OK;
}

static size_t append_run(uint16_t *units, const uint16_t *run, size_t value)
{
    units[0] = (uint16_t)(run[0] + (value << 8));
    memcpy(units + 1, run + 1, run[0] * sizeof *run);
    return run[0] + 1u;
}

// Lays the pairs out as model/lexicon.h says, without texts that a unit is.
static Status lay_out(Lexicon *lexicon, const LexiconPair *pairs, size_t count, Error *error)
{
    uint16_t *units;
    TRY(array_new(&units, count * 2 * (MAX_UNIT_TOKENS + 1), "a lexicon", error));
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && compare_runs(pairs[i].unit, pairs[end].unit) == 0;) end++;
        if (pairs[i].is_other) continue;
        size_t entries = *pairs[i].translation > 0;
        while (entries > 0 && entries < LEXICON_ENTRIES && entries < end - i &&
               pairs[i + entries].p >= LEXICON_LEAST_OTHER)
            entries++;
        uint16_t *head = units + lexicon->size;
        lexicon->size += append_run(head, pairs[i].unit, entries);
        if (pairs[i].is_text) *head |= UNIT_IS_TEXT;
        for (size_t entry = i; entry < i + entries; entry++)
            lexicon->size += append_run(units + lexicon->size, pairs[entry].translation,
                                        (size_t)(pairs[entry].p * UINT8_MAX + 0.5));
        lexicon->count++;
    }
    lexicon->units = lexicon->owned[1] = units;
    return STATUS_OK;
}

static Status learn(Lexicon *lexicon, Learner *learner, Error *error)
{
    int64_t least = 1;
    FREED LexiconPair *pairs = NULL;
    size_t count = 0;
    TRY(visit(learner, count_pairs, error));
    do {
        TRY(keep_units(learner, ++least, error));
    } while (learner->units.count > MAX_LEXICON_UNITS);
    if (learner->units.count == 0) return STATUS_OK;
    TRY(visit(learner, count_units, error));
    TRY(choose_pairs(&pairs, &count, learner, least, error));
    TRY(add_words(&pairs, &count, learner, error));
    TRY(mark_texts(pairs, count, learner, error));
    TRY(lay_out(lexicon, pairs, count, error));
    lexicon->edges = lexicon->owned[0] = memory_take(&learner->edges[0]);
    return STATUS_OK;
}

static void learner_free(Learner *learner)
{
    for (size_t side = 0; side < 2; side++) {
        memory_free(learner->edges[side]);
        memory_free(learner->words[side].begins);
        memory_free(learner->words[side].of);
        memory_free(learner->reaches[side]);
        subwords_free(&learner->subwords[side]);
    }
    memory_free(learner->shares);
    string_map_free(&learner->pairs);
    string_map_free(&learner->units);
    string_map_free(&learner->small);
    bytes_free(&learner->key);
    bytes_free(&learner->text);
    store_window_free(&learner->window);
}

Status lexicon_learn(Lexicon *lexicon, const TokenCorpus *corpus,
                     const Vocabulary *const vocabularies[2], Error *error)
{
    FREED_BY(learner_free) Learner learner = {.corpus = corpus, .vocabularies = vocabularies};
    *lexicon = (Lexicon){0};
    for (size_t side = 0; side < 2; side++) {
        if (vocabulary_size(vocabularies[side]) > MAX_LEXICON_TOKENS) return STATUS_OK;
        TRY(set_edges(&learner.edges[side], vocabularies[side], error));
        learner.words[side].edges = learner.edges[side];
    }
    return learn(lexicon, &learner, error);
}
