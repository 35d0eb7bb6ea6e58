/* A subword vocabulary: byte-pair encoding (Sennrich, Haddow & Birch 2016, arXiv 1508.07909) with
 * byte fallback.
 *
 * Ids: 0 <pad>, 1 <unk>, 2 <s>, 3 </s>, then the 256 bytes (id 4 + byte), then the alphabet (single
 * characters, most frequent first), then the merges in the order learned. A subword may begin with
 * the space before a word. A text is encoded as if it began with a space, so that a word has the
 * same subwords at the start of a sentence and inside it; decoding removes that space.
 * decode(encode(x)) = x for every normalised text x.
 *
 * Immutable once made: several threads may share a vocabulary. */
#pragma once

#include "base/bytes.h"
#include "text/bpe_merge.h"
#include "text/spans.h"
#include "text/special_tokens.h"

#include <jansson.h>

enum { TOKEN_BYTES = 4, TOKEN_FIRST = 260 }; // the first byte, the first character
enum { VOCABULARY_MIN_SIZE = 300, VOCABULARY_MAX_SIZE = 1000000 };

typedef struct Vocabulary Vocabulary;

// Subwords of one text. Start from {0}, reuse freely, end with subwords_free.
typedef struct Subwords {
    int32_t *ids;   // (count)
    uint32_t *ends; // (count) the byte of the normalised text where each subword ends
    size_t count;
    size_t capacity;
} Subwords;

// Makes room for so many in all.
Status subwords_reserve(Subwords *subwords, size_t needed, Error *error);

void subwords_free(Subwords *subwords);

// Where a subword begins or, of one more than there are, where the text ends.
static inline uint32_t subwords_begin(const Subwords *subwords, size_t i)
{
    return i > 0 ? subwords->ends[i - 1] : 0;
}

// Which subwords have a byte of a span of the text.
Span subwords_of_span(const Subwords *subwords, Span span);

size_t vocabulary_size(const Vocabulary *vocabulary);

// Whether both have the same subwords under the same ids.
bool vocabulary_equal(const Vocabulary *a, const Vocabulary *b);

/* Replaces `subwords` by those of a normalised text, without <s> or </s>. Never gives a special
 * token, whatever the text spells. */
Status vocabulary_encode(const Vocabulary *vocabulary, const char *text, size_t length,
                         Subwords *subwords, Error *error);

/* The same of a part of a text, with the space before it only if it is `spaced`: behind a bracket, an
 * apostrophe or a Chinese character there is none. */
Status vocabulary_encode_part(const Vocabulary *vocabulary, const char *text, size_t length,
                              bool spaced, Subwords *subwords, Error *error);

/* Appends the text of `count` ids to `out`, without the space at its beginning: special tokens give
 * nothing, bytes that together are not UTF-8 give U+FFFD, ids outside the vocabulary are
 * STATUS_ARGUMENT. */
Status vocabulary_decode(const Vocabulary *vocabulary, const int32_t *ids, size_t count, Bytes *out,
                         Error *error);

/* The printable spelling of a subword, unique in the vocabulary and without white space: a space is
 * U+2581, a byte <0xE2>, special tokens are <pad> <unk> <s> </s>. Valid as long as the vocabulary;
 * NULL for an id outside it. */
const char *vocabulary_spelling(const Vocabulary *vocabulary, int32_t id);

// The id of a printable spelling, or -1.
int32_t vocabulary_find(const Vocabulary *vocabulary, const char *spelling, size_t length);

// The bytes that a subword stands for (a space is U+0020), *length of them; none for special
// tokens.
const char *vocabulary_bytes(const Vocabulary *vocabulary, int32_t id, size_t *length);

// {"alphabet": ["e", …], "merges": [[260, 261], …]}; a new reference, or NULL if out of memory.
json_t *vocabulary_to_json(const Vocabulary *vocabulary);

/* Reads the same as a text and checks all of it: that it is JSON, the two lists in this order,
 * types, ranges of ids, duplicates, subwords that are not text. */
Status vocabulary_read(Vocabulary **vocabulary, const char *text, Error *error);

// Frees it; NULL is allowed.
void vocabulary_free(Vocabulary *vocabulary);
FREES_POINTER(Vocabulary, vocabulary_free)
