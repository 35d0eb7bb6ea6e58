/* The words of a training pair, and which of them are linked.
 *
 * Both sides are cut into words: runs of letters, of what is between them, and single Han tokens. A
 * unit is up to MAX_UNIT_WORDS source words without a space inside; with the target words that they
 * are linked to it is a consistent phrase pair (Och & Ney 2004, "The alignment template approach",
 * section 4.1), if none of these is linked to a source word outside. */
#pragma once

#include "corpus/token_corpus.h"
#include "model/lexicon.h"
#include "text/spans.h"

enum { MAX_UNIT_WORDS = 6 };

// A sentence cut into words. Start with the edges alone; valid as long as its tokens.
typedef struct Words {
    const uint8_t *edges; // (V) of the side's tokens; not owned
    const int32_t *tokens;
    uint32_t *begins; // (count + 1) tokens
    uint32_t *of;     // (tokens) words
    size_t count, capacity;
} Words;

typedef struct TokenRun {
    const int32_t *tokens; // (count)
    size_t count;
} TokenRun;

Status words_cut(Words *words, const int32_t *tokens, size_t length, Error *error);

static inline TokenRun words_run(const Words *words, Span range)
{
    const uint32_t begin = words->begins[range.begin];
    return (TokenRun){words->tokens + begin, words->begins[range.end] - begin};
}

// All words, without a first one that is only a space.
static inline Span words_whole(const Words *words)
{
    const bool space = words->count > 1 && words->edges[*words->tokens] == EDGE_SPACE;
    return (Span){space, words->count};
}

// Whether words are as few as a unit or its translation may have, by words and by tokens.
bool words_are_few(const Words *words, Span range);

// Whether they are a unit: few, one of them with a letter, and no space inside.
bool words_are_unit(const Words *words, Span range);

// Whether all words are a short text, whose first and last token have letters.
bool words_are_short(const Words *words);

// The words of source and target. Start with the edges of both, end with linked_words_free.
typedef struct LinkedWords {
    Words sides[2];
    Span *linked[2]; // of each word: of words of the other side, from the first to the last; or {0}
    size_t capacities[2];
    double *shares; // (source words) of the links of one target token
    size_t share_capacity;
} LinkedWords;

/* A word is linked to another with a good share of the weights of a token's links; a space that begins
 * a side is linked to nothing. */
Status linked_words_set(LinkedWords *words, const TokenPair *pair, Error *error);

/* Sets *run to the target words that those of a unit are linked to, from the first to the last; whether
 * the two are a consistent phrase pair. */
bool linked_words_translation(const LinkedWords *words, Span unit, Span *run);

void linked_words_free(LinkedWords *words);
