#include "align/senses.h"

#include "align/aligner_tokens.h"
#include "text/utf8.h"

#include <string.h>

static const double LEAST_LINKS = 2, LEAST_SHARE = 0.03;

// The only word among the tokens of a text; false if there is another or none.
static bool only_word(TextView *word, const AlignerTokens *tokens)
{
    size_t words = 0;
    for (size_t i = 0; i < tokens->places.count; i++) {
        if (aligner_tokens_is_mark(tokens, i)) continue;
        *word = aligner_tokens_spelling(tokens, i);
        words++;
    }
    return words == 1 && utf8_has(word->data, word->length, utf8_is_letter);
}

// By share, then by spelling, so that the order is the same everywhere.
static bool is_before(const Sense *a, const Sense *b)
{
    if (a->share > b->share || a->share < b->share) return a->share > b->share;
    size_t shorter = a->word.length < b->word.length ? a->word.length : b->word.length;
    int order = memcmp(a->word.data, b->word.data, shorter);
    return order ? order < 0 : a->word.length < b->word.length;
}

static size_t insert(Sense senses[MAX_SENSES], size_t count, Sense sense)
{
    size_t place = count;
    while (place > 0 && is_before(&sense, &senses[place - 1])) place--;
    if (place == MAX_SENSES) return count;
    if (count < MAX_SENSES) count++;
    for (size_t i = count - 1; i > place; i--) senses[i] = senses[i - 1];
    senses[place] = sense;
    return count;
}

// The senses of source type x.
static size_t list_senses(Sense senses[MAX_SENSES], const Aligner *aligner, uint32_t x)
{
    const AlignerTable *table = &aligner->table;
    const AlignerVocabulary *targets = &aligner->vocabularies[1];
    size_t count = 0, begin = table->begins[x], end = begin + table->rows[x];
    double all = 0;
    for (size_t i = begin; i < end; i++) all += (double)table->links[i];
    for (size_t i = begin; i < end; i++) {
        uint32_t y = table->columns[i];
        const StringMapEntry *type = &targets->types.entries[y];
        double links = (double)table->links[i];
        if (links < LEAST_LINKS || links < LEAST_SHARE * all || targets->classes[y].han) continue;
        if (!utf8_has(type->key, type->length, utf8_is_letter)) continue;
        count = insert(senses, count, (Sense){{type->key, type->length}, links / all});
    }
    return count;
}

Status senses_find(Sense senses[MAX_SENSES], size_t *count, const Aligner *aligner, TextView text,
                   Error *error)
{
    AlignerTokens tokens = {0};
    TextView word;
    *count = 0;
    TRY(aligner_tokens_set(&tokens, text.data, text.length, error));
    if (only_word(&word, &tokens)) {
        AlignerWord found = aligner_vocabulary_find(&aligner->vocabularies[0], word);
        if (found.type != ALIGNER_UNKNOWN && !found.class.han)
            *count = list_senses(senses, aligner, found.type);
    }
    aligner_tokens_free(&tokens);
    return STATUS_OK;
}
