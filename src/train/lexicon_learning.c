#include "train/lexicon_learning.h"

#include "base/memory.h"
#include "base/string_map.h"
#include "text/utf8.h"
#include "train/lexicon_pairs.h"
#include "train/linked_words.h"
#include "train/token_edges.h"

#include <math.h>

typedef struct Learner {
    const TokenCorpus *corpus;
    const Vocabulary *const *vocabularies; // of source and target
    StoreWindow window;
    uint8_t *edges[2];
    LinkedWords words;
    StringMap pairs; // unit and translation, as written runs: c(x, y)
    StringMap units; // c(x) of those that are kept
    StringMap small; // c(x) of words in lower case that are several tokens
    Bytes text;
    Subwords subwords[2];
} Learner;

// Whether words of the source are a name of several, of which the first and last have capitals.
static bool is_long_name(const Learner *learner, Span range)
{
    const Words *words = &learner->words.sides[0];
    const int32_t first = words->tokens[words->begins[range.begin]];
    const int32_t last = words->tokens[words->begins[range.end - 1]];
    return span_length(range) > 1 && words_are_few(words, range) &&
           (words->edges[last] & EDGE_SPACE) &&
           utf8_is_upper(token_initial(learner->vocabularies[0], first)) &&
           utf8_is_upper(token_initial(learner->vocabularies[0], last));
}

/* Sets the tokens that words have inside a text: in a script without spaces, the first ones of a text
 * have a space before them that they have nowhere else. Of each side, valid until the next call. */
static Status run_of(Learner *learner, size_t side, Span range, TokenRun *run, Error *error)
{
    const Words *words = &learner->words.sides[side];
    const Vocabulary *vocabulary = learner->vocabularies[side];
    Subwords *subwords = &learner->subwords[side];
    Bytes *text = &learner->text;
    *run = words_run(words, range);
    if (range.begin > 0 || run->count == 0 || !(words->edges[*run->tokens] & EDGE_SPACE))
        return STATUS_OK;
    bytes_clear(text);
    TRY(vocabulary_decode(vocabulary, run->tokens, run->count, text, error));
    if (!utf8_is_unspaced(utf8_at(bytes_text(text), text->length, 0))) return STATUS_OK;
    TRY(vocabulary_encode_part(vocabulary, bytes_text(text), text->length, false, subwords, error));
    *run = (TokenRun){subwords->ids, subwords->count};
    return STATUS_OK;
}

static Status count_key(StringMap *map, const uint16_t *key, size_t length, Error *error)
{
    const size_t bytes = length * sizeof *key;
    StringMapEntry *entry = string_map_put(map, (const char *)key, bytes, 0, NULL);
    if (!entry) return error_memory(error, bytes, "a lexicon");
    entry->value++;
    return STATUS_OK;
}

static Status count_pair(Learner *learner, TokenRun unit, TokenRun translation, Error *error)
{
    uint16_t key[2 * MAX_WRITTEN_RUN];
    if (unit.count > MAX_UNIT_TOKENS || translation.count > MAX_UNIT_TOKENS) return STATUS_OK;
    size_t length = run_write(key, unit.tokens, unit.count);
    length += run_write(key + length, translation.tokens, translation.count);
    return count_key(&learner->pairs, key, length, error);
}

// Whether a target word is a quotation mark, a bracket or the mark between the parts of a name in Han.
static bool is_mark(const Learner *learner, size_t word)
{
    const Words *words = &learner->words.sides[1];
    const uint32_t c = token_initial(learner->vocabularies[1], words->tokens[words->begins[word]]);
    return utf8_is_among(c, "·“”\"«»()（）《》「」");
}

// A translation without marks before and behind it: Smith is 史密斯, not ·史密斯.
static Span without_marks(const Learner *learner, Span range)
{
    while (span_length(range) > 1 && is_mark(learner, range.begin)) range.begin++;
    while (span_length(range) > 1 && is_mark(learner, range.end - 1)) range.end--;
    return range;
}

static Status count_unit(Learner *learner, Span range, Span other, Error *error)
{
    TokenRun unit, translation;
    TRY(run_of(learner, 0, range, &unit, error));
    TRY(run_of(learner, 1, without_marks(learner, other), &translation, error));
    return count_pair(learner, unit, translation, error);
}

// Counts the whole of a short pair: as a unit, unless it has been counted as one, and as a text.
static Status count_whole(Learner *learner, const TokenPair *pair, bool counted, Error *error)
{
    const Words *source = &learner->words.sides[0], *target = &learner->words.sides[1];
    const Span whole = words_whole(source);
    if (!words_are_short(source) || pair->link_count == 0 ||
        pair->target_length - 1 > MAX_UNIT_TOKENS)
        return STATUS_OK;
    if (!counted && (words_are_unit(source, whole) || is_long_name(learner, whole)) &&
        target->count <= MAX_UNIT_WORDS)
        TRY(count_unit(learner, whole, (Span){0, target->count}, error));
    return count_pair(learner, (TokenRun){pair->source, pair->source_length},
                      (TokenRun){pair->target, pair->target_length - 1}, error);
}

static bool is_same(Span a, Span b)
{
    return a.begin == b.begin && a.end == b.end;
}

