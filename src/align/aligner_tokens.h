/* The tokens that the aligner counts, cut from running text or from tokenised text alike.
 *
 *     letters       a run of them: "chat"; a Han character is a token of its own
 *     elision       ends behind its apostrophe: l'|homme, aujourd'|hui
 *     contraction   begins with its apostrophe: it|'s, I|'ll; or with the n of n't: do|n't
 *     number        digits with inner points and commas: 1,000.5
 *     the rest      a run of one and the same character: "...", "-"
 *
 * White space parts tokens and belongs to none. Spellings are in lower case, in ASCII where a
 * full-width form, a kind of quotation mark or an East Asian mark has a counterpart there, and
 * without the Penn Treebank's escapes (-LRB-), so that the same mark is spelt alike on both
 * sides. */
#pragma once

#include "align/units.h"
#include "base/bytes.h"
#include "text/spans.h"

// Start from {0}, reuse freely, end with aligner_tokens_free.
typedef struct AlignerTokens {
    Spans places;          // of each token, in bytes of the text
    Bytes spellings;       // one behind the other
    size_t *spelling_ends; // (places.count)
    size_t capacity;
} AlignerTokens;

/* Replaces what is in `out` by the tokens of a text of `length` < 2^32 bytes. On failure it is
 * empty and still valid. */
Status aligner_tokens_set(AlignerTokens *out, const char *text, size_t length, Error *error);

// The same, but each of these spans, in order, which neither begin nor end with white space, is one token.
Status aligner_tokens_set_spans(AlignerTokens *out, TextView text, const Spans *spans,
                                Error *error);

static inline TextView aligner_tokens_spelling(const AlignerTokens *tokens, size_t token)
{
    size_t begin = token ? tokens->spelling_ends[token - 1] : 0;
    return (TextView){tokens->spellings.data + begin, tokens->spelling_ends[token] - begin};
}

// Whether a token has neither a letter nor a number.
bool aligner_tokens_is_mark(const AlignerTokens *tokens, size_t token);

void aligner_tokens_free(AlignerTokens *tokens);
