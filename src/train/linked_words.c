#include "train/linked_words.h"

#include "base/array.h"

// A word is linked to another with this share of the weights of a token's links, at least.
static const double LINKED = 0.25;

Status words_cut(Words *words, const int32_t *tokens, size_t length, Error *error)
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

bool words_are_few(const Words *words, Span range)
{
    return span_length(range) <= MAX_UNIT_WORDS && words_run(words, range).count <= MAX_UNIT_TOKENS;
}

bool words_are_unit(const Words *words, Span range)
{
    const TokenRun run = words_run(words, range);
    uint8_t edges = 0;
    if (!words_are_few(words, range)) return false;
    for (size_t i = 0; i < run.count; i++) {
        const uint8_t own = words->edges[run.tokens[i]];
        if (i > 0 && (own & EDGE_SPACE)) return false;
        edges |= own;
    }
    return edges & EDGE_WORD;
}

bool words_are_short(const Words *words)
{
    const uint32_t count = words->begins[words->count];
    if (count == 0 || count >= MAX_UNIT_TOKENS) return false;
    const TokenRun run = words_run(words, words_whole(words));
    return words->edges[run.tokens[0]] & words->edges[run.tokens[run.count - 1]] & EDGE_WORD;
}

// Links the word of a target token to those that have a good share of its links' weights.
static void link_token(LinkedWords *words, const SubwordLink *links, size_t count)
{
    const uint32_t *of = words->sides[0].of;
    const uint32_t target = words->sides[1].of[links->target];
    const size_t first = words_whole(&words->sides[0]).begin;
    double total = 0;
    if (target < words_whole(&words->sides[1]).begin) return;
    for (size_t i = 0; i < count; i++) words->shares[of[links[i].source]] = 0;
    for (size_t i = 0; i < count; i++) {
        words->shares[of[links[i].source]] += links[i].weight;
        total += links[i].weight;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t source = of[links[i].source];
        if (source < first || words->shares[source] < LINKED * total) continue;
        span_extend(&words->linked[0][source], (Span){target, target + 1});
        span_extend(&words->linked[1][target], (Span){source, source + 1});
    }
}

Status linked_words_set(LinkedWords *words, const TokenPair *pair, Error *error)
{
    // both sides without their </s>
    TRY(words_cut(&words->sides[0], pair->source, pair->source_length - 1, error));
    TRY(words_cut(&words->sides[1], pair->target, pair->target_length - 1, error));
    for (size_t side = 0; side < 2; side++) {
        const size_t count = words->sides[side].count;
        TRY(array_reserve(&words->linked[side], &words->capacities[side], count, "a lexicon",
                          error));
        if (count > 0) memset(words->linked[side], 0, count * sizeof *words->linked[side]);
    }
    TRY(array_reserve(&words->shares, &words->share_capacity, words->sides[0].count, "a lexicon",
                      error));
    for (size_t i = 0, end; i < pair->link_count; i = end) {
        for (end = i + 1;
             end < pair->link_count && pair->links[end].target == pair->links[i].target;)
            end++;
        link_token(words, pair->links + i, end - i);
    }
    return STATUS_OK;
}

bool linked_words_translation(const LinkedWords *words, Span unit, Span *run)
{
    *run = (Span){0};
    for (size_t i = unit.begin; i < unit.end; i++) span_extend(run, words->linked[0][i]);
    if (!words_are_few(&words->sides[1], *run)) return false;
    for (size_t i = run->begin; i < run->end; i++) {
        const Span back = words->linked[1][i];
        if (back.end > 0 && (back.begin < unit.begin || back.end > unit.end)) return false;
    }
    return true;
}

void linked_words_free(LinkedWords *words)
{
    for (size_t side = 0; side < 2; side++) {
        memory_free(words->sides[side].begins);
        memory_free(words->sides[side].of);
        memory_free(words->linked[side]);
    }
    memory_free(words->shares);
}
