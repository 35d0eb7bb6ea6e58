/* Which inline element of a source (html/document.h) each token of its translation belongs to,
 * by the links between tokens.
 *
 *     The <b>cat</b> does <i>not</i> sleep.      Le <b>chat</b> <i>ne</i> dort <i>pas</i>.
 *
 * A token belongs to the innermost element into which more than half of its links lead; marks count
 * only as linked with marks. A token without links belongs to what those beside it have in common;
 * at either end the source's own end stands for the one that is missing. An element around the
 * whole source is around the whole translation. An element that would have no token gets those that
 * any link leads into, or else any faint link, unless another has them. Without any links tokens
 * follow the diagonal.
 *
 * Then each element is made of few runs. A gap that is shorter than both runs beside it, and in no
 * other element, is filled. An element that does not repeat, or would have more than
 * MAX_ELEMENT_RUNS, keeps the longest. An element that still has no token, and does more than
 * format its text, gets the word that is nearest to its place, unless another would then be left
 * without any.
 *
 * Projecting spans by alignment: Joanis, Stewart, Larkin & Kuhn, "Transferring markup tags in
 * statistical machine translation: a two-stream approach", MTSummit WPTP 2013; Zenkel, Wuebker &
 * DeNero, "Automatic bilingual markup transfer", Findings of EMNLP 2021. */
#pragma once

#include "align/aligner_tokens.h"
#include "align/links.h"
#include "html/document.h"

enum { MAX_ELEMENT_RUNS = 4 };

// A token of a translation that is an element that stays as it is.
typedef struct KeptToken {
    size_t token;
    TextView element; // all its bytes
} KeptToken;

// The one of several (count) that is a token of this number; NULL: none.
const KeptToken *kept_token_find(const KeptToken *kept, size_t count, size_t token);

// A source with its inline elements, its translation, and links between the tokens of both.
typedef struct MarkedPair {
    const HtmlSyntax *syntax;
    const Spans *doubts;              // words of the target that are marked
    const HtmlAttributes *attributes; // of the document; NULL: all stay as they are
    const HtmlInline *inlines;        // (inline_count)
    size_t inline_count;
    const AlignerTokens *source, *target;
    const Links *links;
    const Links *faint;    // by a lower threshold, for elements to which no link leads; NULL: none
    const KeptToken *kept; // (kept_count)
    size_t kept_count;
} MarkedPair;

// First and last token of an element; first > last: it has none.
typedef struct ElementSpan {
    size_t first, last;
} ElementSpan;

// Start from {0}, reuse freely, end with inline_labels_free. Elements are numbers of
// MarkedPair.inlines.
typedef struct InlineLabels {
    size_t *source, *target; // (tokens) the innermost element of each; NO_INLINE: none
    ElementSpan
        *spans[2]; // (inline_count + 1) of source and target, the last one's being the whole
} InlineLabels;

// The source has at least one token.
Status inline_labels_set(InlineLabels *labels, const MarkedPair *pair, Error *error);

// Whether an element with text has no token of the translation.
bool inline_labels_lack(const InlineLabels *labels, const MarkedPair *pair);

/* Whether all text of an element is gone from the translation, and it with that: it may be written
 * several times, so it may be written never; and so are all elements in it, and no objects. */
bool inline_is_gone(const InlineLabels *labels, const MarkedPair *pair, size_t element);

// Whether an element, or none, is `outer` or within it; everything is within NO_INLINE.
bool inline_within(const HtmlInline *inlines, size_t inner, size_t outer);

// The innermost element around both; NO_INLINE: none.
size_t inline_common(const HtmlInline *inlines, size_t a, size_t b);

/* Whether a link says where a source token's words are: between two words or two marks. */
bool inline_link_counts(const MarkedPair *pair, Link link);

void inline_labels_free(InlineLabels *labels);
