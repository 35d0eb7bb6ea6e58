/* The step for what stays as it is: placeholders, characters of Unicode's private use area, U+E000
 * to U+E003, which the training pairs of some models have in the place of names and addresses
 * (compare Luong et al. 2015, arXiv 1410.8206). Such a model reads each span that stays as it is as
 * a placeholder, and what it says of it is put back:
 *
 *     Voir https://example.org ici.   the source and its rendering, as everybody sees them
 *     Voir U+E000 ici.                what the model reads; its subwords' ends are in the source
 *
 * The first span of a sentence is U+E000, the next U+E001; spans beyond the fourth, or beyond what
 * the model knows, are read as text: numbers rather than addresses, and these rather than what has
 * a character that the model cannot read. Every span that was read so is in a rendering exactly once: a
 * surplus placeholder is left out, and a span that the model has not said is added at the end, before
 * the sentence's marks. A placeholder that the prefix has as a character of its own stays. */
#pragma once

#include "reading/reading.h"
#include "search/constraints.h"

/* How many of them, from the first, both vocabularies have as characters of their own, not as
 * bytes. The last are so rare in pairs that they may be missing. */
size_t placeholders_known(const Vocabulary *source, const Vocabulary *target);

/* Replaces `text` by what the model says for reading->prefix: with placeholders for the spans of
 * the source that are in it, each at most once. */
Status placeholders_in_prefix(Bytes *text, const Reading *reading, Error *error);

/* Adds the phrases that a translation must contain: a placeholder for each span read as one, alone
 * or with a space or mark. `subwords` are the source's. */
Status placeholders_require(Constraints *constraints, const Reading *reading,
                            const Subwords *subwords, Error *error);

/* Replaces `text` by what the model has said, with the spans that it has said, each once: a long
 * span is not repeated by a prefix that has its placeholder many times. */
Status placeholders_write_spans(Bytes *text, const Bytes *said, const Reading *reading,
                                Error *error);

// What a placeholder, number < reading->placed_count, becomes: its span, or the translation of a list.
TextView placeholders_span(const Reading *reading, size_t number);

// Appends the placeholder of a number.
Status placeholder_append(Bytes *text, size_t number, Error *error);

// The number of the placeholder at *at < length, MAX_PLACEHOLDERS for another character; moves past
// it.
size_t placeholder_next(const char *text, size_t length, size_t *at);
