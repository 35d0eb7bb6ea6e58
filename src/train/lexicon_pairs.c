#include "train/lexicon_pairs.h"

#include "base/array.h"
#include "text/special_tokens.h"
#include "text/utf8.h"

#include <stdlib.h>

size_t run_write(uint16_t *written, const int32_t *tokens, size_t count)
{
    *written++ = (uint16_t)count;
    for (size_t i = 0; i < count; i++) *written++ = (uint16_t)tokens[i];
    return count + 1;
}

static int compare_runs(const uint16_t *a, const uint16_t *b)
{
    return lexicon_compare(a, b + 1, *b);
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

Status lexicon_pairs_add(LexiconPairs *pairs, const uint16_t *unit, const uint16_t *translation,
                         double p, Error *error)
{
    if (*translation > 0 && p < LEXICON_LEAST) return STATUS_OK;
    return array_add(&pairs->items, &pairs->count, &pairs->capacity, "a lexicon", error,
                     (LexiconPair){unit, translation, p, false, false});
}

void lexicon_pairs_free(LexiconPairs *pairs)
{
    memory_free(pairs->items);
}

// Sets the text of a run, in lower case or as it is.
static Status spell(Bytes *text, const Vocabulary *vocabulary, const uint16_t *run, bool lower,
                    Error *error)
{
    FREED_BY(bytes_free) Bytes written = {0};
    int32_t tokens[MAX_UNIT_TOKENS];
    for (size_t i = 0; i < run[0]; i++) tokens[i] = run[i + 1];
    bytes_clear(text);
    TRY(vocabulary_decode(vocabulary, tokens, run[0], &written, error));
    return lower ? utf8_append_lowercase(text, bytes_text(&written), written.length, error)
                 : bytes_append(text, bytes_text(&written), written.length, error);
}

// Sets *found to the first pair of the unit with this text, its likeliest translation; NULL if there is none.
static Status find_text(LexiconPair **found, const LexiconPairs *pairs,
                        const Vocabulary *vocabulary, const Bytes *text, bool spaced, Error *error)
{
    FREED_BY(subwords_free) Subwords subwords = {0};
    uint16_t unit[MAX_WRITTEN_RUN];
    size_t place;
    *found = NULL;
    TRY(vocabulary_encode_part(vocabulary, bytes_text(text), text->length, spaced, &subwords,
                               error));
    if (subwords.count > MAX_UNIT_TOKENS) return STATUS_OK;
    run_write(unit, subwords.ids, subwords.count);
    array_search(place, 0, pairs->count, compare_runs(pairs->items[place].unit, unit) < 0);
    if (place < pairs->count && compare_runs(pairs->items[place].unit, unit) == 0)
        *found = &pairs->items[place];
    return STATUS_OK;
}

/* Marks the texts that are translated like the unit of the same spelling, in any case if the source has
 * none, and these units. */
static Status mark_texts(LexiconPairs *pairs, const Vocabulary *const vocabularies[2], Error *error)
{
    FREED_BY(bytes_free) Bytes text = {0}, said = {0}, other = {0};
    for (size_t i = 0; i < pairs->count; i++) {
        LexiconPair *pair = &pairs->items[i], *same;
        const uint16_t *unit = pair->unit;
        if (unit[*unit] != TOKEN_EOS || (i > 0 && compare_runs(pair[-1].unit, unit) == 0)) continue;
        TRY(spell(&text, vocabularies[0], unit, false, error));
        const bool unspaced = utf8_is_unspaced(utf8_at(bytes_text(&text), text.length, 0));
        TRY(find_text(&same, pairs, vocabularies[0], &text, !unspaced, error));
        if (!same) continue;
        TRY(spell(&said, vocabularies[1], pair->translation, unspaced, error));
        TRY(spell(&other, vocabularies[1], same->translation, unspaced, error));
        pair->is_other = text_view_equal(bytes_view(&said), bytes_view(&other));
        same->is_text |= pair->is_other;
    }
    return STATUS_OK;
}

// Appends a run, whose head has a value, too.
static void append_run(Lexicon *lexicon, uint16_t *units, const uint16_t *run, size_t value)
{
    memcpy(units + lexicon->size, run, (run[0] + 1u) * sizeof *run);
    units[lexicon->size] = (uint16_t)(run[0] + (value << 8));
    lexicon->size += run[0] + 1u;
}

// Appends a unit with the likeliest of its `count` translations.
static void append_unit(Lexicon *lexicon, uint16_t *units, const LexiconPair *pairs, size_t count)
{
    uint16_t *head = units + lexicon->size;
    size_t entries = *pairs->translation > 0;
    while (entries > 0 && entries < LEXICON_ENTRIES && entries < count &&
           pairs[entries].p >= LEXICON_LEAST_OTHER)
        entries++;
    append_run(lexicon, units, pairs->unit, entries);
    if (pairs->is_text) *head |= UNIT_IS_TEXT;
    for (size_t i = 0; i < entries; i++)
        append_run(lexicon, units, pairs[i].translation, (size_t)(pairs[i].p * UINT8_MAX + 0.5));
    lexicon->count++;
}

Status lexicon_pairs_lay_out(LexiconPairs *pairs, Lexicon *lexicon,
                             const Vocabulary *const vocabularies[2], Error *error)
{
    const LexiconPair *items = pairs->items;
    uint16_t *units;
    size_t most = 0;
    if (pairs->count > 0) qsort(pairs->items, pairs->count, sizeof *items, compare_pairs);
    TRY(mark_texts(pairs, vocabularies, error));
    for (size_t i = 0; i < pairs->count; i++) most += *items[i].unit + *items[i].translation + 2u;
    TRY(array_new(&units, most, "a lexicon", error));
    for (size_t i = 0, end; i < pairs->count; i = end) {
        for (end = i + 1; end < pairs->count && compare_runs(items[i].unit, items[end].unit) == 0;)
            end++;
        if (!items[i].is_other) append_unit(lexicon, units, items + i, end - i);
    }
    lexicon->units = lexicon->owned[1] = units;
    return STATUS_OK;
}
