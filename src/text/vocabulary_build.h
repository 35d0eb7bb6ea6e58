/* How a vocabulary grows, for the learner and the reader of JSON only; everybody else sees
 * text/vocabulary.h. */
#ifndef REGARD_TEXT_VOCABULARY_BUILD_H
#define REGARD_TEXT_VOCABULARY_BUILD_H

#include "base/string_map.h"
#include "text/bpe_merge.h"
#include "text/vocabulary.h"

/* The alphabet's first character is always the space, so that a lone one has a subword. No subword is
 * longer than MAX_SUBWORD bytes: a few dozen merges read from a file could otherwise double a subword
 * until memory ends. */
enum { TOKEN_SPACE = TOKEN_FIRST, MAX_SUBWORD = 256 };

struct Vocabulary {
    StringMap spellings; // printable spelling → id; entry i is subword i
    Bytes text;          // what the subwords stand for, one after another
    size_t *begins;      // (spellings.count + 1) where each subword's bytes begin in `text`
    size_t begins_capacity;
    size_t alphabet_count;
    MergeRules rules; // the merges in the order learned
};

// The specials, the 256 bytes and the space; nothing else.
Status vocabulary_new(Vocabulary **vocabulary, Error *error);

/* Whether a character may be in the alphabet. Those that may not are always spelt in bytes: control
 * characters and code points without a character, white space (but for U+0020), and U+2581, which
 * spellings show for the space. */
bool vocabulary_admits(uint32_t code_point);

// Adds a character that is admitted and not there yet; only before the first merge.
Status vocabulary_add_character(Vocabulary *vocabulary, uint32_t code_point, Error *error);

/* The alphabet's subword for the character at `text`, of which `length` ≥ 1 bytes are left, or -1 if
 * it must be spelt in bytes; *taken is how many bytes it has. */
int32_t vocabulary_character(const Vocabulary *vocabulary, const char *text, size_t length,
                             size_t *taken);

/* Why two subwords may not be merged, as half a sentence, or NULL if they may. Specials and bytes
 * never merge, nor do pairs whose result would have a space inside, be longer than MAX_SUBWORD, or
 * be spelt like a special or a byte. */
const char *vocabulary_merge_fault(const Vocabulary *vocabulary, int32_t left, int32_t right);

/* Adds a merge without fault; *result is the new subword, or the one there is already with that
 * spelling. On failure the vocabulary can only be freed. */
Status vocabulary_add_merge(Vocabulary *vocabulary, int32_t left, int32_t right, int32_t *result,
                            Error *error);

#endif
