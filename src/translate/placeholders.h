/* Placeholders: characters of Unicode's private use area, U+E000 to U+E003, which the training
 * pairs of some models have in the place of names and addresses (compare Luong et al. 2015, arXiv
 * 1410.8206). Such a model reads each span that stays as it is as a placeholder, and what it says
 * of it is put back:
 *
 *     Voir https://example.org ici.   the source and its rendering, as everybody sees them
 *     Voir U+E000 ici.                what the model reads; its subwords' ends are in the source
 *
 * The first span of a sentence is U+E000, the next U+E001; spans beyond the fourth, or beyond what
 * the model knows, are read as text. */
#ifndef REGARD_TRANSLATE_PLACEHOLDERS_H
#define REGARD_TRANSLATE_PLACEHOLDERS_H

#include "translate/normal_text.h"
#include "translate/rendering.h"

/* The subwords of a vocabulary that have one of them, alone or with a space or mark. Start from
 * {0}, end with placeholder_tokens_free. */
typedef struct PlaceholderTokens {
    int32_t *ids; // by placeholder
    size_t capacity;
    size_t ends[MAX_PLACEHOLDERS]; // in ids, of those of each
} PlaceholderTokens;

Status placeholder_tokens_find(PlaceholderTokens *tokens, const Vocabulary *vocabulary,
                               Error *error);

void placeholder_tokens_free(PlaceholderTokens *tokens);

/* How many of them, from the first, both vocabularies have as characters of their own, not as
 * bytes. The last are so rare in pairs that they may be missing. */
size_t placeholders_known(const Vocabulary *source, const Vocabulary *target);

/* Sets source, source_subwords, cut, placeholders and kept of a translation that is {0}, from a
 * text in normal form whose spans, as many as the model knows placeholders, become these: addresses
 * rather than numbers. */
Status placeholders_read_source(Translation *translation, const Vocabulary *vocabulary,
                                const NormalView *source, size_t known, Error *error);

/* Replaces `text` by what the model says for translation->prefix: with placeholders for the spans
 * of the source that are in it, each at most once. */
Status placeholders_in_prefix(Bytes *text, const Translation *translation, Error *error);

// Adds the phrases that a translation must contain: a placeholder for each span of the source.
Status placeholders_require(Constraints *constraints, const PlaceholderTokens *tokens,
                            const Translation *translation, Error *error);

/* Replaces `text` by what the model has said, with the spans that it has said, each once: a long
 * span is not repeated by a prefix that has its placeholder many times. */
Status placeholders_write_spans(Bytes *text, const Bytes *said, const Translation *translation,
                                Error *error);

/* Leaves of `hypotheses` only those that say each placeholder of the source exactly once, if there
 * are any. */
Status placeholders_choose(Hypotheses *hypotheses, const Translation *translation,
                           const Vocabulary *vocabulary, Error *error);

/* Puts the spans back into a rendering's text, and its subwords' ends where they are then. Every
 * span is in it exactly once: a surplus placeholder is left out, and a span that the model has not
 * said is added at the end, before the sentence's marks. A placeholder that the prefix has as a
 * character of its own stays. */
Status placeholders_restore(Rendering *rendering, const Translation *translation, Error *error);

// The span that a placeholder of a translation, number < kept_count, stands for.
TextView placeholders_span(const Translation *translation, size_t number);

// Appends the placeholder of a number.
Status placeholder_append(Bytes *text, size_t number, Error *error);

// The number of the placeholder at *at < length, MAX_PLACEHOLDERS for another character; moves past
// it.
size_t placeholder_next(const char *text, size_t length, size_t *at);

#endif
