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

/* Writes a translation, `target`, which is the text of pair->target, with the inline elements of its source
 * in place (html/placement.c): HTML, well-formed, whose text is the translation.
 *
 * An element whose words are gone is, too, where it may be. An object, or an element that
 * must not go, stands at the beginning or end of the
 * element it is in if it did so in the source; else behind the words that the token before it is
 * linked with, or before those of the next one; never within an element it was not in. White space
 * is that of the translation; at an object it is on the sides where it was in the source. */
void inline_placement_write(Writer *out, const MarkedPair *pair, const InlineLabels *labels,
                            TextView target);

/* Elements that stay as they are (html/document.h), found again in a translation by their
 * text.
 *
 *     Press <kbd>Enter</kbd> now.      Appuyez maintenant sur Enter.
 *
 * Words that only contain the text are something else, unless it was part of a word in the source.
 * Where the translation has the text several times, links between tokens say which of them is
 * meant; without links it is the first that no other element has. */
// Start from {0}, reuse freely, end with kept_elements_free.
typedef struct KeptElements {
    KeptToken tokens[MAX_HTML_KEPT]; // (count) of the translation
    size_t sources[MAX_HTML_KEPT];   // (count) tokens of the source
    size_t count;
    TextView source, target; // while they are looked for
    const Spans *spans;      // of the source
    Spans found;             // wherever the target has the text of one
} KeptElements;

/* Cuts source and target into tokens (2), all text of such an element being one of them. `spans`
 * are those of the source that stay as they are; all of it must live on. */
Status kept_elements_cut(KeptElements *kept, AlignerTokens *tokens, const TextView *texts,
                         const Spans *spans, Error *error);

/* Finds among the target's tokens those of `inlines` (count) that are kept, one for each span;
 * false if one is not there, or has no place of its own in the source. `links` are between the
 * tokens. */
bool kept_elements_find(KeptElements *kept, const AlignerTokens *tokens, const Links *links,
                        const HtmlInline *inlines, size_t count);

// Links their tokens with each other, and with nothing else.
Status kept_elements_link(const KeptElements *kept, Links *links, Error *error);

void kept_elements_free(KeptElements *kept);
