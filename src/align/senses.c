#include "align/senses.h"

#include "text/utf8.h"

static const double LEAST_LINKS = 2, LEAST_SHARE = 0.03;

// By share, then by spelling, so that the order is the same everywhere.
static bool is_before(const Sense *a, const Sense *b)
{
    if (a->share > b->share || a->share < b->share) return a->share > b->share;
    return strcmp(a->word, b->word) < 0;
}

void senses_insert(Sense *senses, size_t *count, size_t most, const Sense *sense)
{
    size_t place = *count;
    while (place > 0 && is_before(sense, &senses[place - 1])) place--;
    if (place == most) return;
    if (*count < most) ++*count;
    for (size_t i = *count - 1; i > place; i--) senses[i] = senses[i - 1];
    senses[place] = *sense;
}

// The links that all source types (count) have with the type of an entry of the first's row.
static double links_of_all(const AlignerTable *table, const uint32_t *types, size_t count,
                           size_t entry)
{
    double links = (double)table->links[entry];
    for (size_t k = 1; k < count; k++)
        links = fmin(links, aligner_table_links(table, types[k], table->columns[entry]));
    return links;
}

// Lists what the source types (count) stand for together.
static void list_senses(Senses *senses, const Aligner *aligner, const uint32_t *types, size_t count)
{
    const AlignerTable *table = &aligner->table;
    const AlignerVocabulary *targets = &aligner->vocabularies[1];
    const size_t begin = table->begins[*types], end = begin + table->rows[*types];
    double all = 0;
    for (size_t i = begin; i < end; i++) all += links_of_all(table, types, count, i);
    for (size_t i = begin; i < end; i++) {
        const uint32_t y = table->columns[i];
        const StringMapEntry *type = &targets->types.entries[y];
        double links = links_of_all(table, types, count, i);
        bool han = targets->classes[y].han;
        if (links < LEAST_LINKS || links < LEAST_SHARE * all ||
            type->length >= MAX_SENSE_BYTES / (han ? MAX_MADE_OF : 1) ||
            !utf8_has(type->key, type->length, utf8_is_letter))
            continue;
        Sense sense = {.share = han ? links : links / all};
        memcpy(sense.word, type->key, type->length);
        if (han)
            senses_insert(senses->characters, &senses->character_count, MAX_SENSE_CHARACTERS,
                          &sense);
        else
            senses_insert(senses->items, &senses->count, MAX_SENSES, &sense);
    }
}

Status word_types_set(WordTypes *out, const AlignerVocabulary *vocabulary, TextView text,
                      Error *error)
{
    FREED_BY(aligner_tokens_free) AlignerTokens tokens = {0};
    size_t words = 0;
    *out = (WordTypes){.count = 0};
    TRY(aligner_tokens_set(&tokens, text.data, text.length, error));
    for (size_t i = 0; i < tokens.places.count; i++) {
        if (aligner_tokens_is_mark(&tokens, i)) continue;
        const TextView spelling = aligner_tokens_spelling(&tokens, i);
        const AlignerWord word = aligner_vocabulary_find(vocabulary, spelling);
        size_t most = word.class.han ? MAX_HAN_WORD : 1;
        out->count = 0;
        if (++words > most || word.type == ALIGNER_UNKNOWN ||
            !utf8_has(spelling.data, spelling.length, utf8_is_letter))
            break;
        out->types[words - 1] = word.type;
        out->count = words;
    }
    return STATUS_OK;
}

Status senses_find(Senses *senses, const Aligner *aligner, TextView text, Error *error)
{
    WordTypes word;
    *senses = (Senses){.count = 0};
    TRY(word_types_set(&word, &aligner->vocabularies[0], text, error));
    if (word.count > 0) list_senses(senses, aligner, word.types, word.count);
    return STATUS_OK;
}
