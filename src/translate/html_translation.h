/* The translation of an HTML document from those of its segments (text/html_document.h). */
#ifndef REGARD_TRANSLATE_HTML_TRANSLATION_H
#define REGARD_TRANSLATE_HTML_TRANSLATION_H

#include "text/html_document.h"
#include "translate/alignment.h"

typedef struct HtmlTranslation {
    const HtmlDocument *document;
    const LinkReading *reading; // its links_only is set
    size_t rank; // which rendering of each segment is taken; the best where there are fewer
} HtmlTranslation;

/* Writes the document from the end of the segment before `first`, or its beginning, to the end of the last
 * of `count` segments, and if that is the document's last, to its end. `translations` (count) are those of
 * the segments' texts. Where they have attention, or the reading has an aligner, tags are placed by the
 * alignment, else by the diagonal. */
void html_translation_write(Writer *out, const HtmlTranslation *html, size_t first, size_t count,
                            const Translation *translations);

// Whether any of these segments has inline elements, for which an alignment is needed.
bool html_segments_have_inlines(const HtmlDocument *document, size_t first, size_t count);

#endif
