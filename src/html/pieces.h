/* A document cut into pieces: its tokens (html/token.h) with their meaning for translation. What is
 * not translated is one piece, and tags are paired. Segments (html/document.h) are made of the
 * pieces between limits. */
#ifndef REGARD_HTML_PIECES_H
#define REGARD_HTML_PIECES_H

#include "html/attributes.h"

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
    bool formats;     // of a start tag: the element may be left out (html_is_plain)
    bool is_link;     // of a start tag: <a>
    bool has_text;    // a text that is not all white space
    bool has_letter;
    size_t texts; // pieces before it that have text
} HtmlPiece;

typedef struct HtmlPieces {
    HtmlPiece *items; // (count)
    size_t count, capacity;
} HtmlPieces;

/* Cuts a document; `apart`: elements that stay as they are end a segment. Attributes are added to
 * `attributes`, unless that is NULL. The last piece is a limit. */
Status html_pieces_read(HtmlPieces *pieces, TextView html, bool apart, HtmlAttributes *attributes,
                        Error *error);

// Whether an element has no text.
bool html_piece_is_empty(const HtmlPiece *pieces, const HtmlPiece *open);

#endif
