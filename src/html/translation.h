/* The translation of an HTML document from those of its segments (html/document.h). */
#pragma once

#include "html/document.h"
#include "translate/alignment.h"
#include "translate/session.h"

typedef struct HtmlTranslation {
    HtmlDocument *document;           // whose attributes are set
    const HtmlAttributes *attributes; // of the document that it is a part of; NULL: its own
    const LinkReading *reading;       // its links_only is set
    size_t rank; // which rendering of each segment is taken; the best where there are fewer
    // what has translated the segments, and how; prefixes and spans of the options are not used
    Session *session;
    const TranslateOptions *options;
    // by which words, units of this kind, are marked as doubtful: <span class="uncertain">; NULL: none
    const ConfidenceWeights *confidence;
    UnitKind words;
} HtmlTranslation;

/* Translates the texts of some segments, with attention where tags have to be placed: sets
 * translations (count), each freed by translation_free. On failure they are empty. */
Status html_segments_translate(const HtmlTranslation *html, Span segments,
                               Translation *translations, Error *error);

/* Writes the document from the end of the segment before these, or its beginning, to the end of the
 * last of them, and if that is the document's last, to its end; values of attributes are set, and
 * written with the text around them. `translations` are those of the segments' texts, with
 * html_segment_kept as spans that stay as they are. A segment whose translation lacks one of them is translated anew, in the parts between them.
 * Where they have attention, or the reading has an aligner, tags are placed by the alignment, else
 * by the diagonal. */
void html_translation_write(Writer *out, const HtmlTranslation *html, Span segments,
                            const Translation *translations);

// Translates and writes a whole document.
void html_document_translate(Writer *out, const HtmlTranslation *html);