// Counts the units of a pair with their translations.
static Status count_pairs(Learner *learner, const TokenPair *pair, Error *error)
{
    LinkedWords *words = &learner->words;
    Span last = {0}, translation;
    bool counted = false; // the whole
    TRY(linked_words_set(words, pair, error));
    const Span whole = words_whole(&words->sides[0]);
    for (size_t word = 0; word < words->sides[1].count; word++) {
        const Span unit = words->linked[1][word];
        if (unit.end == 0 || is_same(unit, last)) continue;
        if (!words_are_unit(&words->sides[0], unit)) continue;
        if (!linked_words_translation(words, unit, &translation)) continue;
        last = unit;
        counted |= is_same(unit, whole);
        TRY(count_unit(learner, unit, translation, error));
    }
    return count_whole(learner, pair, counted, error);
}

// Counts a unit, if it is kept.
static void count_kept(Learner *learner, TokenRun unit)
{
    uint16_t key[MAX_WRITTEN_RUN];
    if (unit.count > MAX_UNIT_TOKENS) return;
    const size_t bytes = run_write(key, unit.tokens, unit.count) * sizeof *key;
    StringMapEntry *entry = string_map_find(&learner->units, (const char *)key, bytes);
    if (entry) entry->value++;
}

// Counts a word of several tokens in lower case, of which the lexicon says that training has it.
static Status count_word(Learner *learner, TokenRun word, Error *error)
{
    uint16_t key[MAX_WRITTEN_RUN];
    if (word.count < 2 || word.count > MAX_UNIT_TOKENS ||
        !utf8_is_lower(token_initial(learner->vocabularies[0], *word.tokens)))
        return STATUS_OK;
    return count_key(&learner->small, key, run_write(key, word.tokens, word.count), error);
}

// Counts how often the units that are kept occur in the source of a pair.
static Status count_units(Learner *learner, const TokenPair *pair, Error *error)
{
    Words *words = &learner->words.sides[0];
    TRY(words_cut(words, pair->source, pair->source_length - 1, error));
    const Span whole = words_whole(words);
    if (words_are_short(words)) {
        count_kept(learner, (TokenRun){pair->source, pair->source_length});
        // that of a name of several words alone: sentences have it as often as its parts
        if (is_long_name(learner, whole)) count_kept(learner, words_run(words, whole));
    }
    for (size_t begin = whole.begin; begin < whole.end; begin++)
        for (size_t end = begin + 1; end <= whole.end && end - begin <= MAX_UNIT_WORDS; end++) {
            const Span range = {begin, end};
            TokenRun unit;
            if (!words_are_unit(words, range)) continue;
            TRY(run_of(learner, 0, range, &unit, error));
            count_kept(learner, unit);
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

// The numbers of a key. Each is an allocation of its own, and so aligned.
static const uint16_t *key_of(const StringMapEntry *entry)
{
    return (const void *)entry->key;
}

// The bytes of a pair's key that are of the unit.
static size_t unit_bytes(const StringMapEntry *pair)
{
    return (*key_of(pair) + 1u) * sizeof(uint16_t);
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

// Adds the pairs that occur often enough, and the words in lower case.
static Status choose_pairs(LexiconPairs *chosen, const Learner *learner, int64_t least,
                           Error *error)
{
    static const uint16_t nothing[1] = {0};
    for (size_t i = 0; i < learner->pairs.count; i++) {
        const StringMapEntry *pair = &learner->pairs.entries[i];
        const size_t bytes = unit_bytes(pair);
        if (pair->value < least) continue;
        const StringMapEntry *unit = string_map_find(&learner->units, pair->key, bytes);
        // several target words may have the same unit and translation
        const double p = fmin(1, (double)pair->value / ((double)unit->value + 1));
        const uint16_t *translation = key_of(pair) + bytes / sizeof(uint16_t);
        TRY(lexicon_pairs_add(chosen, key_of(pair), translation, p, error));
    }
    for (size_t i = 0; i < learner->small.count; i++) {
        const StringMapEntry *word = &learner->small.entries[i];
        if (word->value > 1) TRY(lexicon_pairs_add(chosen, key_of(word), nothing, 0, error));
    }
    return STATUS_OK;
}

static Status learn(Lexicon *lexicon, Learner *learner, Error *error)
{
    int64_t least = 1;
    FREED_BY(lexicon_pairs_free) LexiconPairs pairs = {0};
    TRY(visit(learner, count_pairs, error));
    do {
        TRY(keep_units(learner, ++least, error));
    } while (learner->units.count > MAX_LEXICON_UNITS);
    if (learner->units.count == 0) return STATUS_OK;
    TRY(visit(learner, count_units, error));
    TRY(choose_pairs(&pairs, learner, least, error));
    TRY(lexicon_pairs_lay_out(&pairs, lexicon, learner->vocabularies, error));
    lexicon->edges = lexicon->owned[0] = memory_take(&learner->edges[0]);
    return STATUS_OK;
}

static void learner_free(Learner *learner)
{
    for (size_t side = 0; side < 2; side++) {
        memory_free(learner->edges[side]);
        subwords_free(&learner->subwords[side]);
    }
    linked_words_free(&learner->words);
    string_map_free(&learner->pairs);
    string_map_free(&learner->units);
    string_map_free(&learner->small);
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
        TRY(token_edges_new(&learner.edges[side], vocabularies[side], error));
        learner.words.sides[side].edges = learner.edges[side];
    }
    return learn(lexicon, &learner, error);
}
