// A lexicon of one word, in a vocabulary of both sides. Valid until the next is made.
#pragma once

#include "model/lexicon.h"
#include "support/suite.h"
#include "text/vocabulary.h"

static inline size_t word_lexicon_append(uint16_t *units, const Vocabulary *vocabulary,
                                         const char *text, size_t value)
{
    Subwords subwords = {0};
    assert_ok(vocabulary_encode(vocabulary, text, strlen(text), &subwords, NULL));
    const size_t count = subwords.count;
    ck_assert_uint_le(count, MAX_UNIT_TOKENS);
    units[0] = (uint16_t)(count + 256 * value);
    for (size_t i = 0; i < count; i++) units[i + 1] = (uint16_t)subwords.ids[i];
    subwords_free(&subwords);
    return count + 1;
}

static inline Lexicon word_lexicon(const Vocabulary *vocabulary, const char *word,
                                   const char *translation)
{
    static uint16_t units[2 * (MAX_UNIT_TOKENS + 1)];
    static uint32_t place;
    Lexicon lexicon = {.units = units, .places = &place, .count = 1};
    lexicon.size = word_lexicon_append(units, vocabulary, word, 1);
    lexicon.size += word_lexicon_append(units + lexicon.size, vocabulary, translation, UINT8_MAX);
    return lexicon;
}
