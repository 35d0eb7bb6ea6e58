/* Attributes of an HTML document that are written anew: those that a reader sees or hears, alt,
 * aria-label, placeholder, title and the description of <meta>, whose values are translated; and
 * lang of <html>, which gets the language of the translation. */
#pragma once

#include "base/writer.h"
#include "html/token.h"
#include "text/spans.h"

typedef struct HtmlValue {
    TextView bytes; // of the document
    Span text;      // what is written in their place, of HtmlAttributes.texts; empty: nothing yet
} HtmlValue;

// Start from {0}, or with the language; end with html_attributes_free.
typedef struct HtmlAttributes {
    const char *language; // of the translation, a tag (BCP 47); NULL: not known
    HtmlValue *items;     // (count) in the order of the document
    size_t count, capacity;
    Bytes texts;
} HtmlAttributes;

// Adds those of a start tag that have a letter, and the language.
Status html_attributes_add(HtmlAttributes *attributes, const HtmlToken *tag, Error *error);

// Adds a value, with a quotation mark or bracket before it, if it has a letter.
Status html_attributes_add_value(HtmlAttributes *attributes, TextView value, Error *error);

// Sets what is written in the place of a part of a value, all of which the item then is.
Status html_attributes_set(HtmlAttributes *attributes, TextView part, TextView text, Error *error);

// Writes bytes of the document with what is set in place.
void html_attributes_write(Writer *out, const HtmlAttributes *attributes, TextView bytes);

void html_attributes_free(HtmlAttributes *attributes);
