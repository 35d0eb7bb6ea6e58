/* The names of character references: those of HTML 4, of letters of the Latin alphabet and of
 * common signs; HTML has 1,800 more, nearly all for formulas. */
#ifndef REGARD_TEXT_HTML_NAMES_H
#define REGARD_TEXT_HTML_NAMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct HtmlName {
    const char *name;
    uint16_t character;
    uint16_t open; // it needs no semicolon
} HtmlName;

extern const HtmlName html_names[]; // in the order of strcmp
extern const size_t html_name_count;

enum { MAX_HTML_NAME = 8 };

#endif
