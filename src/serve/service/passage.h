/* A text of a request cut into what is translated piece by piece, and what stands between the
 * pieces and is kept as it is: lines without the white space around them, or segments of HTML. */
#ifndef REGARD_SERVE_SERVICE_PASSAGE_H
#define REGARD_SERVE_SERVICE_PASSAGE_H

#include "text/html_document.h"

#include "base/writer.h"

// Start from {0}, end with passage_free. A view: the text must outlive it.
typedef struct Passage {
    TextView text;
    TextView *pieces; // (count) in order, none empty
    size_t count, capacity;
    bool is_html;
    HtmlDocument html; // its segments are the pieces
} Passage;

// Cuts a text into its lines.
Status passage_set(Passage *passage, TextView text, Error *error);

// Cuts HTML into its segments. It must be freed even after a failure.
Status passage_set_html(Passage *passage, TextView html, Error *error);

// Writes the text, which is not HTML, with replacements (count) in place of its pieces.
void passage_write(Writer *out, const Passage *passage, const TextView *replacements);

void passage_free(Passage *passage);

#endif
