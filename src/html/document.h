/* An HTML document, or a part of one, taken apart for translation: its segments, which are what a
 * reader takes for one text, and everything else, which stays as it is byte for byte.
 *
 *     <ul><li>The <b>cat</b> sleeps.</li><li><code>miaow</code></li></ul>
 *             [--------------------]
 *
 * A segment ends at every tag that is not inline (html/element.h), at <br>, at a block that is
 * not translated (<pre>, <script>, …), and at a tag that has no partner in the same segment: so its
 * tags are well-formed, and all others keep their order. An inline element that is not translated
 * (<code>, <kbd>, …, translate="no", class="notranslate", lang of another language) is text that stays as it is; if it has
 * tags or much text in it, it ends the segment, too. Text without a letter, such as numbers, is no
 * segment. Links with nothing but such text between them, as in a menu, are segments of their own.
 * Elements without text (<img>, <a id="x"></a>, comments) that stand before or behind all text of a
 * segment do not belong to it.
 *
 * Before all these come the segments that are values of attributes (html/attributes.h), in order. */
#pragma once

#include "html/pieces.h"

/* An inline element of a segment, or an object: <img>, a comment, or whatever else stands in the
 * text like a character. An element may be empty, or have objects alone. */
typedef struct HtmlInline {
    TextView open;     // its start tag; of an object all of it
    TextView close;    // its end tag; without data for an object
    size_t begin, end; // in the segment's text; of an object, where it stands
    size_t parent;     // the element around it, among the segment's; NO_INLINE: none
    bool kept;         // it is an element that stays as it is: `open` is all of it
    bool repeats;      // two of them mean as much as one around the text of both
    bool formats;      // it says how its text looks, and nothing without that
    bool space_before,
        space_after; // of what has no text: whether white space is between it and what is beside it
} HtmlInline;

#define NO_INLINE ((size_t)-1)

typedef struct HtmlSegment {
    size_t begin, end;             // the bytes of the document that it is
    size_t text, length;           // its text in HtmlDocument.texts: characters, in normal form
    size_t first, inline_count;    // of HtmlDocument.inlines, in the order of their begin tags
    size_t first_kept, kept_count; // of HtmlDocument.kept
    bool space_before,
        space_after; // white space within its first or last element becomes white space around
    bool raw;        // it can have no tags: of <title>
} HtmlSegment;

// Start from {0}, end with html_document_free. A view: the text must outlive it.
typedef struct HtmlDocument {
    const HtmlSyntax *syntax; // NULL: HTML; to be set before it is read, likewise the next three
    const char *language; // of the text, a tag (BCP 47); what is in another stays. NULL: not known
    bool apart;           // elements that stay as they are end a segment
    bool attributes_stay; // none is translated
    HtmlAttributes attributes;
    TextView html;
    HtmlSegment *segments; // (count)
    size_t count, capacity;
    size_t values; // segments that are values of attributes; they are the first ones
    Bytes texts;
    HtmlInline *inlines; // (inline_count)
    size_t inline_count, inline_capacity;
    Span *kept; // (kept_count) elements that stay as they are, in their segments' texts
    size_t kept_count, kept_capacity;
    size_t invalid; // places in the texts that were not UTF-8
} HtmlDocument;

/* Takes any bytes apart, in linear time. STATUS_MEMORY is the only failure; the document must be
 * freed even then. */
Status html_document_read(HtmlDocument *document, TextView html, Error *error);

// The bytes of a segment, and its text.
TextView html_segment_bytes(const HtmlDocument *document, const HtmlSegment *segment);
TextView html_segment_text(const HtmlDocument *document, const HtmlSegment *segment);

// Those spans of it that stay as they are: a view.
Spans html_segment_kept(const HtmlDocument *document, const HtmlSegment *segment);

void html_document_free(HtmlDocument *document);
