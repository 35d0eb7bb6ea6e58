/* A document cut into pieces: its tokens (html/token.h) with their meaning for translation. What is
 * not translated is one piece, and tags are paired. Segments (html/document.h) are made of the
 * pieces between limits. */
#pragma once

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
    bool raw;         // of a text (HtmlToken.raw)
    bool has_text;    // a text that is not all white space, or a tag of an element with such a text
    bool has_letter;
    size_t texts; // pieces before it that have text
} HtmlPiece;

// Elements of a segment within each other, and those that stay as they are; where there are more,
// it ends.
enum { MAX_HTML_DEPTH = 32, MAX_HTML_KEPT = 32 };

// Reading a document. Start from the first three members, the others 0; the caller frees the pieces.
typedef struct PieceReader {
    const char *language;       // of the text, a tag (BCP 47); NULL: not known
    bool apart;                 // elements that stay as they are end a segment
    HtmlAttributes *attributes; // NULL: not wanted
    HtmlPiece *pieces;          // (count)
    size_t count, capacity;
    HtmlReader html;
    size_t open[MAX_HTML_DEPTH]; // start tags of the segment that wait for their end tags
    TextView names[MAX_HTML_DEPTH];
    size_t depth;
    size_t texts; // pieces with text
    size_t kept;  // elements of the segment that are kept
} PieceReader;

// Adds a token that has been read, and what belongs to it of those that come next.
Status html_pieces_token(PieceReader *reader, const HtmlToken *token, Error *error);

// Adds a text, an object, a limit, or an element that is kept, with its content.
Status html_pieces_add(PieceReader *reader, HtmlPieceKind kind, TextView bytes, TextView content,
                       Error *error);

// Cuts HTML. The last piece is a limit.
Status html_pieces_read(PieceReader *reader, TextView html, Error *error);

// A language of documents whose inline elements are between two tags.
typedef struct HtmlSyntax {
    Status (*read)(PieceReader *reader, TextView document, Error *error);
    bool escapes; // a backslash before a mark says that it is text
    // writes a part of a text, which goes on on both sides
    void (*write)(Writer *out, TextView text, Span part);
    // writes a tag otherwise than it is; false if it stays as it is, but for attributes; NULL: all do
    bool (*write_tag)(Writer *out, TextView bytes);
} HtmlSyntax;

extern const HtmlSyntax html_syntax;

// Writes a part of a text, with what is in these spans marked: <span class="uncertain">.
void html_write_marked(Writer *out, const HtmlSyntax *syntax, const Spans *marked, TextView text,
                       Span part);
