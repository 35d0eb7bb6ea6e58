/* Elements that stay as they are (html/document.h), found again in a translation by their
 * text.
 *
 *     Press <kbd>Enter</kbd> now.      Appuyez maintenant sur Enter.
 *
 * Words that only contain the text are something else, unless it was part of a word in the source.
 * Where the translation has the text several times, links between tokens say which of them is
 * meant; without links it is the first that no other element has. */
#pragma once

#include "html/labels.h"

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
