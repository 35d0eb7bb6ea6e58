/* A subword vocabulary: byte-pair encoding (Sennrich, Haddow & Birch 2016, arXiv 1508.07909) with
 * byte fallback.
 *
 * Ids: 0 <pad>, 1 <unk>, 2 <s>, 3 </s>, then the 256 bytes (id 4 + byte), then the alphabet (single
 * characters, most frequent first), then the merges in the order learned. A subword may begin with
 * the space before a word; a text is encoded as if one space stood before it, so a word has the
 * same subwords at the start of a sentence and inside, and decoding takes that one space away.
 * decode(encode(x)) = x for every normalised text x.
 *
 * Immutable once made: one vocabulary may be used by several threads. */
#ifndef REGARD_TEXT_VOCABULARY_H
#define REGARD_TEXT_VOCABULARY_H

#include "base/bytes.h"
#include "text/special_tokens.h"

#include <jansson.h>
#include <stdint.h>

enum { TOKEN_BYTES = 4, TOKEN_FIRST = 260 }; // the first byte, the first character
enum { VOCABULARY_MIN_SIZE = 300, VOCABULARY_MAX_SIZE = 1000000 };

typedef struct Vocabulary Vocabulary;

// Subwords of one text. Start from {0}, reuse freely, end with subwords_free.
typedef struct Subwords {
    int32_t *ids; // (count)
    uint32_t
        *ends; // (count) where each subword ends in the normalised text, in bytes; begins where
               // the one before ends
    size_t count;
    size_t capacity;
} Subwords;

void subwords_free(Subwords *subwords);

size_t vocabulary_size(const Vocabulary *vocabulary);

/* Replaces what is in `subwords` by the subwords of a normalised text, without <s> or </s>. Never
 * gives <unk>, and never a special token, whatever the text spells. */
Status vocabulary_encode(const Vocabulary *vocabulary, const char *text, size_t length,
                         Subwords *subwords, Error *error);

/* Appends the text of `count` ids to `out`: special tokens give nothing, bytes that are not UTF-8
 * in the end give U+FFFD, ids outside the vocabulary are STATUS_ARGUMENT. The one space at the
 * beginning is taken away. */
Status vocabulary_decode(const Vocabulary *vocabulary, const int32_t *ids, size_t count, Bytes *out,
                         Error *error);

/* The printable spelling of a subword, unique in the vocabulary, without white space: a space shows
 * as U+2581, a byte as <0xE2>, specials as <pad> <unk> <s> </s>. Valid as long as the vocabulary
 * is; NULL for an id outside it. */
const char *vocabulary_spelling(const Vocabulary *vocabulary, int32_t id);

// The id of a printable spelling, or -1.
int32_t vocabulary_find(const Vocabulary *vocabulary, const char *spelling, size_t length);

/* The bytes that a subword stands for (a space as U+0020), *length of them; empty for specials. */
const char *vocabulary_bytes(const Vocabulary *vocabulary, int32_t id, size_t *length);

// As JSON: {"alphabet": ["e", …], "merges": [[260, 261], …]}. A new reference, or NULL if out of
// memory.
json_t *vocabulary_to_json(const Vocabulary *vocabulary);

/* From JSON as above, checked wholly: kinds, ids in range, no duplicate, no subword that is not text.
 */
Status vocabulary_from_json(Vocabulary **vocabulary, const json_t *json, Error *error);

// Frees it; NULL is allowed.
void vocabulary_free(Vocabulary *vocabulary);

#endif
