/* HTML cut into tags, texts and the rest (HTML Living Standard, section 13.2.5, as far as a
 * document is not to be understood but to be kept): the tokens, one behind the other, are all bytes
 * of the document, whatever these are. Nothing is an error. */
#pragma once

#include "base/bytes.h"

typedef enum HtmlTokenKind {
    HTML_TEXT,
    HTML_START, // of an element
    HTML_END,
    HTML_OTHER, // a comment, a declaration, an instruction (PHP's too), a tag cut off, a script
} HtmlTokenKind;

typedef struct HtmlToken {
    HtmlTokenKind kind;
    TextView bytes;
    TextView name;    // of a tag, as it is written
    bool raw;         // a text in which tags would be characters: of <title>
    bool self_closed; // a start tag that ends with "/>"; not where that would mean nothing and
                      // raw content follows
} HtmlToken;

// Start from {.text = …}. Tokens are views of the text.
typedef struct HtmlReader {
    TextView text;
    size_t at;
    TextView raw;   // the element whose content comes next; its tags are characters
    size_t foreign; // elements of SVG and MathML that are open, where no content is raw
    bool xml;       // <?xml has come: the slash of <script/> says that it is empty
} HtmlReader;

// The next token; false at the end. Linear time for a whole document.
bool html_next(HtmlReader *reader, HtmlToken *token);

typedef struct HtmlAttribute {
    TextView name, value; // without quotation marks and with its references as they are
} HtmlAttribute;

/* The attribute of a tag's bytes that begins at *at or later, at first behind the tag's name; *at
 * moves behind it. False where the tag ends, *at being then its '>' or the end of the bytes. */
bool html_next_attribute(TextView tag, size_t *at, HtmlAttribute *attribute);

/* The value of an attribute of a start tag, by its name in small letters; false if there is none. */
bool html_attribute(const HtmlToken *tag, const char *name, TextView *value);
