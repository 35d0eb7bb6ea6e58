/* What the elements of HTML mean to a translation (HTML Living Standard, sections 4, 13.1.2 and
 * 15.3). */
#pragma once

#include "html/token.h"

typedef enum HtmlElement {
    HTML_VOID = 1,  // it has no content and no end tag
    HTML_PARTS = 2, // text before it, in it and behind it are different texts: a paragraph, a cell
    HTML_RAW = 4,   // tags in its content are characters
    HTML_KEPT = 8,  // its content is not translated
    HTML_GRAPHIC = 16,  // it is like one character of the text around it, whatever is in it
    HTML_FOREIGN = 32,  // what is in it is no HTML
    HTML_REPEATS = 64,  // two of them mean as much as one around the text of both: bold, a link
    HTML_FORMATS = 128, // it says how its text looks or sounds, and nothing without that
} HtmlElement;

/* Its properties, a sum of HtmlElement, by its name in any case; 0, an inline element that is one
 * thing, for a name that is not known. */
unsigned html_element(TextView name);

// Whether the content of the element that begins with a tag is not translated: by its name, or since it
// is protected.
bool html_stays(const HtmlToken *tag, const char *language);

// Whether it has translate="no", class="notranslate" or, but for <html> and <body>, another language
// than that of the document (a tag; NULL: not known).
bool html_is_protected(const HtmlToken *tag, const char *language);

// Whether a start tag is of an element that formats, and says no more: it has no id, and no event.
bool html_is_plain(const HtmlToken *tag);

// Whether two names are equal but for the case of ASCII letters.
bool html_name_equal(TextView a, TextView b);

static inline bool html_is_called(TextView name, const char *wanted)
{
    return html_name_equal(name, text_view_of(wanted));
}
