/* How a vocabulary grows, for the learner and the JSON reader; all others use text/vocabulary.h. */
#pragma once

#include "base/string_map.h"
#include "text/bpe_merge.h"
#include "text/vocabulary.h"

/* The alphabet begins with the space, so that a lone space has a subword. A subword has at most
 * MAX_SUBWORD bytes; otherwise a few dozen merges in a hostile file could double a subword until
 * memory runs out. */
enum { TOKEN_SPACE = TOKEN_FIRST, MAX_SUBWORD = 256 };

struct Vocabulary {
    StringMap spellings; // printable spelling → id; entry i is subword i
    Bytes text;          // the bytes of all subwords in order
    size_t *begins;      // (spellings.count + 1) where each subword begins in `text`
    size_t begins_capacity;
    size_t alphabet_count;
    MergeRules rules; // the merges in the order learned
};

// A vocabulary of the special tokens, the 256 bytes and the space.
Status vocabulary_new(Vocabulary **vocabulary, Error *error);

/* Whether a character may be in the alphabet. Those that may not are spelt in bytes: control
 * characters, code points without a character, white space except U+0020, and U+2581, which stands
 * for the space in spellings. */
bool vocabulary_admits(uint32_t code_point);

// Adds a new, admitted character; only before the first merge.
Status vocabulary_add_character(Vocabulary *vocabulary, uint32_t code_point, Error *error);

/* The alphabet's subword for the character at `text`, of which `length` ≥ 1 bytes are left, or -1
 * if it is spelt in bytes; *taken is its length in bytes. */
int32_t vocabulary_character(const Vocabulary *vocabulary, const char *text, size_t length,
                             size_t *taken);

/* Why two subwords may not be merged, as a verb phrase, or NULL if they may. Special tokens and
 * bytes never merge, nor do pairs whose result would have an inner space, be longer than
 * MAX_SUBWORD, or be spelt like a special token or a byte. */
const char *vocabulary_merge_fault(const Vocabulary *vocabulary, int32_t left, int32_t right);

/* Adds a merge that has no fault; *result is the new subword, or the existing one with that
 * spelling. On failure the vocabulary can only be freed. */
Status vocabulary_add_merge(Vocabulary *vocabulary, int32_t left, int32_t right, int32_t *result,
                            Error *error);
