/* The pieces of an HTML document: its tokens (text/html_token.h) with their meaning for
 * translation. What is not translated is one piece, and tags are paired. */
#ifndef REGARD_TEXT_HTML_PIECES_H
#define REGARD_TEXT_HTML_PIECES_H

#include "text/html_document.h"

typedef enum HtmlPieceKind {
    HTML_PIECE_TEXT,
    HTML_PIECE_OPEN,   // the start tag of an inline element that ends within the segment
    HTML_PIECE_CLOSE,  // its end tag
    HTML_PIECE_OBJECT, // <img>, a comment, an unknown reference
    HTML_PIECE_KEPT,   // an inline element whose text stays as it is
    HTML_PIECE_LIMIT,  // what ends a segment
} HtmlPieceKind;

typedef struct HtmlPiece {
    HtmlPieceKind kind;
    TextView bytes;
    TextView content; // of an element that is kept, the text in it
    size_t partner;   // of a tag, the piece that is its other tag
    bool repeats;     // of a start tag (HTML_REPEATS)
    bool is_link;     // of a start tag: <a>
    bool has_text;    // a text that is not all white space
    bool has_letter;
    size_t texts; // pieces before it that have text
} HtmlPiece;

// Start from {0}, end with html_pieces_free.
typedef struct HtmlPieces {
    HtmlPiece *items; // (count)
    size_t count, capacity;
} HtmlPieces;

/* The pieces of a document, whose views they are. <sup> without a letter, as of a note, is an
 * object. With `apart` elements that are kept are limits. STATUS_MEMORY is the only failure. */
Status html_pieces_read(HtmlPieces *pieces, TextView html, bool apart, Error *error);

void html_pieces_free(HtmlPieces *pieces);

#endif
